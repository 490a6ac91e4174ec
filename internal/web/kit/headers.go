package kit

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Protect sets the headers of every page: it runs and loads only the server's own files and the owner's logo, and no
// other site may frame it, except the allowed ones of an embedded page.
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

// KeepPrivate sets the headers of pages that only the holder of a link may see: no cache stores them, no search engine
// indexes them and no other site gets their URL as referrer.
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

// origins drops the sites that are not plain origins and would mean something else in a policy.
func origins(sites []string) []string {
	return slices.DeleteFunc(slices.Clone(sites),
		func(site string) bool { return site == "" || originOf(site) != site })
}

// originOf returns the origin of a URL as a policy names it, or "" if the policy would understand it differently.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" ||
		strings.ContainsAny(u.Host, " ;,'\"*") {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
