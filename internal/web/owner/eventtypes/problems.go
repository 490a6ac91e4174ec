package eventtypes

import (
	"fmt"
	"strings"

	"slotd/internal/web/owner/page"
)

// eventTypeField maps a path of the workspace file to a field of the form and the subject of its problem.
func eventTypeField(path string) (field, subject string) {
	_, name, _ := strings.Cut(path, "].")
	name, entry, listed := strings.Cut(name, "[")
	if listed && name == "reminders_minutes_before" {
		return "reminders", fmt.Sprintf("Reminder %d", page.ParseNumber(strings.TrimSuffix(entry, "]"))+1)
	}
	if f, ok := eventTypeFieldNames[name]; ok {
		return f[0], f[1]
	}
	return "title", path
}

var eventTypeFieldNames = map[string][2]string{
	"title":                                 {"title", "The title"},
	"slug":                                  {"slug", "The address"},
	"description":                           {"description", "The description"},
	"duration_minutes":                      {"duration", "The duration in minutes"},
	"location":                              {"text", "A phone call"},
	"location.type":                         {"place", "The place"},
	"location.url":                          {"url", "The room's address"},
	"location.text":                         {"text", "The address, number or instruction"},
	"schedule":                              {"schedule", "The schedule"},
	"price.amount_cents":                    {"amount", "The price"},
	"price.currency":                        {"currency", "The currency"},
	"refund_policy":                         {"refund", "The refund"},
	"refund_policy.full_until_hours_before": {"refund", "The hours of the refund"},
	"buffer_before_minutes":                 {"before", "The minutes kept free before"},
	"buffer_after_minutes":                  {"after", "The minutes kept free after"},
	"minimum_notice_minutes":                {"notice", "The notice"},
	"booking_window_days":                   {"window", "The number of days ahead"},
	"slot_interval_minutes":                 {"interval", "The minutes between starts"},
	"max_per_day":                           {"max_per_day", "The number of bookings a day"},
	"reminders_minutes_before":              {"reminders", "The list of reminders"},
}

// rewordProblems replaces phrases of the workspace file with those of the form.
func (c *eventTypeContent) rewordProblems() {
	c.Reword("currency", "an ISO 4217 code in lower case, such as usd or eur",
		"a code of three letters, such as USD or EUR")
	c.Reword("notice", "a whole number from 0 to 525600",
		"minutes, or words such as 2 hours or 1 day: 365 days at most")
	c.Reword("reminders", "a whole number from 1 to 40320",
		"minutes, or words such as 2 hours or 1 day: from 1 minute to 28 days")
	for i, word := range reminderWords(c.Reminders) {
		name := fmt.Sprintf("Reminder %d", i+1)
		c.Reword("reminders", name+" ", name+", "+page.ShortQuote(word)+", ")
	}
}
