package file

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/workspace"
)

// pieces are texts that YAML readers and writers often get wrong.
var pieces = []string{
	"a", "Zoë", "7", " ", "  ", ":", ": ", " #", "#", "'", `"`, `\`, `\n`, "-", "- ", "? ", "|", ">", "&a", "*a",
	"!!str", "%", "@", "`", ",", "[", "]", "{", "}",
	"no", "true", "null", "~", "123", "1.0", "0x1f", "1e3", "2026-01-01", "12:30:45", "<<", "=", ".inf", "---", "...",
	"\u00a0", "\u2028", "\u2029", "\ufeff",
	"\ufffd", "\ufffe", "\U0010ffff", "\u200f", "\U000e0001", "e\u0301", "😀", "👩‍💻", "日本", "{{.}}", "→", "$x",
}

var anyName = rapid.Custom(func(t *rapid.T) string {
	s := rapid.OneOf(rapid.StringN(1, 20, -1), mix(pieces), rapid.SampledFrom(pieces),
		rapid.SampledFrom([]string{strings.Repeat("\U000e0001", 200), strings.Repeat("\u65e5", 60)})).Draw(t, "name")
	if workspace.CheckName(s) != nil {
		return "plain"
	}
	return s
})

var anyText = rapid.Custom(func(t *rapid.T) string {
	s := rapid.OneOf(mix(append(pieces, "\n", "\n", "\n\n", "\t", "line\n", "indented\n  more\n")),
		rapid.StringN(0, 40, -1)).Draw(t, "text")
	if workspace.CheckText(s, 5000) != nil {
		return "plain\ntext"
	}
	return s
})

func mix(from []string) *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.SampledFrom(from), 1, 12),
		func(s []string) string { return strings.Join(s, "") })
}

var anySlug = rapid.OneOf(rapid.StringMatching(`[a-z0-9]([a-z0-9-]{0,9}[a-z0-9])?`),
	rapid.SampledFrom([]string{"no", "null", "1e3", "123", "0x10", "2026-01-01", "y"}))

var anyZone = rapid.SampledFrom([]string{"UTC", "America/New_York", "Asia/Kolkata", "Etc/GMT+5", "Europe/Berlin"})

var anyWindows = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) slots.Window {
	from := rapid.IntRange(0, 1439).Draw(t, "from")
	return slots.Window{From: from, Until: rapid.IntRange(from+1, 1440).Draw(t, "until")}
}), 0, 3)

var anySchedule = rapid.Custom(func(t *rapid.T) slotd.Schedule {
	s := slotd.Schedule{
		TimeZone: rapid.OneOf(rapid.Just(""), anyZone).Draw(t, "zone"),
		Weekly:   map[time.Weekday][]slots.Window{},
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		if w := anyWindows.Draw(t, "weekly"); len(w) > 0 {
			s.Weekly[day] = w
		}
	}
	first, last := int32(zone.NewDate(2000, 1, 1)), int32(zone.NewDate(2100, 12, 31))
	date := rapid.Map(rapid.Int32Range(first, last), func(n int32) zone.Date { return zone.Date(n) })
	s.Overrides = rapid.MapOfN(date, anyWindows, 0, 3).Draw(t, "overrides")
	return s
})

var anyLocation = rapid.Custom(func(t *rapid.T) slotd.Location {
	text := anyText.Draw(t, "where")
	if strings.TrimSpace(text) == "" {
		text = "here"
	}
	return rapid.SampledFrom([]slotd.Location{
		{Type: slotd.Video}, {Type: slotd.Video, URL: "https://meet.example/a?b=c&d=%20#e,{f}"},
		{Type: slotd.Phone, Ask: true},
		{Type: slotd.Phone, Text: text}, {Type: slotd.InPerson, Text: text}, {Type: slotd.Custom, Text: text},
	}).Draw(t, "location")
})

func anyEventType(t *rapid.T, i int, schedule string) slotd.EventType {
	number := func(name string, low, high int) int {
		return rapid.OneOf(rapid.Just(low), rapid.IntRange(low, high), rapid.Just(high)).Draw(t, name)
	}
	e := slotd.EventType{
		Slug: fmt.Sprintf("%.50s-%d", anySlug.Draw(t, "slug"), i), Title: anyName.Draw(t, "title"),
		Description:     anyText.Draw(t, "description"),
		DurationMinutes: number("duration", 1, 1440), Location: anyLocation.Draw(t, "location"), Schedule: schedule,
		BufferBeforeMinutes: number("before", 0, 1440), BufferAfterMinutes: number("after", 0, 1440),
		MinimumNoticeMinutes: number("notice", 0, 525600),
		BookingWindowDays:    rapid.OneOf(rapid.Just(60), rapid.IntRange(1, 730)).Draw(t, "window"),
		SlotIntervalMinutes:  number("interval", 0, 1440),
		MaxPerDay:            number("max", 0, 1000), Hidden: rapid.Bool().Draw(t, "hidden"),
		RemindersMinutesBefore: rapid.OneOf(rapid.Just([]int{1440, 60}),
			rapid.SliceOfNDistinct(rapid.IntRange(1, 40320), 0, 10, rapid.ID[int])).Draw(t, "reminders"),
	}
	if rapid.Bool().Draw(t, "paid") {
		e.Price = &slotd.Price{AmountCents: int64(number("cents", 50, 99_999_999)),
			Currency: rapid.SampledFrom([]string{"usd", "eur", "jpy", "nok"}).Draw(t, "currency")}
		if rapid.Bool().Draw(t, "refund") {
			e.RefundPolicy = &slotd.RefundPolicy{FullUntilHoursBefore: number("hours", 0, 8760)}
		}
	}
	return e
}

// anyWorkspace generates valid workspaces in the form in which Read returns them.
var anyWorkspace = rapid.Custom(func(t *rapid.T) slotd.Workspace {
	w := slotd.Workspace{
		Slug: "w-" + anySlug.Draw(t, "slug"), Name: anyName.Draw(t, "name"), TimeZone: anyZone.Draw(t, "zone"),
		Host: slotd.Host{Name: anyName.Draw(t, "host"),
			Email: rapid.SampledFrom([]string{"a@a.example", "#x'y&z@a.example", "1e3@localhost", "{a}@b.co", "-@b.co",
				"!a%b*c@b.co"}).Draw(t, "email")},
		Look: slotd.Look{
			Accent: rapid.SampledFrom([]string{"", "#0b7285", "#ABCDEF"}).Draw(t, "accent"),
			Logo:   rapid.SampledFrom([]string{"", "https://a.example/l.svg?a=[1],{b}"}).Draw(t, "logo"),
		},
		Schedules: rapid.MapOfN(anyName, anySchedule, 0, 3).Draw(t, "schedules"),
	}
	if rapid.Bool().Draw(t, "embed") {
		w.Embed.AllowedSites = []string{"https://a.example", "http://[::1]:3000"}
	}
	names := make([]string, 0, len(w.Schedules))
	for name := range w.Schedules {
		names = append(names, name)
	}
	if len(names) > 0 {
		for i := range rapid.IntRange(0, 4).Draw(t, "types") {
			w.EventTypes = append(w.EventTypes, anyEventType(t, i, names[0]))
		}
	}
	return w
})
