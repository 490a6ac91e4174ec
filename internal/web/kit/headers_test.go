package kit

import (
	"net/http"
	"strings"
	"testing"
)

// directives parses a policy.
func directives(t *testing.T, policy string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for part := range strings.SplitSeq(policy, ";") {
		name, values, _ := strings.Cut(strings.TrimSpace(part), " ")
		if _, twice := all[name]; twice {
			t.Errorf("%s stands twice in %q", name, policy)
		}
		all[name] = values
	}
	return all
}

func policyOf(t *testing.T, p *Page) map[string]string {
	t.Helper()
	h := http.Header{}
	Protect(h, p)
	return directives(t, h.Get("Content-Security-Policy"))
}

func TestPolicy_NothingRunsThatIsNotOurs(t *testing.T) {
	want := map[string]string{
		"default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'",
		"connect-src": "'self'",
		"form-action": "'self'", "base-uri": "'none'", "frame-ancestors": "'none'",
	}
	got := policyOf(t, &Page{})
	for name, values := range want {
		if got[name] != values {
			t.Errorf("%s is %q, want %q", name, got[name], values)
		}
	}
	if len(got) != len(want) {
		t.Errorf("there is more in it: %v", got)
	}
}

func TestPolicy_TheLogosSiteAndNoMore(t *testing.T) {
	for logo, images := range map[string]string{
		"https://acme.example/logo.png":           "'self' https://acme.example",
		"https://acme.example:8443/a;b?c=d,e#f":   "'self' https://acme.example:8443",
		"https://user:word@acme.example/logo.png": "'self' https://acme.example",
		"":                                      "'self'",
		"http://acme.example/logo.png":          "'self'",
		"javascript:alert(1)":                   "'self'",
		"data:image/svg+xml,<svg>":              "'self'",
		"//acme.example/logo.png":               "'self'",
		"/logo.png":                             "'self'",
		"https:logo.png":                        "'self'",
		"https:///logo.png":                     "'self'",
		"https://a;script-src.example/x":        "'self'",
		"https://a,b.example/x":                 "'self'",
		"https://a 'unsafe-inline'/x":           "'self'",
		"https://'unsafe-inline'/x":             "'self'",
		"https://*/x":                           "'self'",
		"https://a.example\r\nSet-Cookie: a=b/": "'self'",
	} {
		p := &Page{Face: Face{Logo: logo}}
		if got := policyOf(t, p)["img-src"]; got != images {
			t.Errorf("%q: images from %q, want %q", logo, got, images)
		}
		if shown := p.Face.Image() != ""; shown != (images != "'self'") {
			t.Errorf("%q: the page shows what the policy forbids, or the reverse", logo)
		}
	}
}

func TestPolicy_OnlyTheOwnersSitesFrameAnEmbeddedPage(t *testing.T) {
	sites := []string{"https://acme.example", "http://localhost:3000"}
	for _, c := range []struct {
		embedded bool
		framers  []string
		want     string
	}{
		{false, nil, "'none'"},
		{false, sites, "'none'"},
		{true, nil, "'none'"},
		{true, sites, "https://acme.example http://localhost:3000"},
		// Values that no valid configuration has must not widen the policy either.
		{true, []string{"*"}, "'none'"},
		{true, []string{"https:"}, "'none'"},
		{true, []string{"https://*"}, "'none'"},
		{true, []string{"https://a.example; script-src *"}, "'none'"},
		{true, []string{"https://a.example *"}, "'none'"},
		{true, []string{"https://a.example, *"}, "'none'"},
		{true, []string{"https://a.example/\r\nSet-Cookie: a=b", "https://b.example"}, "https://b.example"},
		{true, []string{"'unsafe-inline'", "data:", "javascript:alert(1)", ""}, "'none'"},
	} {
		h := http.Header{}
		Protect(h, &Page{Embedded: c.embedded, Framers: c.framers})
		if got := directives(t, h.Get("Content-Security-Policy"))["frame-ancestors"]; got != c.want {
			t.Errorf("%v, %q: framed by %q, want %q", c.embedded, c.framers, got, c.want)
		}
		if denied := h.Get("X-Frame-Options") == "DENY"; denied == c.embedded {
			t.Errorf("%v: X-Frame-Options %q", c.embedded, h.Get("X-Frame-Options"))
		}
	}
}

func TestPolicy_FormsLeadOnlyToUsAndToTheCheckout(t *testing.T) {
	for _, c := range []struct {
		payees []string
		want   string
	}{
		{nil, "'self'"},
		{[]string{"https://checkout.stripe.com", "http://127.0.0.1:12111"},
			"'self' https://checkout.stripe.com http://127.0.0.1:12111"},
		{[]string{"https://sk_live:word@pay.example", "https://pay.example/path", "https://*", "*",
			"https://a.example; script-src *", ""}, "'self'"},
	} {
		if got := policyOf(t, &Page{Payees: c.payees})["form-action"]; got != c.want {
			t.Errorf("%q: forms lead to %q, want %q", c.payees, got, c.want)
		}
	}
}

func TestKeepPrivate_SetsItsHeaders(t *testing.T) {
	h := http.Header{}
	Protect(h, &Page{})
	KeepPrivate(h)
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow",
		"X-Content-Type-Options": "nosniff",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
