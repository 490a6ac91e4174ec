package ui

import (
	"net/http"
	"net/url"
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
	if origin := originOf(p.Face.Logo); origin != "" {
		images += " " + origin
	}
	framers := "'none'"
	if p.Embedded && len(p.Framers) > 0 {
		framers = strings.Join(p.Framers, " ")
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src " + images +
		"; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors " + framers
}

// originOf is where a logo is loaded from. What is no plain https URL is not loaded at all.
func originOf(logo string) string {
	u, err := url.Parse(logo)
	if err != nil || u.Scheme != "https" || u.Host == "" || strings.ContainsAny(u.Host, " ;,'\"") {
		return ""
	}
	return "https://" + u.Host
}
