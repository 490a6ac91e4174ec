package eventtypes

import (
	"net/http"
	"slices"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

const (
	PreviewDays     = 7
	MaxPreviewTimes = 48 // times of a day; a start each minute would be 1,440
)

// eventTypePreview shows next week as guests would see it.
type eventTypePreview struct {
	Zone     string
	Summary  string // how many times are open, and when
	Trouble  string // why the open times are not known
	Problems []page.Problem
	Days     []previewDay
}

type previewDay struct {
	Name  string
	Times []string
	More  int // how many times are not shown
}

// previewEventType changes nothing. A script requests the part of the page that it shows beside the form, and a button
// requests the whole page.
func (v *visit) previewEventType() error {
	editedSlug := v.Value("of")
	if editedSlug != "" && v.Snapshot.EventTypeBySlug(editedSlug) == nil {
		return slotd.NewError(slotd.EventTypeNotFound, slotd.Facts{})
	}
	c, e := v.typedEventType(editedSlug)
	if v.Value("part") == "" {
		return v.showEventType(http.StatusOK, c, e)
	}
	v.completeEventType(c, e)
	html, err := view.RenderInto(nil, "", "event_type", "preview-part", c)
	if err != nil {
		return err
	}
	v.Protect(&kit.Page{Personal: true})
	kit.Send(v.W, v.R, http.StatusOK, html, true)
	return nil
}

// previewFields are the fields that decide which times are open.
var previewFields = []string{"duration", "schedule", "before", "after", "notice", "window", "interval", "max_per_day"}

// eventTypePreview computes the open times of the week from tomorrow on, considering all bookings and busy times.
func (v *visit) eventTypePreview(c *eventTypeContent, e *slotd.EventType) *eventTypePreview {
	p := &eventTypePreview{}
	for _, wrong := range c.Problems {
		if slices.Contains(previewFields, wrong.Field) {
			p.Problems = append(p.Problems, wrong)
		}
	}
	if len(p.Problems) > 0 || v.Snapshot.Schedule(e) == nil {
		return p
	}
	query, err := v.Booking.Query(v.Snapshot, e, nil)
	if err != nil {
		p.Trouble = say.T("A calendar can't be read right now, so the open times aren't known.")
		return p
	}
	p.fill(query, v.Local().TwelveHour())
	return p
}

func (p *eventTypePreview) fill(query slots.Query, twelve bool) {
	z := query.Schedule.Zone
	local := when.In(z, twelve)
	first := z.Date(query.Now) + 1
	open, _ := slots.Open(query, slots.Span{Start: z.Start(first, 0), End: z.End(first+PreviewDays, 0)})
	days := map[zone.Date][]time.Time{}
	total := 0
	for _, t := range open {
		if d := z.Date(t); d >= first && d < first+PreviewDays {
			days[d], total = append(days[d], t), total+1
		}
	}
	for d := first; d < first+PreviewDays; d++ {
		if z.Exists(d) {
			p.Days = append(p.Days, newPreviewDay(local, d, days[d]))
		}
	}
	p.Zone = z.Name()
	p.Summary = say.N(total, "%d open time in the seven days from tomorrow.",
		"%d open times in the seven days from tomorrow.")
}

func newPreviewDay(local when.Local, d zone.Date, open []time.Time) previewDay {
	day := previewDay{Name: when.Local{}.DayOfYear(d.UTC())}
	for _, t := range open[:min(len(open), MaxPreviewTimes)] {
		day.Times = append(day.Times, local.Time(t))
	}
	day.More = len(open) - len(day.Times)
	return day
}
