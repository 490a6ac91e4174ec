package file

import (
	"fmt"
	"slices"

	"slotd"
)

const (
	defaultSchedule   = "default"
	defaultWindowDays = 60
)

var defaultReminders = []int{1440, 60}

var eventTypeFields = []string{
	"slug", "title", "description", "duration_minutes", "location", "schedule", "price", "refund_policy",
	"buffer_before_minutes", "buffer_after_minutes", "minimum_notice_minutes", "booking_window_days",
	"slot_interval_minutes", "max_per_day", "reminders_minutes_before", "hidden",
}

func (r *reader) eventType(n *node, path string) slotd.EventType {
	f := r.object(n, path, eventTypeFields...).require("slug", "title", "duration_minutes", "location")
	e := slotd.EventType{
		Slug:              f.text("slug"),
		Title:             f.text("title"),
		Description:       f.text("description"),
		Location:          f.location(),
		Schedule:          defaultSchedule,
		Price:             f.price(),
		RefundPolicy:      f.refundPolicy(),
		BookingWindowDays: defaultWindowDays,
		Hidden:            f.flag("hidden"),
	}
	if f.parts["schedule"] != nil {
		e.Schedule = f.text("schedule")
	}
	f.numbers(&e)
	e.RemindersMinutesBefore = f.reminders()
	return e
}

func (f fields) numbers(e *slotd.EventType) {
	f.number("duration_minutes", &e.DurationMinutes)
	f.number("buffer_before_minutes", &e.BufferBeforeMinutes)
	f.number("buffer_after_minutes", &e.BufferAfterMinutes)
	f.number("minimum_notice_minutes", &e.MinimumNoticeMinutes)
	f.number("booking_window_days", &e.BookingWindowDays)
	f.positive("slot_interval_minutes", &e.SlotIntervalMinutes, "a slot after each duration")
	f.positive("max_per_day", &e.MaxPerDay, "no limit")
}

func (f fields) location() slotd.Location {
	if f.parts["location"] == nil {
		return slotd.Location{}
	}
	l := f.object("location", "type", "url", "text", "ask").require("type")
	return slotd.Location{
		Type: slotd.LocationType(l.text("type")),
		URL:  l.text("url"),
		Text: l.text("text"),
		Ask:  l.flag("ask"),
	}
}

func (f fields) price() *slotd.Price {
	if f.parts["price"] == nil {
		return nil
	}
	p := f.object("price", "amount_cents", "currency").require("amount_cents", "currency")
	var amount int
	p.number("amount_cents", &amount)
	return &slotd.Price{AmountCents: int64(amount), Currency: p.text("currency")}
}

func (f fields) refundPolicy() *slotd.RefundPolicy {
	if f.parts["refund_policy"] == nil {
		return nil
	}
	var policy slotd.RefundPolicy
	p := f.object("refund_policy", "full_until_hours_before").require("full_until_hours_before")
	p.number("full_until_hours_before", &policy.FullUntilHoursBefore)
	return &policy
}

// reminders returns the default reminders if the field is omitted, and none if the list is empty.
func (f fields) reminders() []int {
	items, given := f.list("reminders_minutes_before", "[1440, 60]")
	if !given {
		return slices.Clone(defaultReminders)
	}
	minutes := make([]int, len(items))
	for i, n := range items {
		minutes[i] = f.r.integer(n, fmt.Sprintf("%s[%d]", f.at("reminders_minutes_before"), i))
	}
	return minutes
}
