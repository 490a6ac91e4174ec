package mail

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

var hostile = []string{
	"x\r\nBcc: x@y.example",
	"x\nBcc: x@y.example\n\nbody",
	"x\rSubject: y",
	"x\u2028Bcc: y\u2029z\u0085w",
	"a, b; c: d\\n \\; \"e\" 'f' <g@h.example>, i@j.example",
	"\"><script>alert(1)</script><img src=x onerror=y>",
	"</title></style></bdi></td></table><a href=javascript:alert(1)>x</a><!--",
	"&lt;b&gt; &amp; {{.Cancel}} {{template \"x\"}}",
	"\r\n--=_alternative\r\nContent-Type: text/html\r\n\r\n<b>x</b>\r\n--=_alternative--",
	"--=_mixed--",
	"\u202egnp.exe \u2066\u2067\u2068\u2069\u202a\u202b\u202c\u202d \u200f\u200e",
	"עדה פארק مرحبا",
	"=?utf-8?q?=0D=0ABcc:_x@y.example?= =?utf-8?b?DQpCY2M6IHg=?=",
	strings.Repeat("W", 200), strings.Repeat("🙂", 200), strings.Repeat("é ", 100),
	"👩‍👩‍👧‍👦 🏳️‍🌈",
	"x\x00\x01\x07\x1b[31m\x7f",
	"\xff\xfe broken \xc3",
	"END:VEVENT\r\nEND:VCALENDAR\nATTENDEE:mailto:x@y.example",
	"^n^'^^ \\",
	".\r\n.\r\nMAIL FROM:<x@y.example>",
	"javascript:alert(1)", "https://evil.example/\"onclick=x", "red;background:url(https://evil.example)",
}

// withForeignText puts s into every foreign field except the addresses.
func withForeignText(n *Notice, s string) *Notice {
	for _, field := range []*string{&n.Booking.EventTitle, &n.Booking.Location, &n.Booking.Notes,
		&n.Booking.Attendee.Name, &n.Booking.Attendee.TimeZone, &n.Booking.Attendee.Phone,
		&n.Reason, &n.From.Name, &n.Workspace.Name, &n.Workspace.TimeZone, &n.Workspace.Accent,
		&n.Workspace.Host.Name} {
		*field = s
	}
	return n
}

// shape is the structure of a mail without its texts.
type shape struct {
	Headers, Parts, Elements, Properties []string
}

func shapeOf(t testing.TB, r *parsedMail) (s shape) {
	t.Helper()
	for name := range r.header {
		s.Headers = append(s.Headers, name)
	}
	slices.Sort(s.Headers)
	for _, p := range r.parts {
		s.Parts = append(s.Parts, p.contentType)
	}
	s.Elements = elements(t, r.html)
	for l := range strings.SplitSeq(unfolded(r.invite), "\r\n") {
		name, _, _ := strings.Cut(l, ":")
		name, _, _ = strings.Cut(name, ";")
		s.Properties = append(s.Properties, name)
	}
	return s
}

// elements lists tags with the names of their attributes. It leaves out line breaks: notes may have any number.
func elements(t testing.TB, html string) (all []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v in %s", err, html)
		}
		switch token := token.(type) {
		case xml.StartElement:
			tag := token.Name.Local
			for _, a := range token.Attr {
				tag += " " + a.Name.Local
				if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "https://") &&
					!strings.HasPrefix(a.Value, "mailto:") {
					t.Errorf("a link to %q", a.Value)
				}
			}
			if token.Name.Local != "br" {
				all = append(all, tag)
			}
		case xml.Comment:
			all = append(all, "<!-- -->")
		}
	}
}

func TestForeignText_ChangesNothingButWords(t *testing.T) {
	eachMail(t, func(t *testing.T, n *Notice) {
		_, r := compose(t, n)
		want := shapeOf(t, r)
		if len(want.Elements) < 30 || len(want.Headers) < 10 || len(want.Parts) < 2 {
			t.Fatalf("the harmless mail was misread: %+v", want)
		}
		for _, s := range hostile {
			m, r := compose(t, withForeignText(sample(n.Kind, n.To), s))
			if diff := cmp.Diff(want, shapeOf(t, r)); diff != "" {
				t.Errorf("%q (-harmless +hostile):\n%s", s, diff)
			}
			expectWellFormed(t, m, r)
		}
	})
}

