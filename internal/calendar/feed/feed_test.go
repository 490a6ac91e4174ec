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

// published is a file that answers conditional requests as RFC 9110 requires.
type published struct {
	text          string
	etag          string
	modified      time.Time
	now           time.Time   // the server's clock; zero: the real one
	lastHeader    http.Header // of the last request
	fullResponses int         // how often the whole file was sent
}

func (p *published) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.lastHeader = r.Header
	if p.etag != "" {
		w.Header().Set("ETag", p.etag)
	}
	if !p.now.IsZero() {
		w.Header().Set("Date", p.now.Format(http.TimeFormat))
	}
	count := &writeRecorder{ResponseWriter: w}
	http.ServeContent(count, r, "basic.ics", p.modified, strings.NewReader(p.text))
	if count.wrote {
		p.fullResponses++
	}
}

type writeRecorder struct {
	http.ResponseWriter
	wrote bool
}

func (c *writeRecorder) Write(b []byte) (int, error) {
	c.wrote = true
	return c.ResponseWriter.Write(b)
}

var monday = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// A second change within the same second is not visible, so a recently modified file is fully read again.
func TestFeed_ThatChangedJustNowIsReadWhole(t *testing.T) {
	p := &published{text: ics, modified: monday, now: monday.Add(59 * time.Second)}
	f := feedAt(serve(t, p.ServeHTTP))
	first := mustRead(t, f, "")
	p.text = icsOf("20300109")
	if second := mustRead(t, f, first.Cursor); len(second.Items) != 1 ||
		!strings.Contains(second.Items[0].Text, "20300109") {
		t.Errorf("%+v", second)
	}
	p.text = icsOf("20300109")
	wantNothing(t, mustRead(t, f, mustRead(t, f, "").Cursor), mustRead(t, f, "").Cursor)
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
			first := mustRead(t, f, "")
			wantWhole(t, first)
			if p.lastHeader.Get("Accept") != "text/calendar" || p.lastHeader.Get("If-None-Match") != "" ||
				p.lastHeader.Get("If-Modified-Since") != "" {
				t.Errorf("%v", p.lastHeader)
			}
			wantNothing(t, mustRead(t, f, first.Cursor), first.Cursor)
			if p.fullResponses != 1 {
				t.Errorf("the file was sent %d times", p.fullResponses)
			}
			p.text, p.modified = icsOf("20300109"), monday.Add(time.Hour)
			p.etag = strings.ReplaceAll(p.etag, "1", "2")
			second := mustRead(t, f, first.Cursor)
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
	first := mustRead(t, f, "")
	wantNothing(t, mustRead(t, f, first.Cursor), first.Cursor)
	p.text = icsOf("20300109")
	wantWhole(t, mustRead(t, f, first.Cursor))
}

func TestFeed_TakesTheNewETagOfTheSameFile(t *testing.T) {
	p := &published{text: ics, etag: `"1"`}
	f := feedAt(serve(t, p.ServeHTTP))
	first := mustRead(t, f, "")
	p.etag = `"2"`
	second := mustRead(t, f, first.Cursor)
	wantNothing(t, second, second.Cursor)
	wantNothing(t, mustRead(t, f, second.Cursor), second.Cursor)
	if p.fullResponses != 2 {
		t.Errorf("the file was sent %d times", p.fullResponses)
	}
}

func TestFeed_StartsAnewWithAStrangeCursor(t *testing.T) {
	p := &published{text: ics, etag: `"1"`, modified: monday}
	address := serve(t, p.ServeHTTP)
	cursor := mustRead(t, feedAt(address), "").Cursor
	owner := feedAt(address)
	owner.reader.OwnerEmail = "ada@acme.example"
	for name, c := range map[string]struct {
		feed   *Feed
		cursor string
	}{
		"another address":    {feedAt(address + "x"), cursor},
		"another user":       {New(client(), address, "ada", secret, ical.Reader{Zone: time.UTC}), cursor},
		"another owner":      {owner, cursor},
		"no JSON":            {feedAt(address), cursor[:len(cursor)-1]},
		"another JSON":       {feedAt(address), `["feed"]`},
		"without an address": {feedAt(address), `{"etag":"\"1\"","sha256":"x"}`},
	} {
		wantWhole(t, mustRead(t, c.feed, c.cursor))
		if p.lastHeader.Get("If-None-Match") != "" || p.lastHeader.Get("If-Modified-Since") != "" {
			t.Errorf("%s: %v", name, p.lastHeader)
		}
	}
	if strings.Contains(cursor, secret) {
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
		first := mustRead(t, f, "")
		wantNothing(t, mustRead(t, f, first.Cursor), first.Cursor)
		if got := p.lastHeader.Get("If-None-Match"); got != "" {
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
	inside := strings.Replace(address, "http://", "http://ada:"+secret+"@", 1)
	for _, f := range []*Feed{New(client(), address, "ada", secret, ical.Reader{Zone: time.UTC}), feedAt(inside)} {
		user, password = "", ""
		changes := mustRead(t, f, "")
		wantWhole(t, changes)
		cursors = append(cursors, changes.Cursor)
		if user != "ada" || password != secret {
			t.Errorf("%q, %q", user, password)
		}
	}
	if cursors[0] != cursors[1] {
		t.Error("where the password stands makes two feeds of one")
	}
	mustRead(t, feedAt(address), "")
	if user != "" || password != "" {
		t.Errorf("%q, %q", user, password)
	}
}

func TestFeed_ReadsWebcalOverTLS(t *testing.T) {
	s := httptest.NewTLSServer(send(ics))
	t.Cleanup(s.Close)
	for _, scheme := range []string{"webcal", "WEBCAL", "webcals", "https"} {
		wantWhole(t, mustRead(t, feedAt(scheme+strings.TrimPrefix(s.URL, "https")+path), ""))
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
		t.Run(name, func(t *testing.T) { wantWhole(t, mustRead(t, feedAt(serve(t, answer)), "")) })
	}
}

// redirects redirects the client n times before it answers.
func redirects(n int, answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if n--; n < 0 {
			answer(w, r)
			return
		}
		http.Redirect(w, r, r.URL.String(), http.StatusFound)
	}
}
