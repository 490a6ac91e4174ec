package browser

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"testing"
)

// bookingPaths holds the paths of a booking's attendee pages.
type bookingPaths struct{ page, cancel, reschedule string }

// post sends a form without a browser and returns the path that the response redirects to.
func (p *program) post(t *testing.T, path string, form url.Values) (next string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := client.PostForm(p.URL+path, form)
	must(t, err)
	defer r.Body.Close()
	if r.StatusCode != http.StatusSeeOther {
		t.Fatalf("POST %s: %s", path, r.Status)
	}
	return r.Header.Get("Location")
}

// text returns the body of the page at path.
func (p *program) text(t *testing.T, path string) string {
	t.Helper()
	r, err := http.Get(p.URL + path)
	must(t, err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	must(t, err)
	return string(body)
}

var (
	formToken   = regexp.MustCompile(`name="form" value="([^"]+)"`)
	attendeeURL = regexp.MustCompile(`href="https?://[^/]+(/b/(cancel|reschedule)/[^"]+)"`)
)

// bookByForm books slots by posting the page's form.
func (p *program) bookByForm(t *testing.T, path string, g guest, slots ...string) (all []bookingPaths) {
	t.Helper()
	token := formToken.FindStringSubmatch(p.text(t, path+"?slot="+slots[0]))
	if token == nil {
		t.Fatalf("no form at %s for %s", path, slots[0])
	}
	for _, slot := range slots {
		next := p.post(t, path, url.Values{"form": {token[1]}, "slot": {slot}, "tz": {"UTC"}, "name": {g.name},
			"email": {g.email}, "notes": {g.notes}})
		m := bookingPaths{page: next}
		for _, link := range attendeeURL.FindAllStringSubmatch(p.text(t, next), -1) {
			if link[2] == "cancel" {
				m.cancel = link[1]
			} else {
				m.reschedule = link[1]
			}
		}
		all = append(all, m)
	}
	return all
}
