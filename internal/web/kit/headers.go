package kit

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Protect sets what every page has: nothing but our own files runs or is loaded, the owner's logo
// apart, and no other site frames it, save an embedded page's own.
func Protect(h http.Header, p *Page) {
	h.Set("Content-Security-Policy", policy(p))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Accept-Encoding, Accept-Language, Cookie")
	if p.Personal {
		h.Set("Cache-Control", "no-store")
	}
	if !p.Embedded {
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
}

// KeepPrivate is for what only the holder of a link may see: nothing of it is kept, found by search
// engines or told to other sites.
func KeepPrivate(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("X-Content-Type-Options", "nosniff")
}

func policy(p *Page) string {
	images := "'self'"
	if p.Face.Image() != "" {
		images += " " + originOf(p.Face.Logo)
	}
	framers := "'none'"
	if sites := origins(p.Framers); p.Embedded && len(sites) > 0 {
		framers = strings.Join(sites, " ")
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src " + images +
		"; connect-src 'self'; form-action " + strings.Join(append([]string{"'self'"}, origins(p.Payees)...), " ") +
		"; base-uri 'none'; frame-ancestors " + framers
}

// origins leaves out what would say more in a policy than a site.
func origins(sites []string) []string {
	return slices.DeleteFunc(slices.Clone(sites),
		func(site string) bool { return site == "" || originOf(site) != site })
}

// originOf is the site of a URL, as a policy names it. It is empty if the policy would read something
// else in it.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" ||
		strings.ContainsAny(u.Host, " ;,'\"*") {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
