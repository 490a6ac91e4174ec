package feed

import (
	"bufio"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/lib/safehttp"
)

// secret is part of every path, query and password, and must not be in any error.
const secret = "s3cret"

const path = "/" + secret + "/basic.ics?key=" + secret

func icsOf(day string) string {
	return strings.ReplaceAll("BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nDTSTART:"+day+
		"T100000Z\nDTEND:"+day+
		"T110000Z\nEND:VEVENT\nEND:VCALENDAR\n", "\n", "\r\n")
}

var ics = icsOf("20300108")

// TestMain makes the process trust the certificate of httptest's servers, which all use the same one.
func TestMain(m *testing.M) {
	s := httptest.NewTLSServer(nil)
	dir, err := os.MkdirTemp("", "slotd-feed-")
	if err != nil {
		panic(err)
	}
	roots := filepath.Join(dir, "roots.pem")
	if err := os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}),
		0o600); err != nil {
		panic(err)
	}
	s.Close()
	os.Setenv("SSL_CERT_FILE", roots)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func client() *safehttp.Client {
	return safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")})
}

func feedAt(address string) *Feed {
	return New(client(), address, "", "", ical.Reader{Zone: time.UTC})
}

func serve(t *testing.T, answer http.HandlerFunc) (address string) {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL + path
}

// serveRaw answers with exactly these bytes and closes the connection.
func serveRaw(t *testing.T, answer string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = http.ReadRequest(bufio.NewReader(conn))
			_, _ = io.WriteString(conn, answer)
			conn.Close()
		}
	}()
	return "http://" + l.Addr().String() + path
}

func send(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
		_, _ = io.WriteString(w, text)
	}
}

func mustRead(t *testing.T, f *Feed, cursor string) calendar.Changes {
	t.Helper()
	changes, err := f.Changes(t.Context(), cursor, nil)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

func wantWhole(t *testing.T, c calendar.Changes) {
	t.Helper()
	if !c.Complete || len(c.Items) != 1 || c.Items[0].ID != "feed" || !strings.Contains(c.Items[0].Text, "DTSTART") ||
		c.Cursor == "" || c.Items[0].Tag == "" {
		t.Errorf("%+v", c)
	}
	if !utf8.ValidString(c.Items[0].Text) {
		t.Errorf("PostgreSQL does not take %q", c.Items[0].Text)
	}
}

func wantNothing(t *testing.T, c calendar.Changes, cursor string) {
	t.Helper()
	if c.Complete || len(c.Items) != 0 || len(c.Gone) != 0 || c.Cursor != cursor {
		t.Errorf("%+v", c)
	}
}

// wantError checks for an error of the kind that reveals nothing private, and for a result that cannot be mistaken
// for an empty calendar.
func wantError(t *testing.T, f *Feed, cursor string, kind calendar.Kind, want string) *calendar.Error {
	t.Helper()
	changes, err := f.Changes(t.Context(), cursor, nil)
	var e *calendar.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v, %+v", err, changes)
	}
	wantNothing(t, changes, "")
	if !strings.HasSuffix(e.Message, ".") || strings.Contains(e.Message, "%!") || e.Advice == calendar.NoAdvice {
		t.Errorf("not a whole sentence, or without advice: %+v", e)
	}
	if e.Kind != kind || !strings.Contains(e.Message, want) {
		t.Errorf("kind %d: %s", e.Kind, e.Message)
	}
	for _, private := range []string{secret, "basic.ics", "Dentist"} {
		if strings.Contains(e.Message, private) {
			t.Errorf("it shows %s: %s", private, e.Message)
		}
	}
	return e
}
