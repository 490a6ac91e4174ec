package public

import (
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"slotd"
	"slotd/internal/availability/zone"
	"slotd/internal/workspace"
)

// asked is what an address or a form asks for. What cannot be read counts as not asked for: a page
// that can be used is better than one that finds fault with a link.
type asked struct {
	month month     // 0: none
	date  zone.Date // 0: none
	slot  time.Time // zero: none
	guest guest
}

// guest is what a guest types, or what a link fills in for them.
type guest struct{ Name, Email, Phone, Notes string }

func askedBy(r *http.Request) asked {
	a := asked{guest: guest{
		Name: typed(r, "name", workspace.MaxName), Email: typed(r, "email", workspace.MaxEmail),
		Phone: typed(r, "phone", workspace.MaxName), Notes: typed(r, "notes", workspace.MaxNotes),
	}}
	if m, ok := parseMonth(r.FormValue("month")); ok {
		a.month = m
	}
	if d, err := zone.ParseDate(r.FormValue("date")); err == nil {
		a.date, a.month = d, monthOf(d)
	}
	a.slot = parseSlot(r.FormValue("slot"))
	return a
}

// clip keeps to the months in which anything may be open: there are pages for no others.
func (a *asked) clip(first, last month) {
	if a.month == 0 || a.month >= first && a.month <= last {
		return
	}
	a.month, a.date = min(max(a.month, first), last), 0
}

// parseSlot knows that a plus in an address that nobody escaped has become a blank.
func parseSlot(s string) time.Time {
	t, wrong := slotd.ParseInstant(strings.ReplaceAll(s, " ", "+"))
	if wrong != "" {
		return time.Time{}
	}
	return t
}

// typed is a field of a form. It comes with two characters for each new line, and keeps one more
// character than is allowed, so that a text that is too long is refused and not cut.
func typed(r *http.Request, name string, most int) string {
	s := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(r.FormValue(name), "\ufffd"), "\r\n", "\n"))
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most+1])
	}
	return s
}

// address makes a page's links to itself, with what has to stay in them.
type address struct{ path, tail string }

// maxTail bounds what a link fills in: it stands in each of a page's links again, and there may be
// 1,440 of them. What does not fit is typed by the guest, or kept by the page's script.
const maxTail = 500

func newAddress(path string, v viewer, g guest) (a address) {
	a.path = path
	for _, f := range []field{{"name", g.Name}, {"email", g.Email}, {"phone", g.Phone}, {"notes", g.Notes}} {
		if more := "&" + f.Name + "=" + url.QueryEscape(f.Value); f.Value != "" && len(a.tail)+len(more) <= maxTail {
			a.tail += more
		}
	}
	if v.chosen {
		a.tail += "&tz=" + url.QueryEscape(v.local.ZoneName())
	}
	return a
}

// with is the page with one thing chosen. The value needs no escaping.
func (a address) with(name, value string) string { return a.path + "?" + name + "=" + value + a.tail }
