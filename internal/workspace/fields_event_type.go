package workspace

import (
	"fmt"

	"slotd/internal/lib/say"

	"slotd"
)

const maxReminders = 10

type eventType = slotd.EventType

// EventTypeFields are the fields of an event type.
var EventTypeFields = []Field[eventType]{
	{
		Name: "slug", Required: true, Fixed: true, Input: "slug", Label: "Address",
		Hint: "letters, digits and hyphens; can't be changed later",
		Help: "its part of the booking link; unique in the file, and it never changes",
		Kind: text(func(e *eventType) *string { return &e.Slug }, slugFormat),
	},
	{
		Name: "title", Required: true, Input: "title", Label: "Title",
		Help: "what guests book",
		Kind: text(func(e *eventType) *string { return &e.Title }, lineFormat),
	},
	{
		Name: "description", Input: "description", Label: "Description",
		Hint: "optional",
		Help: "what guests read about it",
		Kind: text(func(e *eventType) *string { return &e.Description }, longFormat),
	},
	{
		Name: "duration_minutes", Required: true, Input: "duration", Label: "Duration",
		Hint: "minutes",
		Help: "how long it takes",
		Kind: number(func(e *eventType) *int { return &e.DurationMinutes }, 1, 1440).in(Minutes),
	},
	{
		Name: "location", Required: true, Input: "text",
		Help: "where it takes place; see below",
		Kind: Object[eventType]{Fields: locationFields},
		rule: checkLocation,
	},
	{
		Name: "schedule", Shown: true, Input: "schedule", Label: "Schedule",
		Help: "the schedule whose hours apply",
		Kind: text(func(e *eventType) *string { return &e.Schedule },
			nameFormat.documented("the name of a schedule in the file")).orElse("default"),
		rule: checkSchedule,
	},
	{
		Name: "price",
		Help: "what guests pay when they book",
		Kind: Object[eventType]{Fields: priceFields,
			Has:  func(e *eventType) bool { return e.Price != nil },
			Make: func(e *eventType) { e.Price = &slotd.Price{} }},
		Describe: describePrice,
	},
	{
		Name: "refund_policy", Input: "refund",
		Help: "until when attendees who cancel get everything back; only with a price",
		Kind: Object[eventType]{Fields: refundFields,
			Has:  func(e *eventType) bool { return e.RefundPolicy != nil },
			Make: func(e *eventType) { e.RefundPolicy = &slotd.RefundPolicy{} }},
		Describe: describeRefund, rule: checkRefund,
	},
	{
		Name: "buffer_before_minutes", Input: "before", Label: "Buffer before",
		Hint: "minutes",
		Help: "kept free before each booking",
		Kind: number(func(e *eventType) *int { return &e.BufferBeforeMinutes }, 0, 1440).in(Minutes),
	},
	{
		Name: "buffer_after_minutes", Input: "after", Label: "Buffer after",
		Hint: "minutes",
		Help: "kept free after each booking",
		Kind: number(func(e *eventType) *int { return &e.BufferAfterMinutes }, 0, 1440).in(Minutes),
	},
	{
		Name: "minimum_notice_minutes", Input: "notice", Label: "Minimum notice",
		Hint: "minutes, or 2 hours, 1 day",
		Help: "how long before its start a time can be booked at the latest",
		Kind: number(func(e *eventType) *int { return &e.MinimumNoticeMinutes }, 0, 525_600).in(Spans),
	},
	{
		Name: "booking_window_days", Input: "window", Label: "Booking window",
		Hint: "days ahead, 1 to 730",
		Help: "how many days ahead it can be booked",
		Kind: number(func(e *eventType) *int { return &e.BookingWindowDays }, 1, MaxWindowDays).orElse(60),
	},
	{
		Name: "slot_interval_minutes", Input: "interval", Label: "Start time interval",
		Hint: "minutes; leave blank for the duration",
		Help: "how far apart the start times are",
		Kind: number(func(e *eventType) *int { return &e.SlotIntervalMinutes }, 1, 1440).in(Minutes).orNone("the duration"),
	},
	{
		Name: "max_per_day", Input: "max_per_day", Label: "Daily limit",
		Hint: "bookings per day; leave blank for no limit",
		Help: "how many can be booked on one day",
		Kind: number(func(e *eventType) *int { return &e.MaxPerDay }, 1, 1000).orNone("no limit"),
	},
	{
		Name: "reminders_minutes_before", Input: "reminders", Label: "Reminders",
		Hint:    "up to ten, such as 1 day, 1 hour, 15; leave blank for none",
		Help:    "when attendees get reminder emails",
		Example: "[1440, 60]",
		Kind: Numbers[eventType]{
			At: func(e *eventType) *[]int { return &e.RemindersMinutesBefore }, Min: 1, Max: 40_320, Unit: Spans, MaxItems: maxReminders,
			Items: "reminders", Default: []int{1440, 60}},
		rule: checkReminders,
	},
	{
		Name: "hidden", Input: "hidden", Label: "Hidden",
		Help: "not listed, not offered, not bookable",
		Kind: Flag[eventType]{At: func(e *eventType) *bool { return &e.Hidden }},
	},
}

// Which of them a location has depends on its type: checker.location says so.
var locationFields = []Field[eventType]{
	{
		Name: "type", Required: true, Input: "place", Label: "Location",
		Help: "the kind of place",
		Kind: text(func(e *eventType) *string { return (*string)(&e.Location.Type) },
			oneOf(slotd.Video, slotd.Phone, slotd.InPerson, slotd.Custom)),
	},
	{
		Name: "url", Input: "url", Label: "Video room",
		Hint: "leave blank for a new room for each booking",
		Help: "video: a fixed room; without it each booking gets a new one",
		Kind: text(func(e *eventType) *string { return &e.Location.URL }, anyFormat),
	},
	{
		Name: "text", Input: "text", Label: "Address, number or instruction",
		Hint: "guests see it",
		Help: "the address, number or instruction that guests see",
		Kind: text(func(e *eventType) *string { return &e.Location.Text }, anyFormat),
	},
	{
		Name: "ask", NoInput: true, // the location's type has a choice for it
		Help: "phone: guests leave their number",
		Kind: Flag[eventType]{At: func(e *eventType) *bool { return &e.Location.Ask }},
	},
}

var priceFields = []Field[eventType]{
	{
		Name: "amount_cents", Required: true, Input: "amount", Label: "Price",
		Hint: "leave blank if it is free",
		Help: "in the currency's smallest unit",
		Kind: number(func(e *eventType) *int64 { return &e.Price.AmountCents }, 50, 99_999_999),
		rule: checkPriceStep,
	},
	{
		Name: "currency", Required: true, Input: "currency", Label: "Currency",
		Hint: "USD, EUR, …",
		Help: "ISO 4217, in lower case",
		Kind: text(func(e *eventType) *string { return &e.Price.Currency }, currencyFormat),
	},
}

var refundFields = []Field[eventType]{
	{
		Name: "full_until_hours_before", Required: true, Input: "refund", Label: "Refund",
		Hint: "hours before the start; leave blank for none",
		Help: "hours before the start",
		Kind: number(func(e *eventType) *int { return &e.RefundPolicy.FullUntilHoursBefore }, 0, 8760),
	},
}

func describePrice(e *eventType) string {
	if e.Price == nil {
		return "free"
	}
	return fmt.Sprintf("%d %s", e.Price.AmountCents, e.Price.Currency)
}

func describeRefund(e *eventType) string {
	if e.RefundPolicy == nil {
		return say.T("no refund")
	}
	return say.T("in full until %d hours before", e.RefundPolicy.FullUntilHoursBefore)
}
