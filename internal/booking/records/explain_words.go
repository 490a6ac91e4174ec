package records

import (
	"fmt"
	"strings"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
)

// Line is one rule's answer in words. Attendees' names stand in no line.
type Line struct {
	Rule    slots.Rule `json:"rule"`
	Yes     bool       `json:"ok"`
	Text    string     `json:"text"`
	because string     // how the summary goes on, where it says no
}

// Summary is the answer in one sentence.
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

// Lines are all rules' answers, in the order in which they are asked.
func (x *Explanation) Lines(local when.Local) []Line {
	lines := []Line{x.eventTypeLine()}
	if x.EventType.Price != nil {
		lines = append(lines, x.paymentsLine())
	}
	for _, v := range x.Verdicts {
		lines = append(lines, x.line(v, local))
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
			"It costs " + price + ", and there is no Stripe account that guests could pay into.", "it has a price and payments are not set up"}
	}
	return Line{Rule: RulePayments, Yes: true, Text: "It costs " + price + ", and guests can pay."}
}

func (x *Explanation) line(v slots.Verdict, local when.Local) Line {
	l := Line{Rule: v.Rule, Yes: v.Yes}
	switch v.Rule {
	case slots.RuleOverride:
		l.Text, l.because = x.sayOverride(v, local)
	case slots.RuleHours:
		l.Text, l.because = x.sayHours(v, local)
	case slots.RuleGrid:
		l.Text, l.because = x.sayGrid(v, local)
	case slots.RuleNotice:
		l.Text, l.because = x.sayNotice(v, local)
	case slots.RuleWindow:
		l.Text = fmt.Sprintf("The last date that can be booked is %s, %s ahead.", day(v.Date),
			count(x.EventType.BookingWindowDays, "day"))
		l.because = "it is further ahead than can be booked: the last date is " + day(v.Date)
	case slots.RuleLimit:
		l.Text, l.because = x.sayLimit(v)
	case slots.RuleBusy:
		l.Yes, l.Text, l.because = x.sayTakers(local, false)
	case slots.RuleBuffer:
		l.Yes, l.Text, l.because = x.sayTakers(local, true)
	}
	return l
}

func (x *Explanation) sayOverride(v slots.Verdict, local when.Local) (text, because string) {
	switch {
	case !v.Overridden:
		return day(v.Date) + " has no hours of its own, so the weekly ones count.", ""
	case v.Yes:
		return fmt.Sprintf("%s has hours of its own: %s.", day(v.Date), hours(v.Windows, local.Twelve())), ""
	}
	because = fmt.Sprintf("%s has hours of its own (%s), which leave this time out", day(v.Date),
		hours(v.Windows, local.Twelve()))
	return because + ".", because
}

func (x *Explanation) sayHours(v slots.Verdict, local when.Local) (text, because string) {
	length := spell(x.Span.End.Sub(x.Span.Start))
	switch {
	case v.Yes:
		return fmt.Sprintf("All %s lie within the hours of %s: %s (%s).", length, day(v.Date),
			hours(v.Windows, local.Twelve()), x.Zone), ""
	case len(v.Windows) == 0:
		return fmt.Sprintf("%s is closed (%s).", day(v.Date), x.Zone), day(v.Date) + " is closed"
	}
	return fmt.Sprintf("All %s have to lie within the hours of %s: %s (%s).", length, day(v.Date),
			hours(v.Windows, local.Twelve()), x.Zone),
		fmt.Sprintf("not all of its %s lie within the hours of %s: %s", length, day(v.Date),
			hours(v.Windows, local.Twelve()))
}

