package feed

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar/ical"
)

// published is a file that answers conditional requests as RFC 9110 asks for.
type published struct {
	text     string
	etag     string
	modified time.Time
	asked    http.Header // of the last request
	sent     int         // times that the whole file was
}

func (p *published) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.asked = r.Header
	if p.etag != "" {
		w.Header().Set("ETag", p.etag)
	}
	count := &counter{ResponseWriter: w}
	http.ServeContent(count, r, "basic.ics", p.modified, strings.NewReader(p.text))
	if count.wrote {
		p.sent++
	}
}

type counter struct {
	http.ResponseWriter
	wrote bool
}

func (c *counter) Write(b []byte) (int, error) {
	c.wrote = true
	return c.ResponseWriter.Write(b)
}

var monday = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// A second change within the same second looks like none: what changed just now is read whole again.
func TestFeed_ThatChangedJustNowIsReadWhole(t *testing.T) {
	p := &published{text: ics, modified: time.Now()}
	f := feedAt(serve(t, p.ServeHTTP))
	first := reads(t, f, "")
	p.text = icsOf("20300109")
	if second := reads(t, f, first.Cursor); len(second.Items) != 1 ||
		!strings.Contains(second.Items[0].Text, "20300109") {
		t.Errorf("%+v", second)
	}
	p.text = icsOf("20300109")
	wantNothing(t, reads(t, f, reads(t, f, "").Cursor), reads(t, f, "").Cursor)
}

func TestFeed_IsReadOnceUntilItChanges(t *testing.T) {
	for name, p := range map[string]*published{
		"ETag":          {text: ics, etag: `"1"`},
		"weak ETag":     {text: ics, etag: `W/"1"`},
		"Last-Modified": {text: ics, modified: monday},
		"both":          {text: ics, etag: `"1"`, modified: monday},
	} {
		t.Run(name, func(t *testing.T) {
			f := feedAt(serve(t, p.ServeHTTP))
			first := reads(t, f, "")
			wantWhole(t, first)
			if p.asked.Get("Accept") != "text/calendar" || p.asked.Get("If-None-Match") != "" ||
				p.asked.Get("If-Modified-Since") != "" {
				t.Errorf("%v", p.asked)
			}
			wantNothing(t, reads(t, f, first.Cursor), first.Cursor)
			if p.sent != 1 {
				t.Errorf("the file was sent %d times", p.sent)
			}
			p.text, p.modified = icsOf("20300109"), monday.Add(time.Hour)
			p.etag = strings.ReplaceAll(p.etag, "1", "2")
			second := reads(t, f, first.Cursor)
			wantWhole(t, second)
			if !strings.Contains(second.Items[0].Text, "20300109") || second.Items[0].Tag == first.Items[0].Tag ||
				second.Cursor == first.Cursor {
				t.Errorf("%+v", second)
			}
		})
	}
}

func TestFeed_WithoutConditionsIsCompared(t *testing.T) {
	p := &published{text: ics}
	f := feedAt(serve(t, p.ServeHTTP))
	first := reads(t, f, "")
	wantNothing(t, reads(t, f, first.Cursor), first.Cursor)
	p.text = icsOf("20300109")
	wantWhole(t, reads(t, f, first.Cursor))
}

func TestFeed_TakesTheNewETagOfTheSameFile(t *testing.T) {
	p := &published{text: ics, etag: `"1"`}
	f := feedAt(serve(t, p.ServeHTTP))
	first := reads(t, f, "")
	p.etag = `"2"`
	second := reads(t, f, first.Cursor)
	wantNothing(t, second, second.Cursor)
	wantNothing(t, reads(t, f, second.Cursor), second.Cursor)
	if p.sent != 2 {
		t.Errorf("the file was sent %d times", p.sent)
	}
}

