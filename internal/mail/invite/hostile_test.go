package invite

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// hostileEvents generates events that are as nasty as possible, and the same ones every time.
type hostileEvents struct {
	*rand.Rand
	fragments []string // of the texts
}

func newHostile(seed uint64) *hostileEvents {
	return &hostileEvents{Rand: rand.New(rand.NewPCG(seed, seed))}
}

var fragments = []string{
	"Ada", "Park", " ", "  ", ",", ";", ":", `"`, `'`, "^", "^^", "^n", "^'", `^"`, "%", "=", "&",
	"<script>alert(1)</script>",
	"END:VEVENT", "BEGIN:VALARM", "ATTENDEE:mailto:eve@evil.example", ";CN=", `":mailto:eve@evil.example`,
	"X-EVIL;ENCODING=QUOTED-PRINTABLE:=", "BASE64",
	"\u200f", "\u202e", "\u2066", "\u2028", "\u2029", "\ufeff", "\u00a0", "\u200b", "\ufffd", "\uffff", "é", "e\u0301",
	"שלום", "日本語", "🦊", "👩‍👩‍👧‍👦", "\U0010ffff",
}

// backslashes are what one of the readers gets wrong, so every other event has none: those must be read correctly.
var backslashes = []string{`\`, `\\`, `\n`, `\N`, `\,`, `\;`, `\:`, "%2C", "%3A", "%5Cn"}

// forbidden are texts that only callers pass that violate the contract. They must do no harm either.
var forbidden = []string{"\r", "\r\n", "\r\nEND:VEVENT\r\n", "\n ", "\x00", "\x1b", "\x7f", "\u0085", "\x0b", "\x0c",
	"\x1c", "\x1e"}

func (h *hostileEvents) pick(from []string) string { return from[h.IntN(len(from))] }

// line returns a name or a title: 1 to 200 characters, not blank.
func (h *hostileEvents) line() string { return h.text(200, h.fragments) }

// note returns a text that may also contain tabs and newlines, or be empty.
func (h *hostileEvents) note() string {
	switch n := h.IntN(40); {
	case n < 5:
		return ""
	case n == 5:
		return h.text(5000, slices.Concat(h.fragments, []string{"\t", "\n", "\n\n "}))
	default:
		return h.text(100, slices.Concat(h.fragments, []string{"\t", "\n"}))
	}
}

func (h *hostileEvents) text(maxRunes int, from []string) string {
	if h.IntN(10) == 0 {
		from = slices.Concat(forbidden, from)
	}
	var s strings.Builder
	for n := 1 + h.IntN(maxRunes); n > 0; n-- {
		s.WriteString(h.pick(from))
	}
	runes := []rune(s.String())
	if len(runes) > maxRunes {
		runes = runes[:maxRunes]
	}
	if strings.TrimSpace(clean(string(runes))) == "" {
		return "blank"
	}
	return string(runes)
}

func (h *hostileEvents) person() Person {
	const atext = "abcXYZ019!#$%&'*+-/=?^_`{|}~"
	local := make([]byte, 1+h.IntN(64))
	for i := range local {
		local[i] = atext[h.IntN(len(atext))]
	}
	return Person{Name: h.line(), Email: string(local) +
		h.pick([]string{"@acme.example", "@localhost", "@a-b.c.example"})}
}

func (h *hostileEvents) event() *Event {
	if h.fragments = fragments; h.IntN(2) == 0 {
		h.fragments = slices.Concat(backslashes, fragments)
	}
	start := time.Unix(946684800+h.Int64N(3187296000), 0) // 2000 to 2100
	e := &Event{
		Method:      []Method{Request, Cancel, Publish}[h.IntN(3)],
		UID:         UID(uuid.UUID{byte(h.Uint32()), byte(h.Uint32()), 15: byte(h.Uint32())}),
		Sequence:    h.IntN(1000),
		Stamp:       start.Add(-time.Duration(h.IntN(1e6)) * time.Second),
		Created:     start.Add(-1e6 * time.Second),
		Start:       start.In(time.FixedZone("", h.IntN(28*3600)-14*3600)),
		End:         start.Add(time.Duration(1+h.IntN(1440)) * time.Minute),
		Summary:     h.line(),
		Location:    h.note(),
		Description: h.note(),
		URL: h.pick([]string{"", "https://meet.example/ada",
			"https://meet.example/a;b,c?d=%20&e='f'#" + strings.Repeat("g", h.IntN(100))}),
		Organizer: h.person(),
	}
	for range 1 + h.IntN(2) {
		e.Attendees = append(e.Attendees, h.person())
	}
	return e
}
