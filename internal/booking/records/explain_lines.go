package records

import (
	"fmt"
	"strings"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
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
		return "Offered."
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
	switch more {
	case 0:
		return "Not offered, because " + because + "."
	case 1:
		return "Not offered, because " + because + "; 1 more rule says no."
	}
	return fmt.Sprintf("Not offered, because %s; %d more rules say no.", because, more)
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
		return Line{RuleEventType, false, "“" + e.Title + "” was deleted. Only its bookings are left.",
			"the event type was deleted"}
	case e.Hidden:
		return Line{RuleEventType, false, "“" + e.Title + "” is hidden, so that nobody can book it.",
			"the event type is hidden"}
	}
	return Line{Rule: RuleEventType, Yes: true, Text: "“" + x.EventType.Title + "” is on the booking page."}
}

func (x *Explanation) paymentsLine() Line {
	price := x.EventType.Price.String()
	if !x.payable() {
		return Line{RulePayments, false,
			"It costs " + price + ", and there is no Stripe account that guests could pay into.",
			"it has a price and payments are not set up"}
	}
	return Line{Rule: RulePayments, Yes: true, Text: "It costs " + price + ", and guests can pay."}
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
		l.Text = fmt.Sprintf("The last date that can be booked is %s, %s ahead.", formatDay(v.Date),
			plural(x.EventType.BookingWindowDays, "day"))
		l.because = "it is further ahead than can be booked: the last date is " + formatDay(v.Date)
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
	switch {
	case !v.Overridden:
		return formatDay(v.Date) + " has no hours of its own, so the weekly ones count.", ""
	case v.Passed:
		return fmt.Sprintf("%s has hours of its own: %s.", formatDay(v.Date),
			formatHours(v.Windows, local.TwelveHour())), ""
	}
	because = fmt.Sprintf("%s has hours of its own (%s), which leave this time out", formatDay(v.Date),
		formatHours(v.Windows, local.TwelveHour()))
	return because + ".", because
}

func (x *Explanation) describeHours(v slots.Verdict, local when.Local) (text, because string) {
	length := formatDuration(x.Span.End.Sub(x.Span.Start))
	switch {
	case v.Passed:
		return fmt.Sprintf("All %s lie within the hours of %s: %s (%s).", length, formatDay(v.Date),
			formatHours(v.Windows, local.TwelveHour()), x.Zone), ""
	case len(v.Windows) == 0:
		return fmt.Sprintf("%s is closed (%s).", formatDay(v.Date), x.Zone), formatDay(v.Date) + " is closed"
	}
	return fmt.Sprintf("All %s have to lie within the hours of %s: %s (%s).", length, formatDay(v.Date),
			formatHours(v.Windows, local.TwelveHour()), x.Zone),
		fmt.Sprintf("not all of its %s lie within the hours of %s: %s", length, formatDay(v.Date),
			formatHours(v.Windows, local.TwelveHour()))
}

func (x *Explanation) describeGrid(v slots.Verdict, local when.Local) (text, because string) {
	rule := fmt.Sprintf("There is a start every %s, counted from where each stretch of hours begins",
		formatDuration(x.EventType.Rules().Interval))
	if v.Passed {
		return rule + ", and this is one.", ""
	}
	var near []string
	for _, at := range v.Near {
		text := local.Time(at)
		if local.Day(at) != local.Day(x.Span.Start) {
			text = local.Day(at) + ", " + text
		}
		near = append(near, text)
	}
	nearest := ""
	if len(near) > 0 {
		nearest = " The nearest by the hours: " + strings.Join(near, "; ") + "."
	}
	return rule + ", and this is none." + nearest, "it is not one of the start times"
}

func (x *Explanation) describeNotice(v slots.Verdict, local when.Local) (text, because string) {
	notice := x.EventType.Rules().Notice
	switch {
	case x.Span.Start.Before(x.now):
		return "It is in the past.", "it is in the past"
	case v.Passed && notice == 0:
		return "It is still to come, and no notice is asked for.", ""
	}
	return fmt.Sprintf("With a notice of %s, what can be booked now begins on %s.", formatDuration(notice),
			local.Instant(v.EarliestStart)),
		fmt.Sprintf("it is sooner than the notice of %s allows", formatDuration(notice))
}

