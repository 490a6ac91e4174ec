package public

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const endpointURL = baseURL + "/api/mcp"

// linkedData returns a page's JSON-LD.
func linkedData(t *testing.T, page *node) (data object) {
	t.Helper()
	for _, script := range page.Find("script") {
		if script.Attr("type") == "application/ld+json" {
			if err := json.Unmarshal([]byte(script.Content()), &data); err != nil {
				t.Fatalf("%v in %s", err, script.Content())
			}
		}
	}
	return data
}

// endpointIn returns the URL of the action called Model Context Protocol.
func endpointIn(action any) string {
	actions, several := action.([]any)
	if !several {
		actions = []any{action}
	}
	for _, a := range actions {
		if o, ok := a.(object); ok && o["name"] == "Model Context Protocol" {
			return o["target"].(object)["urlTemplate"].(string)
		}
	}
	return ""
}

func TestLinkedData_LeadsToTheEndpoint(t *testing.T) {
	w := newSQLiteWorld(t)
	workspace := linkedData(t, w.get("/acme").OK())
	if workspace["name"] != "Acme Inc" || workspace["url"] != baseURL+"/acme" ||
		endpointIn(workspace["potentialAction"]) != endpointURL {
		t.Error(workspace)
	}
	if offers := workspace["makesOffer"].([]any); len(offers) != 5 { // all but the hidden event type
		t.Errorf("%d offers", len(offers))
	}
	event := linkedData(t, w.get("/acme/intro").OK())
	if event["name"] != "Intro call" || event["description"] != `Thirty <minutes> & a "half".` ||
		event["url"] != baseURL+"/acme/intro" || endpointIn(event["potentialAction"]) != endpointURL {
		t.Error(event)
	}
	paid := linkedData(t, w.get("/acme/paid").OK())["offers"].(object)
	if paid["price"] != "50.00" || paid["priceCurrency"] != "USD" {
		t.Error(paid)
	}
	if data := linkedData(t, w.get("/embed/acme/intro").OK()); data["url"] != baseURL+"/acme/intro" {
		t.Errorf("a frame speaks of itself: %v", data)
	}
}

// The owner's texts cannot break out of the script or the JSON.
func TestLinkedData_HoldsAnyText(t *testing.T) {
	w := newSQLiteWorld(t)
	for about, text := range awkward {
		quoted, err := json.Marshal(text)
		w.Must(err)
		w.Apply(strings.NewReplacer("title: Intro call", "title: "+string(quoted), `"Thirty <minutes> & a \"half\"."`,
			string(quoted)).Replace(acme))
		data := linkedData(t, w.get("/acme/intro").OK())
		if data["name"] != text || data["description"] != text {
			t.Errorf("%s: %v", about, data)
		}
	}
}

func TestLLMs_NamesTheEndpoint(t *testing.T) {
	w := newSQLiteWorld(t)
	a := w.get("/llms.txt").Is(http.StatusOK)
	if a.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		!strings.Contains(a.Body, "- Endpoint: "+endpointURL+" ") || strings.Contains(a.Body, "%!") {
		t.Errorf("%v\n%s", a.Header, a.Body)
	}
	for _, tool := range []string{"list_public_event_types", "get_availability", "create_booking", "reschedule_booking",
		"cancel_booking"} {
		if !strings.Contains(a.Body, tool) {
			t.Errorf("no %s", tool)
		}
	}
}

// The link that llms.txt describes for people opens a prefilled form.
func TestLLMs_LinkForAPersonIsFilledIn(t *testing.T) {
	w := newSQLiteWorld(t)
	fields := w.get("/acme/intro?slot=" + w.listed("intro")[0] +
		"&name=Grace%20Okafor&email=grace@example.com").OK().First("#book").Fields()
	if fields.Get("name") != "Grace Okafor" || fields.Get("email") != "grace@example.com" ||
		fields.Get("slot") != w.listed("intro")[0] {
		t.Error(fields)
	}
}

