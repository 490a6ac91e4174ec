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

// selection is what a URL or a form selects. Values that cannot be parsed are ignored: a usable page is better than
// one that complains about a link.
type selection struct {
	month month     // 0 if none
	date  zone.Date // 0 if none
	slot  time.Time // zero if none
	guest guest
}

// guest holds the fields that a guest types or a link prefills.
type guest struct{ Name, Email, Phone, Notes string }

// readSelection reads the selection from the query or the form.
func readSelection(r *http.Request) selection {
	sel := selection{guest: guest{
		Name: formField(r, "name", workspace.MaxName), Email: formField(r, "email", workspace.MaxEmail),
		Phone: formField(r, "phone", workspace.MaxName), Notes: formField(r, "notes", workspace.MaxNotes),
	}}
	if m, ok := parseMonth(r.FormValue("month")); ok {
		sel.month = m
	}
	if d, err := zone.ParseDate(r.FormValue("date")); err == nil {
		sel.date, sel.month = d, monthOf(d)
	}
	sel.slot = parseSlot(r.FormValue("slot"))
	return sel
}

// clip limits the month to those that can have open times. Other months have no page.
func (s *selection) clip(first, last month) {
	if s.month == 0 || s.month >= first && s.month <= last {
		return
	}
	s.month, s.date = min(max(s.month, first), last), 0
}

// parseSlot parses an instant and returns the zero time if it cannot. An unescaped plus in a URL arrives as a space, so
// it is turned back.
func parseSlot(s string) time.Time {
	t, problem := slotd.ParseInstant(strings.ReplaceAll(s, " ", "+"))
	if problem != "" {
		return time.Time{}
	}
	return t
}

// formField returns a form field, trimmed. Browsers send two characters for each new line; one is kept. A text that is
// too long is cut to one character more than allowed, so that validation rejects it instead of accepting a cut text.
func formField(r *http.Request, name string, limit int) string {
	s := strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(r.FormValue(name), "\ufffd"), "\r\n", "\n"))
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit+1])
	}
	return s
}

// pageURL builds a page's links to itself. params are the query parameters that every link keeps; each starts with "&".
type pageURL struct{ path, params string }

// maxParams limits the length of prefilled values in links: they are repeated in every link of a page, and a page can
// have 1,440 links. The guest types what does not fit, or the page's script keeps it.
const maxParams = 500

func newPageURL(path string, v viewer, g guest) (u pageURL) {
	u.path = path
	for _, f := range []field{{"name", g.Name}, {"email", g.Email}, {"phone", g.Phone}, {"notes", g.Notes}} {
		param := "&" + f.Name + "=" + url.QueryEscape(f.Value)
		if f.Value != "" && len(u.params)+len(param) <= maxParams {
			u.params += param
		}
	}
	if v.zoneInURL {
		u.params += "&tz=" + url.QueryEscape(v.local.ZoneName())
	}
	return u
}

// with returns the URL with one more query parameter. The value must need no escaping.
func (u pageURL) with(name, value string) string { return u.path + "?" + name + "=" + value + u.params }
