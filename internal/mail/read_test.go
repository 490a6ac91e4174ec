package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
)

var (
	now   = time.Date(2026, 11, 10, 9, 0, 5, 0, time.UTC)
	start = time.Date(2026, 11, 17, 13, 30, 0, 0, time.UTC)
)

// sample returns a harmless notice with every field filled.
func sample(what Kind, to Recipient) *Notice {
	n := harmless(what, to)
	if what == PaidTooLate {
		return paid(n, 5000)
	}
	return n
}

// paid adds a price to the booking of n, of which refunded cents are refunded.
func paid(n *Notice, refunded int64) *Notice {
	n.Booking.Price, n.Booking.RefundedCents = &slotd.Price{AmountCents: 5000, Currency: "usd"}, refunded
	return n
}

func harmless(what Kind, to Recipient) *Notice {
	return &Notice{
		Kind: what,
		To:   to,
		Booking: &slotd.Booking{
			ID:         uuid.MustParse("0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e"),
			State:      slotd.Confirmed,
			StartsAt:   start,
			EndsAt:     start.Add(30 * time.Minute),
			EventTitle: "Intro call",
			Location:   "Video call",
			JoinURL:    "https://meet.example/ada?room=7&x=1",
			Sequence:   2,
			Attendee: slotd.Attendee{Name: "Grace Hopper", Email: "grace@example.com", TimeZone: "Europe/Berlin",
				Phone: "+1 555 0199"},
			Notes:     "About the compiler.\nMy number: +1 555 0100",
			CreatedAt: now.Add(-time.Hour),
		},
		OldStart: start.Add(-26 * time.Hour),
		At:       now.Add(-time.Minute),
		Reason:   "I am ill.\nSorry!",
		Minutes:  1440,
		Workspace: Workspace{Name: "Acme Inc", TimeZone: "America/New_York",
			Host: slotd.Host{Name: "Ada Park", Email: "ada@acme.example"}, Accent: "#7048e8"},
		From:          netmail.Address{Address: "slotd@mail.acme.example"},
		CancelURL:     "https://book.acme.example/b/cancel/SECRETc",
		RescheduleURL: "https://book.acme.example/b/reschedule/SECRETr",
		CalendarURL:   "https://book.acme.example/b/calendar/FILE.ics",
		BookingURL:    "https://book.acme.example/acme/intro",
	}
}

// eachMail runs the test for every kind of mail and every recipient.
func eachMail(t *testing.T, test func(t *testing.T, n *Notice)) {
	for _, to := range []Recipient{ToAttendee, ToHost} {
		for _, what := range []Kind{Booked, Rescheduled, Canceled, Reminder, PaidTooLate} {
			if to == ToHost && (what == Reminder || what == PaidTooLate) {
				continue
			}
			t.Run(string(what)+"-"+string(to), func(t *testing.T) { test(t, sample(what, to)) })
		}
	}
}

// parsedMail is a mail as a mail client sees it.
type parsedMail struct {
	header      netmail.Header
	parts       []part // leaves, in order
	plain, html string
	invite      []byte
	attached    []byte
}

type part struct {
	contentType string
	body        []byte
}

func compose(t testing.TB, n *Notice) (Message, *parsedMail) {
	t.Helper()
	m, err := Compose(n, now)
	if err != nil {
		t.Fatal(err)
	}
	return m, parse(t, m.Data)
}

func parse(t testing.TB, data []byte) *parsedMail {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r := &parsedMail{header: m.Header}
	r.walk(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
	for _, p := range r.parts {
		switch kind, _, _ := mime.ParseMediaType(p.contentType); kind {
		case "text/plain":
			r.plain = strings.ReplaceAll(string(p.body), "\r\n", "\n")
		case "text/html":
			r.html = strings.ReplaceAll(string(p.body), "\r\n", "\n")
		case "text/calendar":
			r.invite = p.body
		case "application/ics":
			r.attached = p.body
		}
	}
	return r
}

func (r *parsedMail) walk(t testing.TB, contentType, encoding string, body io.Reader) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatalf("%q: %v", contentType, err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		r.parts = append(r.parts, part{contentType, decode(t, encoding, body)})
		return
	}
	for mr := multipart.NewReader(body, params["boundary"]); ; {
		p, err := mr.NextRawPart()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		r.walk(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p)
	}
}

// decode also checks the length of the encoded lines.
func decode(t testing.TB, encoding string, body io.Reader) []byte {
	t.Helper()
	raw, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.SplitSeq(string(raw), "\r\n") {
		if len(l) > 76 || strings.ContainsAny(l, "\r\n") {
			t.Fatalf("encoded line %q", l)
		}
	}
	var out []byte
	switch encoding {
	case "quoted-printable":
		out, err = io.ReadAll(quotedprintable.NewReader(bytes.NewReader(raw)))
	case "base64":
		out, err = base64.StdEncoding.Strict().DecodeString(strings.ReplaceAll(string(raw), "\r\n", ""))
	default:
		t.Fatalf("encoding %q", encoding)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// decoded returns a header as a person sees it.
func (r *parsedMail) decoded(t testing.TB, name string) string {
	t.Helper()
	s, err := new(mime.WordDecoder).DecodeHeader(r.header.Get(name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (r *parsedMail) address(t testing.TB, name string) netmail.Address {
	t.Helper()
	a, err := netmail.ParseAddress(r.header.Get(name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return *a
}
