package calendars

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"slotd/test/harness"
)

// owner is a person with a browser, who agrees to everything.
type owner struct{ t *testing.T }

// consentLink returns the address at which the owner gives consent.
func (d deployment) consentLink(t *testing.T, slug string) string {
	t.Helper()
	return d.Run(t, "calendar", "connect", "--workspace", slug, "--name", "private")
}

// agree opens the link at the service, consents, and returns the address that the service redirects to.
func (o owner) agree(link string) *url.URL {
	o.t.Helper()
	r, err := http.DefaultTransport.RoundTrip(o.request("GET", link, ""))
	if err != nil {
		o.t.Fatal(err)
	}
	defer r.Body.Close()
	back, err := r.Location()
	if err != nil {
		text, _ := io.ReadAll(r.Body)
		o.t.Fatalf("the service does not lead back: %d %s", r.StatusCode, text)
	}
	return back
}

// ownerPage is a page that the owner has opened.
type ownerPage struct {
	status int
	text   string
}

var field = regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)">`)

// form returns the hidden fields that the page's button would send.
func (p ownerPage) form() url.Values {
	form := url.Values{}
	for _, found := range field.FindAllStringSubmatch(p.text, -1) {
		form.Set(found[1], html.UnescapeString(found[2]))
	}
	return form
}

func (o owner) open(address string) ownerPage {
	o.t.Helper()
	return o.send(o.request("GET", address, ""))
}

// press sends the form as a browser does. site is the value of Sec-Fetch-Site.
func (o owner) press(s *harness.Server, form url.Values, site string) ownerPage {
	o.t.Helper()
	r := o.request("POST", s.URL+"/oauth/calendar", form.Encode())
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", site)
	return o.send(r)
}

func (o owner) request(method, address, body string) *http.Request {
	o.t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		o.t.Fatal(err)
	}
	return r
}

func (o owner) send(r *http.Request) ownerPage {
	o.t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		o.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		o.t.Fatal(err)
	}
	_, main, _ := strings.Cut(string(text), "<main")
	main, _, _ = strings.Cut(main, "</main>")
	return ownerPage{answer.StatusCode, main}
}

// connect connects the calendar: it consents, opens the page and presses its button.
func (o owner) connect(d deployment, s *harness.Server, slug string) {
	o.t.Helper()
	page := o.open(o.agree(d.consentLink(o.t, slug)).String())
	done := o.press(s, page.form(), "same-origin")
	if done.status != http.StatusOK || !strings.Contains(done.text, "Your calendar is connected") {
		o.t.Fatalf("not connected: %d %s: %s", done.status, done.text, s.Log)
	}
}
