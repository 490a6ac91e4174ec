package owner

import (
	"strings"
	"testing"

	"slotd/internal/web/owner/eventtypes"
	"slotd/internal/web/owner/page"
)

func TestSlugOf_TakesAccentsAway(t *testing.T) {
	for name, want := range map[string]string{
		"Überblick": "uberblick", "Acme & Söhne": "acme-sohne", "Straße": "strasse", "Łódź": "lodz", "Ærø": "aero",
		"Crème brûlée": "creme-brulee", "Ñandú": "nandu",
		"Žižkov": "zizkov", "u\u0308ber": "uber", "Œuvre": "oeuvre", "İstanbul ışık": "istanbul-isik", "日本": "",
		"--a--": "a", "Þór": "thor",
		strings.Repeat("ß", 40): strings.Repeat("s", 64),
	} {
		if got := page.Slugify(name); got != want {
			t.Errorf("%s became %q, want %q", name, got, want)
		}
	}
}

// Problems use the words of the labels, not those of the workspace file.
func TestWords_OfWhatIsWrong(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, c := range []struct{ path, field, typed, says string }{
		{eventtypes.EventTypePath("intro"), "notice", "two hours",
			"Minimum notice must be minutes, or words such as 2 hours or 1 day"},
		{eventtypes.EventTypePath("intro"), "reminders", "1 day, soon <b>",
			"Reminders: “soon <b>” must be minutes, or words such as 2 hours"},
		{eventtypes.EventTypePath("intro"), "reminders", ",60, 1 hour",
			"Reminders: “1 hour” must differ from the other reminders"},
		{eventtypes.EventTypePath("intro"), "reminders", "1,2,3,4,5,6,7,8,9,10,11",
			"Reminders must hold at most 10"},
		{eventtypes.EventTypePath("paid"), "currency", "XX",
			"Currency must be a code of three letters, such as USD or EUR"},
		{"/settings/look", "logo", "http://acme.example/logo.svg",
			"Logo must be a full URL such as https://acme.example/logo.svg"},
		{"/settings/calendars/new/ics", "url", "nonsense",
			"Address must be a full URL such as https://acme.example/calendar.ics"},
		{"/setup/workspace", "slug", "settings",
			"Your booking link is reserved; choose another one"},
	} {
		fields := []string{c.field, c.typed}
		switch c.path {
		case "/settings/calendars/new/ics":
			fields = append(fields, "name", "Club")
		case "/setup/workspace":
			fields = append(fields, "name", "Acme", "zone", "UTC")
		}
		p := ada.submit(c.path, fields...).says(422, c.says)
		if strings.Contains(p.Text(), "slug") || strings.Contains(p.Body, "<b>") ||
			strings.Contains(p.Text(), "40320") {
			t.Errorf("%s %s: %s", c.field, c.typed, p.Text())
		}
	}
	ada.submit(eventtypes.EventTypePath("paid"), "currency", "Eur").leads(eventtypes.EventTypePath("paid") + "?saved=1")
	ada.get("/settings/mcp").says(200, "Your workspace ID for agents: acme")
}
