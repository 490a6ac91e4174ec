package bookings

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/when"
	"slotd/internal/booking/records"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

var explainRoutes = []page.Route[visit]{page.At("/settings/explain", page.Member, (*visit).explainPage, nil)}

type explainContent struct {
	page.Form
	EventTypes []explainChoice
	Date, Time string // as typed, in the workspace's zone
	At         string // as pasted
	Zone       string
	Answer     *explainAnswer // nil: nothing was asked yet
}

type explainChoice struct {
	Slug, Title string
	Chosen      bool
}

type explainAnswer struct {
	Title, Instant, UTC string
	ClockNote           string // says that the clock shows the time twice, or never
	Other               string // the address of the second time; empty: none
	Offered             bool
	Summary             string
	Lines               []explainLine
	Nearest             []explainLink
}

type explainLine struct {
	records.Line
	Name   say.Sentence
	Remedy say.Sentence // what would change the answer
	Links  []explainLink
}

type explainLink struct{ Path, Text string }

// explainPage takes its question from the address alone, so that an owner can send the link with the answer to another
// owner.
func (v *visit) explainPage() error {
	title := say.T("Why isn't this time available?")
	c := &explainContent{Form: v.NewForm(""), Date: v.Value("date"), Time: v.Value("time"), At: v.Value("at"),
		Zone: v.Snapshot.TimeZone}
	if slot := v.Value("slot"); c.At == "" && slot != "" {
		c.At = slot
	}
	event, pasted := v.Value("event"), c.pasted()
	if pasted.event != "" {
		event = pasted.event
	}
	for i := range v.Snapshot.EventTypes {
		c.EventTypes = append(c.EventTypes, choiceOf(&v.Snapshot.EventTypes[i], event))
	}
	if c.Date == "" && c.At == "" {
		c.Date, c.Time = (v.Local().Zone().Date(v.Now) + 1).String(), orText(c.Time, "09:00")
		return v.Show(http.StatusOK, "explain", title, c)
	}
	asked := c.asked(v.Local().Zone(), pasted)
	switch {
	case pasted.workspace != "" && pasted.workspace != v.Snapshot.Slug:
		c.AddProblem("at", say.T("This link doesn't belong to one of this workspace's booking pages."))
	case event == "":
		c.AddProblem("event", say.T("Choose an event type."))
	}
	if len(c.Problems) > 0 {
		return v.Show(http.StatusUnprocessableEntity, "explain", title, c)
	}
	x, err := v.Records.Explain(v.R.Context(), v.Snapshot.WorkspaceID,
		records.Question{EventType: event, Start: asked.at, CanPay: v.Accounts.Account(v.Snapshot.Config) != ""})
	if slotd.Is(err, slotd.EventTypeNotFound) {
		c.AddProblem("event", say.T("This event type doesn't exist. Choose one from the list."))
		return v.Show(http.StatusNotFound, "explain", title, c)
	} else if err != nil {
		return err
	}
	c.Answer = v.answer(x, asked)
	return v.Show(http.StatusOK, "explain", title, c)
}

func choiceOf(e *slotd.EventType, chosen string) explainChoice {
	c := explainChoice{Slug: e.Slug, Title: e.Title, Chosen: e.Slug == chosen}
	switch {
	case e.Retired:
		c.Title = say.T("%s (deleted)", e.Title)
	case e.Hidden:
		c.Title = say.T("%s (hidden)", e.Title)
	}
	return c
}

func orText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func (v *visit) answer(x *records.Explanation, m askedTime) *explainAnswer {
	local := v.Local()
	a := &explainAnswer{
		Title: x.EventType.Title, Instant: local.Instant(m.at), UTC: slotd.Instant(m.at), ClockNote: m.clockNote,
		Offered: x.Offered(), Summary: x.Summary(local),
	}
	if !m.other.IsZero() {
		a.Other = explainPath(x, m.other)
	}
	for _, l := range x.Lines(local) {
		a.Lines = append(a.Lines, v.explainLine(x, l, local))
	}
	if !a.Offered && x.EventType.Public() {
		for _, at := range x.Nearest {
			a.Nearest = append(a.Nearest, explainLink{explainPath(x, at), local.ShortInstant(at)})
		}
	}
	return a
}

func explainPath(x *records.Explanation, at time.Time) string {
	return "/settings/explain?" + url.Values{"event": {x.EventType.Slug}, "slot": {slotd.Instant(at)}}.Encode()
}

// remedies says what an owner can do about each rule, and where.
var remedies = map[slots.Rule]struct {
	name, do say.Sentence
	path     string
	text     say.Sentence
}{
	records.RuleEventType: {"Event type", "Show it to guests", "/settings/event-types", "Event types"},
	records.RulePayments: {"Payment", "Connect a Stripe account or remove the price", "/settings/payments",
		"Payments"},
	slots.RuleOverride: {"Date-specific hours", "Change or remove the hours of this date", "/settings/hours", "Hours"},
	slots.RuleHours:    {"Hours", "Add hours at this time", "/settings/hours", "Hours"},
	slots.RuleGrid: {"Start times", "Change the interval of start times or when the hours begin",
		"/settings/event-types", "Event types"},
	slots.RuleNotice: {"Minimum notice", "Shorten the minimum notice", "/settings/event-types", "Event types"},
	slots.RuleWindow: {"Booking window", "Let guests book further ahead", "/settings/event-types", "Event types"},
	slots.RuleLimit:  {"Daily limit", "Raise the limit", "/settings/event-types", "Event types"},
	slots.RuleBusy:   {"Conflicts", "Reschedule or cancel what's there", "/settings/bookings", "Bookings"},
	slots.RuleBuffer: {"Buffers", "Shorten the buffers", "/settings/event-types", "Event types"},
	records.RuleCalendars: {"Calendars", "See why the calendar can't be synced", "/settings/calendars",
		"Calendars"},
}

func (v *visit) explainLine(x *records.Explanation, l records.Line, local when.Local) explainLine {
	r := remedies[l.Rule]
	line := explainLine{Line: l, Name: r.name}
	if l.Yes {
		return line
	}
	line.Remedy, line.Links = r.do, []explainLink{{r.path, r.text.String()}}
	switch {
	case l.Rule == slots.RuleNotice && x.Span.Start.Before(v.Now), l.Rule == slots.RuleHours &&
		saysNo(x, slots.RuleOverride), l.Rule == slots.RuleGrid && saysNo(x, slots.RuleHours):
		line.Remedy, line.Links = "", nil // nothing helps, or the rule before says what does
	case l.Rule == slots.RuleBusy || l.Rule == slots.RuleBuffer:
		line.Links = append(conflictLinks(x, l.Rule == slots.RuleBuffer, local), line.Links...)
	}
	return line
}

func saysNo(x *records.Explanation, rule slots.Rule) bool {
	return slices.ContainsFunc(x.Verdicts, func(v slots.Verdict) bool { return v.Rule == rule && !v.Passed })
}

// conflictLinks links to the bookings that are in the way. Only the owner's page shows who booked.
func conflictLinks(x *records.Explanation, byBuffer bool, local when.Local) (links []explainLink) {
	for _, t := range x.Conflicts {
		if b := t.Booking; b != nil && t.ByBuffer == byBuffer && t.HeldUntil.IsZero() {
			links = append(links, explainLink{"/settings/bookings/" + b.ID.String(),
				orText(b.Attendee.Name, say.T("Booking")) + ", " + local.ShortInstant(b.StartsAt)})
		}
	}
	return links
}
