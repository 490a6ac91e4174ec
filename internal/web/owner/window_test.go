package owner

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"slotd"

	"slotd/internal/web/webtest"
)

// window is a browser: it keeps cookies and sends forms as browsers do.
type window struct {
	w       *world
	pages   http.Handler
	cookies map[string]string
}

func (w *world) stranger() *window { return &window{w, w.pages, map[string]string{}} }

// owner returns the window of somebody who has just signed in by an invitation to the workspace.
func (w *world) owner(slug, email string) *window {
	w.T.Helper()
	t, err := w.Owners.Invite(background, w.id(slug), email, "", false, slotd.Operator)
	w.Must(err)
	b := w.stranger()
	if p := b.post(w.Owners.Path(t)); p.Status != http.StatusSeeOther {
		w.T.Fatalf("the invitation of %s: %d %s", email, p.Status, p.Text())
	}
	return b
}

func (w *world) ada() *window { w.T.Helper(); return w.owner("acme", "ada@acme.example") }
func (w *world) bo() *window  { w.T.Helper(); return w.owner("other", "bo@other.example") }

// response is the answer to a request.
type response struct{ webtest.Answer }

func (b *window) get(path string) *response {
	b.w.T.Helper()
	return b.send(httptest.NewRequest(http.MethodGet, path, nil))
}

// post sends a form with these names and values, and nothing else.
func (b *window) post(path string, fields ...string) *response {
	b.w.T.Helper()
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Add(fields[i], fields[i+1])
	}
	return b.postForm(path, values)
}

func (b *window) postForm(path string, values url.Values) *response {
	r := webtest.Post(path, values)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.send(r)
}

func (b *window) send(r *http.Request) *response {
	b.w.T.Helper()
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	answer := webtest.Serve(b.w.T, b.pages, r)
	for _, c := range (&http.Response{Header: answer.Header}).Cookies() {
		if b.cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return &response{answer}
}

// submit opens a page, fills in the first form that has all these fields, and sends it as a browser does: other fields
// keep their values. A value of "" leaves a checkbox or an optional field empty.
func (b *window) submit(path string, fields ...string) *response {
	b.w.T.Helper()
	p := b.get(path)
	if p.Status != http.StatusOK {
		b.w.T.Fatalf("%s: %d, to %q: %s", path, p.Status, p.Location(), p.Text())
	}
	return b.fill(p, path, fields...)
}

// fill is like submit, for a page that is already open.
func (b *window) fill(p *response, path string, fields ...string) *response {
	b.w.T.Helper()
	for _, f := range p.Page().Forms() {
		if !f.HasAll(fields) || f.Method != "post" {
			continue
		}
		values := f.Values
		for i := 0; i < len(fields); i += 2 {
			values.Del(fields[i])
		}
		for i := 0; i < len(fields); i += 2 {
			if fields[i+1] != "" || !f.Optional[fields[i]] {
				values.Add(fields[i], fields[i+1])
			}
		}
		if f.Action != "" {
			path = f.Action
		}
		return b.postForm(path, values)
	}
	b.w.T.Fatalf("%s has no form with %v: %s", path, fields, p.Body)
	return nil
}

// formWith returns the page's form with method POST that has the field.
func (p *response) formWith(field string) *webtest.Form {
	p.T.Helper()
	for _, f := range p.Page().Forms() {
		if f.Names[field] && f.Method == "post" {
			return f
		}
	}
	p.T.Fatalf("no form has %s: %s", field, p.Body)
	return nil
}

// typed returns the value of a field of the page, or "" if there is no such field.
func (p *response) typed(field string) string {
	p.T.Helper()
	for _, f := range p.Page().Forms() {
		if f.Names[field] {
			return f.Values.Get(field)
		}
	}
	return ""
}

// says fails unless the page has this status and contains all of these words.
func (p *response) says(status int, words ...string) *response {
	p.T.Helper()
	if p.Status != status {
		p.T.Fatalf("status %d, to %q, want %d: %s", p.Status, p.Location(), status, p.Text())
	}
	for _, want := range words {
		if !strings.Contains(p.Text(), want) {
			p.T.Errorf("the page does not say %q: %s", want, p.Text())
		}
	}
	return p
}

// leads fails unless the answer redirects to this address.
func (p *response) leads(to string) {
	p.T.Helper()
	if p.Status != http.StatusSeeOther || p.Location() != to {
		p.T.Fatalf("status %d, to %q, want %q: %s", p.Status, p.Location(), to, p.Text())
	}
}
