package records

import (
	"fmt"
	"strings"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
)

// Line is the answer of one rule in words. No line contains an attendee's name.
type Line struct {
	Rule    slots.Rule `json:"rule"`
	Yes     bool       `json:"ok"`
	Text    string     `json:"text"`
	because string     // the reason in the summary, if the answer is no
}

// Summary returns the answer in one sentence.
func (x *Explanation) Summary(local when.Local) string {
	if x.Offered() {
		return say.T("Available.")
	}
	because, more := "", 0
	for _, l := range x.Lines(local) {
		switch {
		case l.Yes:
		case because == "":
			because = l.because
		default:
			more++
		}
	}
	if more == 0 {
		return say.T("Not available because %s.", because)
	}
	return say.N(more, "Not available because %[2]s. %[1]d more rule says no.",
		"Not available because %[2]s. %[1]d more rules say no.", because)
}

// Lines returns the answers of all rules, in the order in which they are checked.
func (x *Explanation) Lines(local when.Local) []Line {
	lines := []Line{x.eventTypeLine()}
	if x.EventType.Price != nil {
		lines = append(lines, x.paymentsLine())
	}
	for _, v := range x.Verdicts {
		lines = append(lines, x.verdictLine(v, local))
	}
	return append(lines, x.calendarsLine(local))
}

func (x *Explanation) eventTypeLine() Line {
	switch e := x.EventType; {
	case e.Retired:
		return Line{RuleEventType, false, say.T("“%s” was deleted. Only its bookings are left.", e.Title),
			say.T("the event type was deleted")}
	case e.Hidden:
		return Line{RuleEventType, false, say.T("“%s” is hidden, so nobody can book it.", e.Title),
			say.T("the event type is hidden")}
	}
	return Line{Rule: RuleEventType, Yes: true, Text: say.T("“%s” is on the booking page.", x.EventType.Title)}
}

func (x *Explanation) paymentsLine() Line {
	price := x.EventType.Price
	if !x.payable() {
		return Line{RulePayments, false,
			say.T("It costs %s, but no Stripe account is connected for guests to pay into.", price),
			say.T("it has a price, but payments aren't set up")}
	}
	return Line{Rule: RulePayments, Yes: true, Text: say.T("It costs %s, and guests can pay.", price)}
}

func (x *Explanation) verdictLine(v slots.Verdict, local when.Local) Line {
	l := Line{Rule: v.Rule, Yes: v.Passed}
	switch v.Rule {
	case slots.RuleOverride:
		l.Text, l.because = x.describeOverride(v, local)
	case slots.RuleHours:
		l.Text, l.because = x.describeHours(v, local)
	case slots.RuleGrid:
		l.Text, l.because = x.describeGrid(v, local)
	case slots.RuleNotice:
		l.Text, l.because = x.describeNotice(v, local)
	case slots.RuleWindow:
		l.Text = say.N(x.EventType.BookingWindowDays, "The last bookable date is %[2]s, %[1]d day ahead.",
			"The last bookable date is %[2]s, %[1]d days ahead.", formatDay(v.Date))
		l.because = say.T("it's too far ahead: the last bookable date is %s", formatDay(v.Date))
	case slots.RuleLimit:
		l.Text, l.because = x.describeLimit(v)
	case slots.RuleBusy:
		l.Yes, l.Text, l.because = x.describeConflicts(local, false)
	case slots.RuleBuffer:
		l.Yes, l.Text, l.because = x.describeConflicts(local, true)
	}
	return l
}

func (x *Explanation) describeOverride(v slots.Verdict, local when.Local) (text, because string) {
	day, hours := formatDay(v.Date), formatHours(v.Windows, local.TwelveHour())
	switch {
	case !v.Overridden:
		return say.T("%s has no date-specific hours, so weekly hours apply.", day), ""
	case v.Passed:
		return say.T("%s has date-specific hours: %s.", day, hours), ""
	}
	return say.T("%s has date-specific hours (%s), which don't include this time.", day, hours),
		say.T("%s has date-specific hours (%s), which don't include this time", day, hours)
}

func (x *Explanation) describeHours(v slots.Verdict, local when.Local) (text, because string) {
	length := formatDuration(x.Span.End.Sub(x.Span.Start))
	day, hours := formatDay(v.Date), formatHours(v.Windows, local.TwelveHour())
	switch {
	case v.Passed:
		return say.T("All %s are within the hours of %s: %s (%s).", length, day, hours, x.Zone), ""
	case len(v.Windows) == 0:
		return say.T("%s has no hours (%s).", day, x.Zone), say.T("%s has no hours", day)
	}
	return say.T("All %s must be within the hours of %s: %s (%s).", length, day, hours, x.Zone),
		say.T("not all of its %s are within the hours of %s: %s", length, day, hours)
}

func (x *Explanation) describeGrid(v slots.Verdict, local when.Local) (text, because string) {
	interval := formatDuration(x.EventType.Rules().Interval)
	if v.Passed {
		return say.T("Start times are every %s from the beginning of each block of hours. This is one of them.",
			interval), ""
	}
	var near []string
	for _, at := range v.Near {
		text := local.Time(at)
		if local.Day(at) != local.Day(x.Span.Start) {
			text = local.Day(at) + ", " + text
		}
		near = append(near, text)
	}
	text = say.T("Start times are every %s from the beginning of each block of hours. This isn't one of them.",
		interval)
	if len(near) > 0 {
		text += " " + say.T("Nearest start times: %s.", strings.Join(near, "; "))
	}
	return text, say.T("it isn't one of the start times")
}

