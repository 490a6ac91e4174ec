package worlds

import (
	"fmt"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
)

// Guest is somebody who books.
var Guest = slotd.Attendee{Name: "Grace Guest", Email: "grace@guest.example", TimeZone: "Asia/Tokyo",
	Phone: "+81 3 5550 0100"}

// Office returns a workspace that is open every day from nine to five in Paris, an hour ahead of UTC in winter.
func Office() *slotd.Workspace {
	return &slotd.Workspace{
		Slug: "acme", Name: "Acme", TimeZone: "Europe/Paris", Host: slotd.Host{Name: "Ada", Email: "ada@acme.example"},
		Schedules: map[string]slotd.Schedule{"default": {Weekly: EveryDay("09:00-17:00")}},
		EventTypes: []slotd.EventType{
			{Slug: "intro", Title: "Intro call", DurationMinutes: 30, Location: slotd.Location{Type: slotd.Video},
				Schedule: "default", BookingWindowDays: 30, RemindersMinutesBefore: []int{60}},
			{Slug: "visit", Title: "Visit", DurationMinutes: 60,
				Location: slotd.Location{Type: slotd.InPerson, Text: "1 Main Street"}, Schedule: "default",
				BufferBeforeMinutes: 15, BufferAfterMinutes: 30, SlotIntervalMinutes: 15, BookingWindowDays: 30,
				RemindersMinutesBefore: []int{1440, 60}},
		},
	}
}

// Price is what Lesson costs, in cents.
const Price = 5000

// Lesson is an event type that costs money.
func Lesson() slotd.EventType {
	return slotd.EventType{Slug: "lesson", Title: "Lesson", DurationMinutes: 30,
		Location: slotd.Location{Type: slotd.Video}, Schedule: "default", BookingWindowDays: 30,
		RemindersMinutesBefore: []int{60}, Price: &slotd.Price{AmountCents: Price, Currency: "eur"},
		RefundPolicy: &slotd.RefundPolicy{FullUntilHoursBefore: 24}}
}

// EventType returns a workspace's event type, so that a test can change it.
func EventType(of *slotd.Workspace, slug string) *slotd.EventType {
	for i := range of.EventTypes {
		if of.EventTypes[i].Slug == slug {
			return &of.EventTypes[i]
		}
	}
	panic("no event type " + slug)
}

// Other is the file of a workspace to which the links and tokens of others give no access.
const Other = `
workspace: {slug: other, name: Other, time_zone: UTC}
host: {name: Bo, email: bo@other.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"]}}}
event_types:
  - {slug: intro, title: Other call, duration_minutes: 30, location: {type: video}}
`

// EveryDay returns weekly hours with the same window on every day.
func EveryDay(window string) map[time.Weekday][]slots.Window {
	weekly := map[time.Weekday][]slots.Window{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		weekly[day] = []slots.Window{Window(window)}
	}
	return weekly
}

// Window returns opening hours such as "09:00-17:00".
func Window(text string) slots.Window {
	w, err := slots.ParseWindow(text)
	if err != nil {
		panic(err)
	}
	return w
}

// At returns an instant of the Monday in UTC: "09:30", or of a later day: "+1 09:30".
func At(text string) time.Time {
	day := 0
	if strings.HasPrefix(text, "+") {
		fmt.Sscanf(text, "+%d ", &day)
		_, text, _ = strings.Cut(text, " ")
	}
	clock, err := time.Parse("15:04", text)
	if err != nil {
		panic(err)
	}
	return time.Date(2027, 2, 1+day, clock.Hour(), clock.Minute(), 0, 0, time.UTC)
}

// Instant returns an instant of 2027 as the tools write it: Instant("02-01 15:30").
func Instant(text string) string {
	t, err := time.Parse("01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return slotd.Instant(time.Date(2027, t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC))
}
