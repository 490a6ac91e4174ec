package kit

import (
	"net/http"
	"strings"
)

// crossOrigin recognizes forms on other sites, which would act with the visitor's session.
var crossOrigin = http.NewCrossOriginProtection()

// IsCrossOrigin reports whether a form comes from another origin. It is for pages that act with a session.
func IsCrossOrigin(r *http.Request, baseURL string) bool {
	return crossOrigin.Check(r) != nil && r.Header.Get("Origin") != baseURL
}

// IsCrossSite reports whether a form comes from another site, which would book from its visitors' IP addresses. It is
// for pages without a session. Attendee pages send no referrer, and browsers then send the origin null.
func IsCrossSite(r *http.Request, baseURL string) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "cross-site"
	}
	origin := r.Header.Get("Origin")
	_, host, _ := strings.Cut(origin, "://")
	return origin != "" && origin != "null" && origin != baseURL && host != r.Host
}