func (x *Explanation) describeNotice(v slots.Verdict, local when.Local) (text, because string) {
	notice := x.EventType.Rules().Notice
	switch {
	case x.Span.Start.Before(x.now):
		return say.T("It's in the past."), say.T("it's in the past")
	case v.Passed && notice == 0:
		return say.T("It's in the future, and there's no minimum notice."), ""
	}
	return say.T("With a minimum notice of %s, the earliest start is now %s.", formatDuration(notice),
			local.Instant(v.EarliestStart)),
		say.T("it's sooner than the minimum notice of %s allows", formatDuration(notice))
}

func (x *Explanation) describeLimit(v slots.Verdict) (text, because string) {
	limit := x.EventType.MaxPerDay
	switch {
	case limit == 0:
		return say.T("There's no daily limit."), ""
	case v.Passed:
		return say.T("%d of at most %d are booked on %s.", v.Count, limit, formatDay(v.Date)), ""
	}
	return say.T("%d of at most %d are booked or held on %s.", v.Count, limit, formatDay(v.Date)),
		say.T("%s has reached its daily limit of %d", formatDay(v.Date), limit)
}

func (x *Explanation) describeConflicts(local when.Local, byBuffer bool) (yes bool, text, because string) {
	var texts []string
	for _, c := range x.Conflicts {
		if c.ByBuffer == byBuffer {
			texts = append(texts, c.describe(local))
		}
	}
	rules := x.EventType.Rules()
	none := rules.BufferBefore == 0 && rules.BufferAfter == 0
	before, after := formatDuration(rules.BufferBefore), formatDuration(rules.BufferAfter)
	all := strings.Join(texts, "; ")
	switch {
	case len(texts) > 0 && byBuffer && none:
		return false, say.T("Too close: %s.", all), say.T("it's too close to something else: %s", texts[0])
	case len(texts) > 0 && byBuffer:
		return false, say.T("Too close: %s. For this event type, %s before and %s after must be free too.", all, before,
			after), say.T("it's too close to something else: %s", texts[0])
	case len(texts) > 0:
		return false, say.T("Taken: %s.", all), say.T("the time is taken: %s", texts[0])
	case !byBuffer:
		return true, say.T("Nothing else is booked at this time."), ""
	case none:
		return true, say.T("This event type has no buffers, and no other buffer reaches this time."), ""
	}
	return true, say.T("%s before and %s after must be free too, and they are.", before, after), ""
}

// describe names the conflict without personal data, so that it can be printed anywhere.
func (c *Conflict) describe(local when.Local) string {
	switch {
	case c.Booking == nil && c.Calendar == "":
		return say.T("an event in a calendar, %s", local.Span(c.Start, c.End))
	case c.Booking == nil:
		return say.T("calendar “%s”, %s", c.Calendar, local.Span(c.Start, c.End))
	}
	b := c.Booking
	text := say.T("booking %s, “%s”, %s", b.ID, b.EventTitle, local.Span(b.StartsAt, b.EndsAt))
	if !c.HeldUntil.IsZero() {
		text = b.Hold.Reason.Info().Conflict.With(local.Time(c.HeldUntil), text)
	}
	if b.BufferBeforeMinutes+b.BufferAfterMinutes > 0 {
		text = say.T("%s, with its own buffers of %d and %d minutes", text, b.BufferBeforeMinutes,
			b.BufferAfterMinutes)
	}
	return text
}

func (x *Explanation) calendarsLine(local when.Local) Line {
	var texts []string
	for _, u := range x.StaleCalendars {
		text := say.T("“%s” was never synced", u.Name)
		if !u.ReadAt.IsZero() {
			text = say.T("“%s” was last synced on %s", u.Name, local.Instant(u.ReadAt))
		}
		texts = append(texts, text)
	}
	switch {
	case len(texts) > 0:
		return Line{RuleCalendars, false, say.T("We don't know whether it's free: %s.", strings.Join(texts, "; ")),
			say.T("a calendar can't be synced, so we don't know: %s", texts[0])}
	case x.calendars == 0:
		return Line{Rule: RuleCalendars, Yes: true, Text: say.T("No calendar is connected.")}
	}
	return Line{Rule: RuleCalendars, Yes: true, Text: say.T("All connected calendars were synced recently.")}
}

func formatDay(d zone.Date) string { return d.UTC().Format("Monday 2 January 2006") }

func formatHours(windows []slots.Window, twelve bool) string {
	if len(windows) == 0 {
		return say.T("closed")
	}
	var all []string
	for _, w := range windows {
		all = append(all, formatClock(w.From, twelve)+"–"+formatClock(w.Until, twelve))
	}
	return strings.Join(all, ", ")
}

// formatClock formats a minute of the day. A window may end at 24:00, which a 12-hour clock shows as midnight.
func formatClock(minute int, twelve bool) string {
	if !twelve {
		return fmt.Sprintf("%02d:%02d", minute/60, minute%60)
	}
	return time.Unix(int64(minute)*60, 0).UTC().Format("3:04 pm")
}

// formatDuration formats a duration in the largest unit that divides it.
func formatDuration(d time.Duration) string {
	minutes := int(d / time.Minute)
	switch {
	case minutes >= 2*1440 && minutes%1440 == 0:
		return say.N(minutes/1440, "%d day", "%d days")
	case minutes >= 60 && minutes%60 == 0:
		return say.N(minutes/60, "%d hour", "%d hours")
	}
	return say.N(minutes, "%d minute", "%d minutes")
}