func (x *Explanation) sayGrid(v slots.Verdict, local when.Local) (text, because string) {
	rule := fmt.Sprintf("There is a start every %s, counted from where each stretch of hours begins",
		spell(x.EventType.Rules().Interval))
	if v.Yes {
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

func (x *Explanation) sayNotice(v slots.Verdict, local when.Local) (text, because string) {
	notice := x.EventType.Rules().Notice
	switch {
	case x.Span.Start.Before(x.now):
		return "It is in the past.", "it is in the past"
	case v.Yes && notice == 0:
		return "It is still to come, and no notice is asked for.", ""
	}
	return fmt.Sprintf("With a notice of %s, what can be booked now begins on %s.", spell(notice),
			local.Instant(v.Soonest)),
		fmt.Sprintf("it is sooner than the notice of %s allows", spell(notice))
}

func (x *Explanation) sayLimit(v slots.Verdict) (text, because string) {
	most := x.EventType.MaxPerDay
	switch {
	case most == 0:
		return "There is no limit a day.", ""
	case v.Yes:
		return fmt.Sprintf("%d of at most %d are booked on %s.", v.Count, most, day(v.Date)), ""
	}
	return fmt.Sprintf("%d of at most %d are booked or held on %s.", v.Count, most, day(v.Date)),
		fmt.Sprintf("%s has reached its limit of %d", day(v.Date), most)
}

func (x *Explanation) sayTakers(local when.Local, byBuffer bool) (yes bool, text, because string) {
	var said []string
	for _, t := range x.Conflicts {
		if t.ByBuffer == byBuffer {
			said = append(said, t.say(local))
		}
	}
	rules := x.EventType.Rules()
	none := rules.BufferBefore == 0 && rules.BufferAfter == 0
	buffers := fmt.Sprintf("%s before and %s after have to be free too", spell(rules.BufferBefore),
		spell(rules.BufferAfter))
	switch {
	case len(said) > 0 && byBuffer && none:
		return false, "Too near: " + strings.Join(said, "; ") + ".", "it is too near to something else: " + said[0]
	case len(said) > 0 && byBuffer:
		return false, "Too near: " + strings.Join(said, "; ") + ". For this event type, " + buffers + ".",
			"it is too near to something else: " + said[0]
	case len(said) > 0:
		return false, "Taken: " + strings.Join(said, "; ") + ".", "the time is taken: " + said[0]
	case !byBuffer:
		return true, "Nothing else is at this time.", ""
	case none:
		return true, "This event type has no buffers, and no other reaches here.", ""
	}
	return true, strings.ToUpper(buffers[:1]) + buffers[1:] + ", and they are.", ""
}

// say names a taker by what may be printed anywhere.
func (t *Conflict) say(local when.Local) string {
	switch {
	case t.Booking == nil && t.Calendar == "":
		return "something in a calendar, " + local.Span(t.Start, t.End).String()
	case t.Booking == nil:
		return "calendar “" + t.Calendar + "”, " + local.Span(t.Start, t.End).String()
	}
	b := t.Booking
	text := fmt.Sprintf("booking %s, “%s”, %s", b.ID, b.EventTitle, local.Span(b.StartsAt, b.EndsAt))
	if !t.HeldUntil.IsZero() {
		text = "held until " + local.Time(t.HeldUntil) + " for a guest who pays: " + text
	}
	if b.BufferBeforeMinutes+b.BufferAfterMinutes > 0 {
		text += fmt.Sprintf(", with its own buffers of %d and %d minutes", b.BufferBeforeMinutes, b.BufferAfterMinutes)
	}
	return text
}

func (x *Explanation) calendarsLine(local when.Local) Line {
	var said []string
	for _, u := range x.Unread {
		text := "“" + u.Name + "” was never read"
		if !u.ReadAt.IsZero() {
			text = "“" + u.Name + "” was last read on " + local.Instant(u.ReadAt)
		}
		said = append(said, text)
	}
	switch {
	case len(said) > 0:
		return Line{RuleCalendars, false, "Nobody knows whether it is free: " + strings.Join(said, "; ") + ".",
			"a calendar cannot be read, so nobody knows: " + said[0]}
	case x.calendars == 0:
		return Line{Rule: RuleCalendars, Yes: true, Text: "No calendar is connected."}
	}
	return Line{Rule: RuleCalendars, Yes: true, Text: "All connected calendars were read a short time ago."}
}

func day(d zone.Date) string { return d.UTC().Format("Monday 2 January 2006") }

func hours(windows []slots.Window, twelve bool) string {
	if len(windows) == 0 {
		return "closed"
	}
	var all []string
	for _, w := range windows {
		all = append(all, wall(w.From, twelve)+"–"+wall(w.Until, twelve))
	}
	return strings.Join(all, ", ")
}

// wall is a minute of the day as a clock shows it; a window may end at 24:00, which is midnight to those who count to
// twelve.
func wall(minute int, twelve bool) string {
	if !twelve {
		return fmt.Sprintf("%02d:%02d", minute/60, minute%60)
	}
	return time.Unix(int64(minute)*60, 0).UTC().Format("3:04 pm")
}

// spell says a length in the largest unit that divides it.
func spell(d time.Duration) string {
	minutes := int(d / time.Minute)
	switch {
	case minutes >= 2*1440 && minutes%1440 == 0:
		return count(minutes/1440, "day")
	case minutes >= 60 && minutes%60 == 0:
		return count(minutes/60, "hour")
	}
	return count(minutes, "minute")
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