func TestPreview_OfALink(t *testing.T) {
	w := newSQLiteWorld(t)
	page := w.get("/acme/intro?month=2027-03").OK()
	got := map[string]string{}
	for _, meta := range page.Find("meta") {
		got[meta.Attr("property")+meta.Attr("name")] = meta.Attr("content")
	}
	for name, want := range map[string]string{
		"og:type": "website", "og:title": "Intro call · Acme Inc", "og:description": `Thirty <minutes> & a "half".`,
		"og:url":       baseURL + "/acme/intro",
		"og:site_name": "Acme Inc", "og:image": "https://acme.example/logo.svg",
		"description": `Thirty <minutes> & a "half".`, "robots": "",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	for _, link := range page.Find("link") {
		if link.Attr("rel") == "canonical" && link.Attr("href") != baseURL+"/acme/intro" {
			t.Error(link.Attrs)
		}
	}
	private := w.get(w.book("/acme/intro", at("02-02 14:30"))).OK()
	for _, meta := range private.Find("meta") {
		if strings.HasPrefix(meta.Attr("property"), "og:") || meta.Attr("name") == "robots" &&
			meta.Attr("content") != "noindex, nofollow" {
			t.Errorf("a booking's page tells %v", meta.Attrs)
		}
	}
}

// A real server drops the body of a response to HEAD.
func TestHead_AnswersLikeGet(t *testing.T) {
	w := newSQLiteWorld(t)
	confirmation := w.book("/acme/intro", at("02-02 14:30"))
	file := strings.TrimPrefix(linkTo(w.get(confirmation).OK(), ".ics file"), baseURL)
	server := httptest.NewServer(w.pages)
	t.Cleanup(server.Close)
	for _, path := range []string{"/", "/acme", "/acme/intro", "/acme/intro?slot=" + at("02-02 15:30"),
		"/embed/acme/intro", "/nobody", "/acme/nothing", "/llms.txt", "/robots.txt", "/favicon.ico", "/embed.js", confirmation, file} {
		get, body := fetch(w, server, http.MethodGet, path)
		head, nothing := fetch(w, server, http.MethodHead, path)
		if get.StatusCode != head.StatusCode || nothing != "" || body == "" {
			t.Errorf("%s: %d and %d, %d bytes and %d", path, get.StatusCode, head.StatusCode, len(body), len(nothing))
		}
		for name := range get.Header {
			if name != "Date" && get.Header.Get(name) != head.Header.Get(name) {
				t.Errorf("%s: %s is %q for GET, %q for HEAD", path, name, get.Header.Get(name), head.Header.Get(name))
			}
		}
	}
}

func fetch(w *world, server *httptest.Server, method, path string) (*http.Response, string) {
	w.T.Helper()
	r, err := http.NewRequest(method, server.URL+path, nil)
	w.Must(err)
	response, err := server.Client().Do(r)
	w.Must(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	w.Must(err)
	return response, string(body)
}

func TestSlash_AtTheEndLeadsToThePageWithout(t *testing.T) {
	w := newSQLiteWorld(t)
	for path, want := range map[string]string{
		"/acme/": "/acme", "/acme/intro/": "/acme/intro",
		"/acme/intro/?date=2027-02-03&name=A%26B&tz=Asia/Tokyo": "/acme/intro?date=2027-02-03&name=A%26B&tz=Asia/Tokyo",
		"/embed/acme/": "/embed/acme", "/embed/acme/intro/?x": "/embed/acme/intro?x", "/llms.txt/": "/llms.txt",
	} {
		a := w.get(path).Is(http.StatusPermanentRedirect)
		if got := a.Header.Get("Location"); got != want {
			t.Errorf("%s leads to %s, want %s", path, got, want)
		}
		w.get(a.Header.Get("Location")).Is(http.StatusOK)
	}
	for _, path := range []string{"/%2Fevil.example/", "/%5Cevil.example/", "/%2F%2Fevil.example%2F/"} {
		if a := w.get(path); strings.HasPrefix(a.Header.Get("Location"), "//") ||
			strings.HasPrefix(a.Header.Get("Location"), `/\`) {
			t.Errorf("%s leads off the site to %s", path, a.Header.Get("Location"))
		}
	}
}

func TestUnknown_HasThePagesFace(t *testing.T) {
	w := newSQLiteWorld(t)
	for path, title := range map[string]string{
		"/nobody": "Page not found", "/a/b/c/d": "Page not found", "/UPPER": "Page not found",
		"/.git/config":  "Page not found",
		"/acme/nothing": "This can't be booked", "/acme/secret": "This can't be booked",
		"/nobody/intro": "Page not found", "/embed/nobody": "Page not found",
		"/static/x/nothing.js": "Page not found", "/static/x/accent-zzzzzz.css": "Page not found",
		"/b/booking/x": "Booking not found", "/b/cancel/x": "Booking not found",
		"/b/reschedule/x": "Booking not found",
	} {
		a := w.get(path).Is(http.StatusNotFound)
		page := a.Page()
		if page.First("h1").Words() != title || page.First("title").Words() != title || !page.Has("footer") ||
			a.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %q, %v", path, page.First("h1").Words(), a.Header)
		}
		if known := strings.HasPrefix(path, "/acme/"); known != (page.Has("a.name") &&
			page.First("a.name").Words() == "Acme Inc") {
			t.Errorf("%s: the workspace's face is there or not, and should be the other", path)
		}
	}
}

func TestMethod_WrongOnesGetTheAllowedOnes(t *testing.T) {
	w := newSQLiteWorld(t)
	confirmation := w.book("/acme/intro", at("02-02 14:30"))
	page := w.get(confirmation).OK()
	before := w.Counts()
	for path, allowed := range map[string]string{
		"/acme": "GET, HEAD", "/": "GET, HEAD", "/llms.txt": "GET, HEAD", confirmation: "GET, HEAD",
		linkTo(page, ".ics file"): "GET, HEAD",
		"/acme/intro":             "GET, HEAD, POST", "/embed/acme/intro": "GET, HEAD, POST",
		linkTo(page, "Cancel booking"): "GET, HEAD, POST", linkTo(page, "Reschedule"): "GET, HEAD, POST",
	} {
		for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"} {
			if strings.Contains(allowed, method) {
				continue
			}
			a := w.do(w.request(method, path, strings.NewReader("x"))).Is(http.StatusMethodNotAllowed)
			if a.Header.Get("Allow") != allowed || a.Page().First("h1").Words() != "This page can't do that" {
				t.Errorf("%s %s: Allow %q", method, path, a.Header.Get("Allow"))
			}
		}
	}
	if w.Counts() != before {
		t.Error("something was written")
	}
}
