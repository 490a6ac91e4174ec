package calendars

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// owner is a person with a browser, who agrees to everything.
type owner struct{ t *testing.T }

// link is where the owner is sent to.
func (d *deployment) link(t *testing.T, slug string) string {
	t.Helper()
	cmd := d.program("calendar", "connect", "--workspace", slug, "--name", "private")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("calendar connect: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// agree opens the link at the service, agrees, and returns the address that the service leads back to.
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

// opened is a page as the owner sees it.
type opened struct {
	status int
	text   string
}

var field = regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)">`)

// form is what the page's button would send.
func (p opened) form() url.Values {
	form := url.Values{}
	for _, found := range field.FindAllStringSubmatch(p.text, -1) {
		form.Set(found[1], html.UnescapeString(found[2]))
	}
	return form
}

func (o owner) open(address string) opened {
	o.t.Helper()
	return o.send(o.request("GET", address, ""))
}

// press sends a page's form, as a browser does from the given site.
func (o owner) press(s *server, form url.Values, site string) opened {
	o.t.Helper()
	r := o.request("POST", s.url+"/oauth/calendar", form.Encode())
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

func (o owner) send(r *http.Request) opened {
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
	return opened{answer.StatusCode, main}
}

// connect goes all the way.
func (o owner) connect(d *deployment, s *server, slug string) {
	o.t.Helper()
	page := o.open(o.agree(d.link(o.t, slug)).String())
	done := o.press(s, page.form(), "same-origin")
	if done.status != http.StatusOK || !strings.Contains(done.text, "Your calendar is connected") {
		o.t.Fatalf("not connected: %d %s: %s", done.status, done.text, s.log)
	}
}
