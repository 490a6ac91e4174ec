package file

import (
	"slices"
	"strconv"

	"slotd"
)

func (o *output) eventTypes(types []slotd.EventType) {
	live := slices.DeleteFunc(slices.Clone(types), func(e slotd.EventType) bool { return e.Retired })
	if len(live) == 0 {
		o.line("event_types: []")
		return
	}
	o.line("event_types:")
	for i := range live {
		o.eventType(&live[i])
	}
}

func (o *output) eventType(e *slotd.EventType) {
	o.line("  - slug: %s", scalar(e.Slug))
	o.line("    title: %s", scalar(e.Title))
	if e.Description != "" {
		o.line("    description: %s", block(e.Description, "      "))
	}
	o.line("    duration_minutes: %d", e.DurationMinutes)
	o.line("    location: %s", location(e.Location))
	o.line("    schedule: %s", scalar(e.Schedule))
	o.money(e)
	o.limits(e)
	if !slices.Equal(e.RemindersMinutesBefore, defaultReminders) {
		o.line("    reminders_minutes_before: [%s]", joined(e.RemindersMinutesBefore, strconv.Itoa))
	}
	if e.Hidden {
		o.line("    hidden: true")
	}
}

func location(l slotd.Location) string {
	if l.Ask {
		return "{type: " + scalar(string(l.Type)) + ", ask: true}"
	}
	return flow("type", string(l.Type), "url", l.URL, "text", l.Text)
}

func (o *output) money(e *slotd.EventType) {
	if e.Price != nil {
		o.line("    price: {amount_cents: %d, currency: %s}", e.Price.AmountCents, scalar(e.Price.Currency))
	}
	if e.RefundPolicy != nil {
		o.line("    refund_policy: {full_until_hours_before: %d}", e.RefundPolicy.FullUntilHoursBefore)
	}
}

func (o *output) limits(e *slotd.EventType) {
	o.numberUnlessDefault(0, "buffer_before_minutes", e.BufferBeforeMinutes)
	o.numberUnlessDefault(0, "buffer_after_minutes", e.BufferAfterMinutes)
	o.numberUnlessDefault(0, "minimum_notice_minutes", e.MinimumNoticeMinutes)
	o.numberUnlessDefault(defaultWindowDays, "booking_window_days", e.BookingWindowDays)
	o.numberUnlessDefault(0, "slot_interval_minutes", e.SlotIntervalMinutes)
	o.numberUnlessDefault(0, "max_per_day", e.MaxPerDay)
}

func (o *output) numberUnlessDefault(defaultValue int, name string, n int) {
	if n != defaultValue {
		o.line("    %s: %d", name, n)
	}
}
