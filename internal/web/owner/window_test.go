package owner

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"slotd/internal/identity"
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
	w.t.Helper()
	t, err := w.Owners.Invite(background, w.id(slug), email, "", false, identity.Operator)
	w.must(err)
	b := w.stranger()
	if p := b.post(w.Owners.Path(t)); p.status != http.StatusSeeOther {
		w.t.Fatalf("the invitation of %s: %d %s", email, p.status, p.text())
	}
	return b
}

func (w *world) ada() *window { w.t.Helper(); return w.owner("acme", "ada@acme.example") }
func (w *world) bo() *window  { w.t.Helper(); return w.owner("other", "bo@other.example") }

// response is the answer to a request.
type response struct {
	t        testing.TB
	status   int
	header   http.Header
	location string // the target of a redirect
	body     string
}

func (b *window) get(path string) *response {
	b.w.t.Helper()
	return b.send(httptest.NewRequest(http.MethodGet, path, nil))
}

// post sends a form with these names and values, and nothing else.
func (b *window) post(path string, fields ...string) *response {
	b.w.t.Helper()
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Add(fields[i], fields[i+1])
	}
	return b.postForm(path, values)
}

func (b *window) postForm(path string, values url.Values) *response {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.send(r)
}

func (b *window) send(r *http.Request) *response {
	b.w.t.Helper()
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	out := httptest.NewRecorder()
	b.pages.ServeHTTP(out, r)
	for _, c := range out.Result().Cookies() {
		if b.cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return &response{b.w.t, out.Code, out.Header(), out.Header().Get("Location"), out.Body.String()}
}

// submit opens a page, fills in the first form that has all these fields, and sends it as a browser does: other fields
// keep their values. A value of "" leaves a checkbox or an optional field empty.
func (b *window) submit(path string, fields ...string) *response {
	b.w.t.Helper()
	p := b.get(path)
	if p.status != http.StatusOK {
		b.w.t.Fatalf("%s: %d, to %q: %s", path, p.status, p.location, p.text())
	}
	return b.fill(p, path, fields...)
}

// fill is like submit, for a page that is already open.
func (b *window) fill(p *response, path string, fields ...string) *response {
	b.w.t.Helper()
	for _, f := range p.forms() {
		if !f.hasAll(fields) || f.method != "post" {
			continue
		}
		values := f.values
		for i := 0; i < len(fields); i += 2 {
			values.Del(fields[i])
		}
		for i := 0; i < len(fields); i += 2 {
			if fields[i+1] != "" || !f.optional[fields[i]] {
				values.Add(fields[i], fields[i+1])
			}
		}
		if f.action != "" {
			path = f.action
		}
		return b.postForm(path, values)
	}
	b.w.t.Fatalf("%s has no form with %v: %s", path, fields, p.body)
	return nil
}

// pageForm is a form of a page, with the values that a browser would send.
type pageForm struct {
	action, method string
	names          map[string]bool
	optional       map[string]bool // checkboxes and radio buttons, which are not sent when they are off
	values         url.Values
}

func (f *pageForm) hasAll(fields []string) bool {
	for i := 0; i < len(fields); i += 2 {
		if !f.names[fields[i]] {
			return false
		}
	}
	return true
}

func (p *response) forms() (forms []*pageForm) {
	p.t.Helper()
	root, err := html.Parse(strings.NewReader(p.body))
	if err != nil {
		p.t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Data == "form" {
			f := &pageForm{action: attr(n, "action"), method: attr(n, "method"), names: map[string]bool{},
				optional: map[string]bool{}, values: url.Values{}}
			for field := range n.Descendants() {
				f.take(field)
			}
			forms = append(forms, f)
		}
	}
	return forms
}

func (f *pageForm) take(n *html.Node) {
	name := attr(n, "name")
	if n.Type != html.ElementNode || name == "" {
		return
	}
	kind := attr(n, "type")
	switch {
	case n.Data == "button":
		f.names[name], f.optional[name] = true, true
		return
	case n.Data == "input" && (kind == "checkbox" || kind == "radio"):
		f.names[name], f.optional[name] = true, true
		if has(n, "checked") {
			f.values.Add(name, orElse(attr(n, "value"), "on"))
		}
	case n.Data == "input":
		f.names[name] = true
		f.values.Add(name, attr(n, "value"))
	case n.Data == "textarea":
		f.names[name] = true
		f.values.Add(name, strings.TrimPrefix(textOf(n), "\n"))
	case n.Data == "select":
		f.names[name] = true
		f.values.Add(name, chosen(n))
	}
}

func chosen(n *html.Node) (value string) {
	first := true
	for o := range n.Descendants() {
		if o.Data == "option" && (first || has(o, "selected")) {
			value, first = attr(o, "value"), false
		}
	}
	return value
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var out strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			out.WriteString(d.Data)
		}
	}
	return out.String()
}

// text returns the visible text of the page.
func (p *response) text() string {
	root, err := html.Parse(strings.NewReader(p.body))
	if err != nil {
		p.t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Data == "main" {
			root = n
			break
		}
	}
	return strings.Join(strings.Fields(textOf(root)), " ")
}

// says fails unless the page has this status and contains all of these words.
func (p *response) says(status int, words ...string) *response {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("status %d, to %q, want %d: %s", p.status, p.location, status, p.text())
	}
	for _, want := range words {
		if !strings.Contains(p.text(), want) {
			p.t.Errorf("the page does not say %q: %s", want, p.text())
		}
	}
	return p
}

// leads fails unless the answer redirects to this address.
func (p *response) leads(to string) {
	p.t.Helper()
	if p.status != http.StatusSeeOther || p.location != to {
		p.t.Fatalf("status %d, to %q, want %q: %s", p.status, p.location, to, p.text())
	}
}
