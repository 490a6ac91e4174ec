package eventtypes

import (
	"cmp"
	"strconv"
	"strings"

	"slotd/internal/web/owner/page"

	"slotd"
)

// eventTypeFields are the fields of the form, as typed.
type eventTypeFields struct {
	Title, Slug, Description            string
	Duration, Schedule                  string
	Place, URL, Text                    string // Place is a location's type, or PhoneAsk
	Amount, Currency, Refund            string
	Before, After                       string
	Notice, Window, Interval, MaxPerDay string
	Reminders                           string
	Hidden                              string // yes or no
}

// PhoneAsk is a phone call for which the guest leaves a number.
const PhoneAsk = "phone_ask"

func (v *visit) typedFields() eventTypeFields {
	return eventTypeFields{
		Title: v.Value("title"), Slug: v.Value("slug"), Description: v.Value("description"),
		Duration: v.Value("duration"), Schedule: v.RawValue("schedule"),
		Place: v.Value("place"), URL: v.Value("url"), Text: v.Value("text"),
		Amount: v.Value("amount"), Currency: v.Value("currency"), Refund: v.Value("refund"),
		Before: v.Value("before"), After: v.Value("after"),
		Notice: v.Value("notice"), Window: v.Value("window"), Interval: v.Value("interval"),
		MaxPerDay: v.Value("max_per_day"),
		Reminders: v.Value("reminders"),
		Hidden:    yesOrNo(v.Value("hidden") != ""),
	}
}

func fieldsOf(e *slotd.EventType) eventTypeFields {
	f := eventTypeFields{
		// trimmed, as the form returns it
		Title: strings.TrimSpace(e.Title), Slug: e.Slug, Description: strings.TrimSpace(e.Description),
		Duration: strconv.Itoa(e.DurationMinutes), Schedule: e.Schedule,
		Place: string(e.Location.Type), URL: e.Location.URL, Text: strings.TrimSpace(e.Location.Text),
		Before: strconv.Itoa(e.BufferBeforeMinutes), After: strconv.Itoa(e.BufferAfterMinutes),
		Notice: spellMinutes(e.MinimumNoticeMinutes), Window: strconv.Itoa(e.BookingWindowDays),
		Interval: orEmpty(e.SlotIntervalMinutes), MaxPerDay: orEmpty(e.MaxPerDay),
		Reminders: spellReminders(e.RemindersMinutesBefore),
		Hidden:    yesOrNo(e.Hidden),
	}
	if e.Location.Ask {
		f.Place = PhoneAsk
	}
	if e.Price != nil {
		f.Amount, _, _ = strings.Cut(e.Price.String(), " ")
		f.Currency = strings.ToUpper(e.Price.Currency)
	}
	if e.RefundPolicy != nil {
		f.Refund = strconv.Itoa(e.RefundPolicy.FullUntilHoursBefore)
	}
	return f
}

const yes = "yes"

func yesOrNo(is bool) string {
	if is {
		return yes
	}
	return "no"
}

func orEmpty(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// eventType returns what the fields mean. Invalid values become a number that is out of every range, so that the
// validation of the workspace reports them. The validation does not see prices as people write them, so eventType adds
// their problems itself.
func (f *eventTypeFields) eventType(problems *page.Form) *slotd.EventType {
	e := &slotd.EventType{
		Slug: f.Slug, Title: f.Title, Description: f.Description, Schedule: f.Schedule, Hidden: f.Hidden == yes,
		DurationMinutes: readMinutes(f.Duration), Location: f.location(),
		BufferBeforeMinutes: readMinutes(cmp.Or(f.Before, "0")), BufferAfterMinutes: readMinutes(cmp.Or(f.After, "0")),
		MinimumNoticeMinutes: readMinutes(cmp.Or(f.Notice, "0")),
		BookingWindowDays:    page.ParseNumber(cmp.Or(f.Window, "60")),
		SlotIntervalMinutes:  orAbsent(f.Interval, readMinutes), MaxPerDay: orAbsent(f.MaxPerDay, page.ParseNumber),
		RemindersMinutesBefore: readReminders(f.Reminders),
	}
	if f.Amount == "" {
		return e
	}
	price, reason := readPrice(f.Amount, strings.ToLower(f.Currency))
	problems.AddProblem("amount", reason)
	e.Price = &price
	if f.Refund != "" {
		e.RefundPolicy = &slotd.RefundPolicy{FullUntilHoursBefore: page.ParseNumber(f.Refund)}
	}
	return e
}

// orAbsent returns 0 for an empty field. A typed 0 becomes -1, which is invalid.
func orAbsent(text string, read func(string) int) int {
	if text == "" {
		return 0
	}
	return cmp.Or(read(text), -1)
}

// location leaves out the fields of other kinds of places, which the page does not show.
func (f *eventTypeFields) location() slotd.Location {
	switch f.Place {
	case string(slotd.Video):
		return slotd.Location{Type: slotd.Video, URL: f.URL}
	case PhoneAsk:
		return slotd.Location{Type: slotd.Phone, Ask: true}
	}
	return slotd.Location{Type: slotd.LocationType(f.Place), Text: f.Text}
}

type namedField struct {
	label string
	value *string
}

// named lists the fields with the form's labels. The slug is not among them, because it identifies the event type.
func (f *eventTypeFields) named() []namedField {
	return []namedField{
		{"Title", &f.Title}, {"Description", &f.Description}, {"Duration", &f.Duration}, {"Place", &f.Place},
		{"Address of the room", &f.URL},
		{"Address, number or instruction", &f.Text}, {"Schedule", &f.Schedule}, {"Price", &f.Amount},
		{"Currency", &f.Currency}, {"Refund", &f.Refund},
		{"Before", &f.Before}, {"After", &f.After}, {"Notice", &f.Notice}, {"Days ahead", &f.Window},
		{"Between starts", &f.Interval},
		{"Bookings a day", &f.MaxPerDay}, {"Reminders", &f.Reminders}, {"Hidden", &f.Hidden},
	}
}

// versionedFields pairs what was typed with what is stored now.
func (f *eventTypeFields) versionedFields(now eventTypeFields) (fields []page.VersionedField) {
	theirs := now.named()
	for i, mine := range f.named() {
		field := page.VersionedField{Label: mine.label, Current: *theirs[i].value, Typed: mine.value}
		if mine.value == &f.Place {
			field.CurrentText = page.ShortQuote(strings.ReplaceAll(field.Current, "_", " "))
		}
		fields = append(fields, field)
	}
	return fields
}
