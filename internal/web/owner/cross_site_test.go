package owner

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"slotd/internal/web/owner/page"
)

// routeList collects the patterns of all routes.
type routeList []string

func (l *routeList) Handle(pattern string, _ http.Handler) { *l = append(*l, pattern) }

func (w *world) routePatterns() (patterns routeList) {
	w.Routes(&patterns)
	return patterns
}

var wildcard = regexp.MustCompile(`\{[^}]*\}`)

// The browser sends the owner's own cookie with a form on another site. Every route must reject such forms.
func TestCrossSite_NoRouteTakesForeignForms(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	patterns := w.routePatterns()
	if len(patterns) < 15 {
		t.Fatalf("only %d doors", len(patterns))
	}
	taken := 0
	for _, pattern := range patterns {
		path := wildcard.ReplaceAllString(pattern, "x")
		if i := strings.IndexByte(path, ' '); i >= 0 {
			path = path[i+1:]
		}
		for name, header := range map[string][2]string{
			"another site": {"Sec-Fetch-Site", "cross-site"}, "another host of ours": {"Sec-Fetch-Site", "same-site"},
			"an old browser": {"Origin", "https://evil.example"}, "a hidden origin": {"Origin", "null"},
			"plain http": {"Origin", "http://book.example"},
		} {
			p := ada.foreign(path, header)
			if p.Status == http.StatusMethodNotAllowed && !strings.Contains(p.Header.Get("Allow"), "POST") {
				continue
			}
			taken++
			if p.Status != http.StatusForbidden || !strings.Contains(p.Text(), "another site") {
				t.Errorf("%s from %s: %d %s", pattern, name, p.Status, p.Text())
			}
		}
	}
	if taken < 50 {
		t.Errorf("only %d forms were tried", taken)
	}
	ada.get("/settings/account").isOf("ada@acme.example") // none of them signed her out
}

func (b *window) foreign(path string, header [2]string) *response {
	r := httptest.NewRequest(http.MethodPost, "http://inside.example"+path, strings.NewReader("workspace=acme"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set(header[0], header[1])
	return b.send(r)
}

func TestCrossSite_OursPassAlsoBehindAProxy(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, header := range [][2]string{{"Sec-Fetch-Site", "same-origin"}, {"Origin", baseURL},
		{"User-Agent", "curl/8.5.0"}} {
		if p := ada.foreign("/settings/account/sessions", header); p.Status != http.StatusSeeOther {
			t.Errorf("%v: %d %s", header, p.Status, p.Text())
		}
	}
}

func TestForm_OnlyFormsOfOurs(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, kind := range []string{"", "application/json", "text/plain", "multipart/form-data; boundary=x",
		"application/x-www-form-urlencoded; ="} {
		r := httptest.NewRequest(http.MethodPost, "/settings/account", strings.NewReader("name=Mallory"))
		r.Header.Set("Content-Type", kind)
		ada.send(r).says(415)
	}
	ada.post("/settings/account", "name", strings.Repeat("x", page.MaxForm)).says(413)
	ada.get("/settings/account?name=Mallory").says(200)
	if p := ada.get("/settings/account"); strings.Contains(p.Body, "Mallory") {
		t.Error("the name was taken")
	}
}