func TestFeed_StartsAnewWithAStrangeCursor(t *testing.T) {
	p := &published{text: ics, etag: `"1"`, modified: monday}
	address := serve(t, p.ServeHTTP)
	cursor := reads(t, feedAt(address), "").Cursor
	owner := feedAt(address)
	owner.reader.OwnerEmail = "ada@acme.example"
	for name, c := range map[string]struct {
		feed   *Feed
		cursor string
	}{
		"another address":    {feedAt(address + "x"), cursor},
		"another user":       {New(client(), address, "ada", hidden, ical.Reader{Zone: time.UTC}), cursor},
		"another owner":      {owner, cursor},
		"no JSON":            {feedAt(address), cursor[:len(cursor)-1]},
		"another JSON":       {feedAt(address), `["feed"]`},
		"without an address": {feedAt(address), `{"etag":"\"1\"","sha256":"x"}`},
	} {
		wantWhole(t, reads(t, c.feed, c.cursor))
		if p.asked.Get("If-None-Match") != "" || p.asked.Get("If-Modified-Since") != "" {
			t.Errorf("%s: %v", name, p.asked)
		}
	}
	if strings.Contains(cursor, hidden) {
		t.Errorf("the cursor shows the address: %s", cursor)
	}
}

func TestFeed_SendsNoConditionThatCannotBeSent(t *testing.T) {
	for _, etag := range []string{"\"\xff\"", "\"é\"", `"` + strings.Repeat("x", 600) + `"`, "\"a\tb\""} {
		p := &published{text: ics}
		f := feedAt(serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["ETag"] = []string{etag}
			p.ServeHTTP(w, r)
		}))
		first := reads(t, f, "")
		wantNothing(t, reads(t, f, first.Cursor), first.Cursor)
		if got := p.asked.Get("If-None-Match"); got != "" {
			t.Errorf("%q", got)
		}
	}
}

func TestFeed_SendsItsPassword(t *testing.T) {
	var user, password string
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ = r.BasicAuth()
		send(ics)(w, r)
	})
	var cursors []string
	inside := strings.Replace(address, "http://", "http://ada:"+hidden+"@", 1)
	for _, f := range []*Feed{New(client(), address, "ada", hidden, ical.Reader{Zone: time.UTC}), feedAt(inside)} {
		user, password = "", ""
		changes := reads(t, f, "")
		wantWhole(t, changes)
		cursors = append(cursors, changes.Cursor)
		if user != "ada" || password != hidden {
			t.Errorf("%q, %q", user, password)
		}
	}
	if cursors[0] != cursors[1] {
		t.Error("where the password stands makes two feeds of one")
	}
	reads(t, feedAt(address), "")
	if user != "" || password != "" {
		t.Errorf("%q, %q", user, password)
	}
}

func TestFeed_ReadsWebcalOverTLS(t *testing.T) {
	s := httptest.NewTLSServer(send(ics))
	t.Cleanup(s.Close)
	for _, scheme := range []string{"webcal", "WEBCAL", "webcals", "https"} {
		wantWhole(t, reads(t, feedAt(scheme+strings.TrimPrefix(s.URL, "https")+path), ""))
	}
}

func TestFeed_ReadsWhatIsOddButWhole(t *testing.T) {
	gzipped := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		_, _ = io.WriteString(packed, ics)
		packed.Close()
	}
	for name, answer := range map[string]http.HandlerFunc{
		"gzip":              gzipped,
		"byte order mark":   send("\ufeff" + ics),
		"Latin-1":           send(strings.Replace(ics, "Dentist", "Zahn\xe4rztin", 1)),
		"Latin-1 in a name": send(strings.Replace(ics, "UID:1", "UID:\xe4", 1)),
		"line feeds only":   send(strings.ReplaceAll(ics, "\r\n", "\n")),
		"labelled as HTML": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, ics)
		},
		"three redirects": redirects(3, send(ics)),
		"no end of line":  send(strings.TrimSpace(ics)),
		"labelled identity": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "identity")
			send(ics)(w, r)
		},
	} {
		t.Run(name, func(t *testing.T) { wantWhole(t, reads(t, feedAt(serve(t, answer)), "")) })
	}
}

// redirects sends the client round n times before it answers.
func redirects(n int, answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if n--; n < 0 {
			answer(w, r)
			return
		}
		http.Redirect(w, r, r.URL.String(), http.StatusFound)
	}
}
