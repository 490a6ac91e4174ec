package owner

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// endpoint gives the same answer to every request.
type endpoint struct {
	status int
	body   string
	asked  []string
	header []http.Header
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.asked, e.header = append(e.asked, string(body)), append(e.header, r.Header)
	w.WriteHeader(e.status)
	io.WriteString(w, e.body)
}

func TestTry_ShowsWhatAnAgentGets(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit("/settings/mcp", "event_type", "intro").says(200,
		"It works: 5 tools, list_public_event_types", "It works: 80 open times in the next seven days", "HTTP 200",
		`"method": "tools/list"`, `"slot_count": 80`)
	ada.submit("/settings/mcp/try", "event_type", "paid").says(200, "It works: 40 open times", `"slug": "paid"`)
}

func TestTry_SendsNoTokenAndNoCookie(t *testing.T) {
	w := lite(t)
	e := &endpoint{status: 200, body: "{}"}
	w.Endpoint = e
	w.ada().submit("/settings/mcp/try", "event_type", "intro").says(200, "has no result")
	if len(e.asked) != 2 {
		t.Fatalf("%q", e.asked)
	}
	for _, h := range e.header {
		if len(h) != 1 || h.Get("Content-Type") != "application/json" {
			t.Errorf("%v", h)
		}
	}
}

func TestTry_SaysWhatIsNotRight(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, c := range []struct {
		status int
		body   string
		says   []string
	}{
		{502, "<h1>Bad gateway</h1>", []string{"Failed: the answer isn't valid JSON.", "HTTP 502",
			"<h1>Bad gateway</h1>"}},
		{429, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Too many requests."}}`,
			[]string{"Failed: Too many requests.", "HTTP 429"}},
		{200, `{"result":{"tools":[]}}`, []string{"lists no tools", "another event type"}},
		{200, `{"result":{"isError":true,"content":[{"text":"{\"error\":{\"code\":\"calendar_unavailable\",\"message\":\"Try later.\"}}"}]}}`, []string{"Failed: calendar_unavailable. Try later."}},
		{200, `{"result":{"isError":true,"content":[]}}`, []string{"the tool returned an error"}},
		{200, `[]`, []string{"isn't valid JSON"}},
		{200, ``, []string{"isn't valid JSON"}},
		{200, `"<script>alert(1)</script>"`, []string{"<script>alert(1)</script>"}},
	} {
		w.Endpoint = &endpoint{status: c.status, body: c.body}
		if p := ada.submit("/settings/mcp/try", "event_type", "intro").says(200, c.says...); strings.Contains(p.Body,
			"<script>alert") || strings.Contains(p.Text(), "It works") {
			t.Errorf("%s: %s", c.body, p.Text())
		}
	}
}

func TestTry_BoundsWhatItShows(t *testing.T) {
	w := lite(t)
	w.Endpoint = &endpoint{status: 200, body: `"` + strings.Repeat("ä", 1<<20) + `"`}
	p := w.ada().submit("/settings/mcp/try", "event_type", "intro").says(200, "and more")
	if len(p.Body) > 60<<10 {
		t.Errorf("%d bytes", len(p.Body))
	}
}

func TestTry_AsksOnlyOfWhatIsOffered(t *testing.T) {
	w := lite(t)
	w.Apply(strings.Replace(acme, "location: {type: video}, price", "hidden: true, location: {type: video}, price", 1))
	e := &endpoint{status: 200, body: "{}"}
	w.Endpoint = e
	ada := w.ada()
	for _, slug := range []string{"", "paid", "nothing", "../intro", `"},{"`, strings.Repeat("x", 1<<16)} {
		ada.post("/settings/mcp/try", "workspace", "acme", "event_type", slug).says(422,
			"Choose one of the event types")
	}
	if len(e.asked) != 0 {
		t.Errorf("%q", e.asked)
	}
	w.Apply(`{"workspace":{"slug":"acme","name":"Acme","time_zone":"UTC"},"host":{"name":"A","email":"a@b.example"},"schedules":{"default":{"weekly":{}}},"event_types":[]}`)
	ada.submit("/settings/mcp/try", "workspace", "acme").says(200)
	if len(e.asked) != 1 || !strings.Contains(e.asked[0], "tools/list") {
		t.Errorf("without event types: %q", e.asked)
	}
}