// expectWellFormed checks what holds for every mail.
func expectWellFormed(t testing.TB, m Message, r *parsedMail) {
	t.Helper()
	head, _, _ := strings.Cut(string(m.Data), "\r\n\r\n")
	for l := range strings.SplitSeq(head, "\r\n") {
		long := len(l) > 78 && !strings.HasPrefix(l, "Message-ID: ") // a single word cannot be folded
		if long || strings.ContainsFunc(l, func(c rune) bool { return c < ' ' || c > '~' }) ||
			strings.TrimSpace(l) == "" {
			t.Errorf("header line %q", l)
		}
	}
	if bare := strings.ReplaceAll(string(m.Data), "\r\n", ""); strings.ContainsAny(bare, "\r\n") {
		t.Error("a line ends in CR or LF alone")
	}
	for _, text := range []string{r.decoded(t, "Subject"), r.decoded(t, "From"), r.decoded(t, "To"),
		r.decoded(t, "Reply-To"), r.plain, r.html} {
		if at := strings.IndexFunc(text, isControlOrBidi); at >= 0 {
			t.Errorf("%q is left in %q", text[at:], text)
		}
	}
	if strings.Contains(r.decoded(t, "Subject"), "\n") {
		t.Error("the subject has two lines")
	}
}

func isControlOrBidi(r rune) bool {
	return r != '\n' && unicode.IsControl(r) ||
		strings.ContainsRune("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029", r)
}

func TestBidi_EveryForeignValueStandsAlone(t *testing.T) {
	eachMail(t, func(t *testing.T, n *Notice) {
		const marker = "FOREIGN"
		_, r := compose(t, withForeignText(n, marker))
		_, body, _ := strings.Cut(r.html, "</head>")
		for from, rest := "", body; ; {
			before, after, found := strings.Cut(rest, marker)
			if !found {
				break
			}
			from += before
			inLink := strings.LastIndex(from, "<a href=\"") > strings.LastIndex(from, ">")
			if open := strings.LastIndex(from, "<bdi>"); !inLink &&
				(open < 0 || strings.Contains(from[open:], "</bdi>")) {
				t.Errorf("bare after %q", from[max(0, len(from)-80):])
			}
			from, rest = from+marker, after
		}
		if !strings.Contains(r.html, `<title dir="auto">`) {
			t.Error("the title has no direction of its own")
		}
	})
}

func TestNotes_KeepTheirLinesAndCannotPassForRows(t *testing.T) {
	n := sample(Booked, ToHost)
	n.Booking.Notes = "\n one\r\n\r\ntwo\rCancel:      https://evil.example\n"
	_, r := compose(t, n)
	if want := "Notes:        one\n             \n             two\n             Cancel:      " +
		"https://evil.example\nBooking ID:"; !strings.Contains(r.plain, want) {
		t.Errorf("%s", r.plain)
	}
	if !strings.Contains(r.html, "<bdi> one<br><br>two<br>Cancel:      https://evil.example</bdi>") {
		t.Error(r.html)
	}
}

func TestJoinLink_IsALinkOnlyOnTheWeb(t *testing.T) {
	for _, bad := range []string{"javascript:alert(1)", "data:text/html,x", "https://a.example/\r\nBcc: x",
		"https://a.example/\"x", "https://ä.example/", "//a.example"} {
		n := sample(Booked, ToAttendee)
		n.Booking.JoinURL, n.CancelURL, n.CalendarURL = bad, bad, bad
		m, r := compose(t, n)
		expectWellFormed(t, m, r)
		elements(t, r.html) // checks every link
		if strings.Contains(r.html, "Join the call") || strings.Contains(r.html, "Cancel booking") ||
			strings.Contains(unfolded(r.invite), "\r\nURL:") {
			t.Errorf("%q is a link", bad)
		}
	}
}

// An address may contain the characters that start the header fields of a mailto link.
func TestMailto_AnAddressAddsNoHeader(t *testing.T) {
	n := sample(Booked, ToHost)
	n.Booking.Attendee.Email = "x?cc=spy%40evil.example&subject=hi@guest.example"
	_, r := compose(t, n)
	if !strings.Contains(r.html, `href="mailto:x%3Fcc%3Dspy%2540evil.example%26subject%3Dhi@guest.example"`) {
		t.Error(r.html)
	}
}

func FuzzCompose(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, s, s, s, s, 30)
	}
	f.Fuzz(func(t *testing.T, title, name, workspace, text, url string, minutes int) {
		for _, to := range []Recipient{ToAttendee, ToHost} {
			n := sample(Canceled, to)
			n.Booking.EventTitle, n.Booking.Attendee.Name, n.Workspace.Host.Name, n.Workspace.Name = title, name, name,
				workspace
			n.Booking.Location, n.Booking.Notes, n.Reason, n.Booking.JoinURL, n.BookingURL = text, text, text, url, url
			n.Minutes = minutes
			harmless := sample(Canceled, to)
			harmless.Booking.JoinURL, harmless.BookingURL = url, url
			if len(cleanLines(text)) == 0 {
				harmless.Booking.Location, harmless.Booking.Notes, harmless.Reason = "", "", ""
			}
			_, want := compose(t, harmless)
			m, got := compose(t, n)
			if diff := cmp.Diff(shapeOf(t, want), shapeOf(t, got)); diff != "" {
				t.Error(diff)
			}
			expectWellFormed(t, m, got)
		}
	})
}