func (x *Explanation) describeLimit(v slots.Verdict) (text, because string) {
	limit := x.EventType.MaxPerDay
	switch {
	case limit == 0:
		return "There is no limit a day.", ""
	case v.Passed:
		return fmt.Sprintf("%d of at most %d are booked on %s.", v.Count, limit, formatDay(v.Date)), ""
	}
	return fmt.Sprintf("%d of at most %d are booked or held on %s.", v.Count, limit, formatDay(v.Date)),
		fmt.Sprintf("%s has reached its limit of %d", formatDay(v.Date), limit)
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
	buffers := fmt.Sprintf("%s before and %s after have to be free too", formatDuration(rules.BufferBefore),
		formatDuration(rules.BufferAfter))
	switch {
	case len(texts) > 0 && byBuffer && none:
		return false, "Too near: " + strings.Join(texts, "; ") + ".", "it is too near to something else: " + texts[0]
	case len(texts) > 0 && byBuffer:
		return false, "Too near: " + strings.Join(texts, "; ") + ". For this event type, " + buffers + ".",
			"it is too near to something else: " + texts[0]
	case len(texts) > 0:
		return false, "Taken: " + strings.Join(texts, "; ") + ".", "the time is taken: " + texts[0]
	case !byBuffer:
		return true, "Nothing else is at this time.", ""
	case none:
		return true, "This event type has no buffers, and no other reaches here.", ""
	}
	return true, strings.ToUpper(buffers[:1]) + buffers[1:] + ", and they are.", ""
}

// describe names the conflict without personal data, so that it can be printed anywhere.
func (c *Conflict) describe(local when.Local) string {
	switch {
	case c.Booking == nil && c.Calendar == "":
		return "something in a calendar, " + local.Span(c.Start, c.End).String()
	case c.Booking == nil:
		return "calendar “" + c.Calendar + "”, " + local.Span(c.Start, c.End).String()
	}
	b := c.Booking
	text := fmt.Sprintf("booking %s, “%s”, %s", b.ID, b.EventTitle, local.Span(b.StartsAt, b.EndsAt))
	if !c.HeldUntil.IsZero() {
		text = "held until " + local.Time(c.HeldUntil) + " for a guest who pays: " + text
	}
	if b.BufferBeforeMinutes+b.BufferAfterMinutes > 0 {
		text += fmt.Sprintf(", with its own buffers of %d and %d minutes", b.BufferBeforeMinutes, b.BufferAfterMinutes)
	}
	return text
}

func (x *Explanation) calendarsLine(local when.Local) Line {
	var texts []string
	for _, u := range x.StaleCalendars {
		text := "“" + u.Name + "” was never read"
		if !u.ReadAt.IsZero() {
			text = "“" + u.Name + "” was last read on " + local.Instant(u.ReadAt)
		}
		texts = append(texts, text)
	}
	switch {
	case len(texts) > 0:
		return Line{RuleCalendars, false, "Nobody knows whether it is free: " + strings.Join(texts, "; ") + ".",
			"a calendar cannot be read, so nobody knows: " + texts[0]}
	case x.calendars == 0:
		return Line{Rule: RuleCalendars, Yes: true, Text: "No calendar is connected."}
	}
	return Line{Rule: RuleCalendars, Yes: true, Text: "All connected calendars were read a short time ago."}
}

func formatDay(d zone.Date) string { return d.UTC().Format("Monday 2 January 2006") }

func formatHours(windows []slots.Window, twelve bool) string {
	if len(windows) == 0 {
		return "closed"
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
		return plural(minutes/1440, "day")
	case minutes >= 60 && minutes%60 == 0:
		return plural(minutes/60, "hour")
	}
	return plural(minutes, "minute")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
