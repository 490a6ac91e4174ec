package public

import (
	"bytes"
	"encoding/base64"
	"html"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	netmail "net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"

	"slotd/internal/identity/links"
	"slotd/internal/mail"
)

var ourLink = regexp.MustCompile(regexp.QuoteMeta(baseURL) + `[^\s"'<>\\]*`)

// linksOf returns every link to the server in a mail, from all of its parts.
func linksOf(t *testing.T, raw []byte) (found []string) {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var read func(kind, encoding string, body io.Reader)
	read = func(kind, encoding string, body io.Reader) {
		switch encoding {
		case "quoted-printable":
			body = quotedprintable.NewReader(body)
		case "base64":
			body = base64.NewDecoder(base64.StdEncoding, body)
		}
		media, params, err := mime.ParseMediaType(kind)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(media, "multipart/") {
			text, _ := io.ReadAll(body)
			unfolded := strings.ReplaceAll(string(text), "\r\n ", "")
			found = append(found, ourLink.FindAllString(html.UnescapeString(unfolded), -1)...)
			return
		}
		parts := multipart.NewReader(body, params["boundary"])
		for part, err := parts.NextRawPart(); err == nil; part, err = parts.NextRawPart() {
			read(part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part)
		}
	}
	read(m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
	return found
}

// mailLinks returns all links in all mails that can be sent about the booking in its current state.
func (w *world) mailLinks(b object) (found []string) {
	w.T.Helper()
	p, err := w.Site.Cache.Workspace(background, "acme")
	w.Must(err)
	for _, what := range []mail.Kind{mail.Booked, mail.Rescheduled, mail.Canceled, mail.Reminder} {
		for _, to := range []mail.Recipient{mail.ToAttendee, mail.ToHost} {
			if what == mail.Reminder && to == mail.ToHost {
				continue
			}
			n := w.Booking.Notice(p, w.stored(b), what, to)
			n.From = netmail.Address{Address: "slotd@book.example"}
			n.At, n.OldStart, n.Minutes = w.Clock.Now(), w.Clock.Now(), 60
			message, err := mail.Compose(n, w.Clock.Now())
			w.Must(err)
			found = append(found, linksOf(w.T.(*testing.T), message.Data)...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Mail scanners and browsers open links long before a person does.
func TestOpening_EveryLinkOfMailsAndPagesChangesNothing(t *testing.T) {
	w := newSQLiteWorld(t)
	live, canceled := w.create("intro", at("02-02 09:00")), w.create("intro", at("02-02 09:30"))
	w.post(w.link(canceled, links.Cancel), nil).Is(http.StatusSeeOther)
	todo := append(w.mailLinks(live), w.mailLinks(canceled)...)
	if kinds := strings.Join(todo, " "); len(todo) < 8 || !strings.Contains(kinds, "/b/cancel/") ||
		!strings.Contains(kinds, "/b/reschedule/") || !strings.Contains(kinds, "/b/ics/") ||
		!strings.Contains(kinds, "/b/host-ics/") || !strings.Contains(kinds, "/acme/intro") {
		t.Fatalf("the mails hold %v", todo)
	}
	w.takesPayments()
	held, late, paid := w.hold("/acme/paid", at("02-03 09:00")), w.hold("/acme/paid", at("02-03 10:00")),
		w.hold("/acme/paid", at("02-03 11:00"))
	w.unpaid(late)
	w.pays(paid)
	todo = append(todo, w.mailLinks(paid)...)
	for _, b := range []object{held, late, paid} {
		todo = append(todo, w.link(b, links.Booking), w.link(b, links.Pay), w.link(b, links.Unpaid),
			w.link(b, links.Cancel))
	}
	todo = append(todo, w.link(live, links.Booking), "/embed"+w.link(live, links.Booking), "/", "/acme", "/embed/acme")
	before, seen := w.Dump(), map[string]bool{}
	if !strings.Contains(before, "\nbookings: ") || !strings.Contains(before, "\njobs: ") {
		t.Fatal("the dump leaves things out")
	}
	for len(todo) > 0 && len(seen) < 250 {
		target := strings.TrimPrefix(strings.TrimPrefix(todo[0], baseURL), "http://")
		target, _, _ = strings.Cut(target, "#")
		todo = todo[1:]
		if !strings.HasPrefix(target, "/") || seen[target] {
			continue
		}
		seen[target] = true
		got := w.get(target)
		for _, method := range []string{"HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"} {
			want := http.StatusMethodNotAllowed
			if method == "HEAD" {
				want = got.Status
			}
			if other := w.do(w.request(method, target, nil)); other.Status != want {
				t.Errorf("%s %s: %d, want %d", method, target, other.Status, want)
			} else if allow := other.Header.Get("Allow"); method != "HEAD" && !strings.HasPrefix(allow, "GET, HEAD") {
				t.Errorf("%s %s: Allow is %q", method, target, allow)
			}
		}
		if got.Status != http.StatusOK || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
			continue
		}
		for _, n := range got.Page().Find("a") {
			todo = append(todo, n.Attr("href"))
		}
		if now := w.Dump(); now != before {
			t.Fatalf("opening %s changed something:\n%s\n%s", target, before, now)
		}
	}
	if len(seen) < 60 || w.Dump() != before {
		t.Errorf("%d pages were opened", len(seen))
	}
}
