package workspace

import (
	"fmt"

	"slotd"
)

const maxReminders = 10

type eventType = slotd.EventType

// EventTypeFields are the fields of an event type.
var EventTypeFields = []Field[eventType]{
	{Name: "slug", Input: "slug", Label: "Address", Required: true, Kind: text(func(e *eventType) *string { return &e.Slug }, slugFormat)},
	{Name: "title", Input: "title", Label: "Title", Required: true, Kind: text(func(e *eventType) *string { return &e.Title }, lineFormat)},
	{Name: "description", Input: "description", Label: "Description", Kind: text(func(e *eventType) *string { return &e.Description }, longFormat)},
	{Name: "duration_minutes", Input: "duration", Label: "Duration", Required: true,
		Kind: number(func(e *eventType) *int { return &e.DurationMinutes }, 1, 1440).in(Minutes)},
	{Name: "location", Input: "text", Required: true, Kind: Object[eventType]{Fields: locationFields}, rule: checkLocation},
	{Name: "schedule", Input: "schedule", Label: "Schedule", Shown: true, rule: checkSchedule,
		Kind: text(func(e *eventType) *string { return &e.Schedule }, wordFormat).orElse("default")},
	{Name: "price", Describe: describePrice, Kind: Object[eventType]{Fields: priceFields,
		Has:  func(e *eventType) bool { return e.Price != nil },
		Make: func(e *eventType) { e.Price = &slotd.Price{} }}},
	{Name: "refund_policy", Input: "refund", Describe: describeRefund, rule: checkRefund, Kind: Object[eventType]{Fields: refundFields,
		Has:  func(e *eventType) bool { return e.RefundPolicy != nil },
		Make: func(e *eventType) { e.RefundPolicy = &slotd.RefundPolicy{} }}},
	{Name: "buffer_before_minutes", Input: "before", Label: "Buffer before",
		Kind: number(func(e *eventType) *int { return &e.BufferBeforeMinutes }, 0, 1440).in(Minutes)},
	{Name: "buffer_after_minutes", Input: "after", Label: "Buffer after",
		Kind: number(func(e *eventType) *int { return &e.BufferAfterMinutes }, 0, 1440).in(Minutes)},
	{Name: "minimum_notice_minutes", Input: "notice", Label: "Minimum notice",
		Kind: number(func(e *eventType) *int { return &e.MinimumNoticeMinutes }, 0, 525_600).in(Spans)},
	{Name: "booking_window_days", Input: "window", Label: "Booking window",
		Kind: number(func(e *eventType) *int { return &e.BookingWindowDays }, 1, MaxWindowDays).orElse(60)},
	{Name: "slot_interval_minutes", Input: "interval", Label: "Start time interval",
		Kind: number(func(e *eventType) *int { return &e.SlotIntervalMinutes }, 1, 1440).in(Minutes).orNone("the duration")},
	{Name: "max_per_day", Input: "max_per_day", Label: "Daily limit",
		Kind: number(func(e *eventType) *int { return &e.MaxPerDay }, 1, 1000).orNone("no limit")},
	{Name: "reminders_minutes_before", Input: "reminders", Label: "Reminders", Example: "[1440, 60]", rule: checkReminders, Kind: Numbers[eventType]{
		At: func(e *eventType) *[]int { return &e.RemindersMinutesBefore }, Min: 1, Max: 40_320, MaxItems: maxReminders,
		Items: "reminders", Default: []int{1440, 60}}},
	{Name: "hidden", Input: "hidden", Label: "Hidden", Kind: Flag[eventType]{At: func(e *eventType) *bool { return &e.Hidden }}},
}

// Which of them a location has depends on its type: checker.location says so.
var locationFields = []Field[eventType]{
	{Name: "type", Input: "place", Label: "Location", Required: true,
		Kind: text(func(e *eventType) *string { return (*string)(&e.Location.Type) }, wordFormat)},
	{Name: "url", Input: "url", Label: "Video room", Kind: text(func(e *eventType) *string { return &e.Location.URL }, anyFormat)},
	{Name: "text", Input: "text", Label: "Address, number or instruction", Kind: text(func(e *eventType) *string { return &e.Location.Text }, anyFormat)},
	{Name: "ask", Kind: Flag[eventType]{At: func(e *eventType) *bool { return &e.Location.Ask }}},
}

var priceFields = []Field[eventType]{
	{Name: "amount_cents", Input: "amount", Label: "Price", Required: true, rule: checkPriceStep,
		Kind: number(func(e *eventType) *int64 { return &e.Price.AmountCents }, 50, 99_999_999)},
	{Name: "currency", Input: "currency", Label: "Currency", Required: true,
		Kind: text(func(e *eventType) *string { return &e.Price.Currency }, currencyFormat)},
}

var refundFields = []Field[eventType]{
	{Name: "full_until_hours_before", Input: "refund", Label: "Refund", Required: true,
		Kind: number(func(e *eventType) *int { return &e.RefundPolicy.FullUntilHoursBefore }, 0, 8760)},
}

func describePrice(e *eventType) string {
	if e.Price == nil {
		return "free"
	}
	return fmt.Sprintf("%d %s", e.Price.AmountCents, e.Price.Currency)
}

func describeRefund(e *eventType) string {
	if e.RefundPolicy == nil {
		return "no refund"
	}
	return fmt.Sprintf("in full until %d hours before", e.RefundPolicy.FullUntilHoursBefore)
}
