package public

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
)

// eventContent is an event type's page: a calendar to choose a time from, or the form for the chosen time.
type eventContent struct {
	Event     eventCard
	List      string // link to all event types; set in a frame, which has no other way back
	Choose    template.HTML
	Form      *formView
	CannotPay bool // it has a price, but payments are not set up
}

// isPayable reports whether the event type is free or guests can pay for it.
func (v *visit) isPayable(p *snapshot.Snapshot, e *slotd.EventType) bool {
	return e.Price == nil || v.Accounts.Account(p.Config) != ""
}

func (v *visit) eventPage() error {
	p, e, err := v.eventType(v.r.Context())
	if err != nil {
		return err
	}
	sel, who := readSelection(v.r), newViewer(v.r, p.TimeZone)
	l, err := v.newListing(p, e, who, nil)
	if err != nil {
		return err
	}
	sel.clip(l.bounds())
	write := func() ([]byte, error) { return v.renderCalendarPage(p, e, who, sel, l) }
	if sel.slot.IsZero() && sel.guest == (guest{}) && who.zoneQuery == "" {
		view := fmt.Sprintf("%t %s %t %t %d %d %d", v.embedded, who.local.ZoneName(), who.local.TwelveHour(),
			who.zoneInURL,
			who.firstWeekday, sel.month, sel.date)
		return v.sendCached(p, snapshot.ResponseKey{WorkspaceID: p.WorkspaceID, EventType: e.ID, Page: view}, l, write)
	}
	if !sel.slot.IsZero() && v.isPayable(p, e) && slots.Check(l.query, sel.slot) == slots.Free {
		return v.showForm(http.StatusOK, p, e, v.newForm(p, e, who, sel))
	}
	html, err := write()
	if err != nil {
		return err
	}
	page := v.page(p)
	page.Personal = sel.guest != guest{}
	v.protect(page)
	kit.Send(v.w, v.r, http.StatusOK, html, v.private)
	return nil
}

func (v *visit) showForm(status int, p *snapshot.Snapshot, e *slotd.EventType, form *formView) error {
	page := v.newEventPage(p, e)
	page.Content.(*eventContent).Form = form
	page.Personal = form.Guest != guest{}
	if v.private { // the URL holds an attendee's token
		page.URL = ""
	}
	return v.show(status, "event", page)
}

// newEventPage returns the event type's page without calendar and form.
func (v *visit) newEventPage(p *snapshot.Snapshot, e *slotd.EventType) *kit.Page {
	page := v.page(p)
	page.Title, page.Description = e.Title+" · "+p.Name,
		firstLine(e.Description, say.T("Book %s with %s.", e.Title, p.Host.Name))
	page.URL, page.LinkedData = v.Booking.URL(p.Slug, e.Slug), v.eventLinkedData(p, e)
	content := &eventContent{Event: v.card(p, e), CannotPay: !v.isPayable(p, e)}
	if v.embedded {
		content.List = v.path(p.Slug)
	}
	page.Content = content
	return page
}

// placeholder marks where the calendar goes in a cached page.
const placeholder = "<!--choose-->"

// renderCalendarPage renders the page with its calendar. Only the calendar is rendered each time. The rest, the shell,
// depends on the configuration alone and stays cached until that changes.
func (v *visit) renderCalendarPage(p *snapshot.Snapshot, e *slotd.EventType, who viewer, sel selection,
	l *listing) ([]byte, error) {
	key := snapshot.ResponseKey{WorkspaceID: p.WorkspaceID, EventType: e.ID, Page: v.path()}
	shell, ok := v.responses.Get(key)
	if !ok || shell.Version != p.Config.Version {
		page := v.newEventPage(p, e)
		page.Content.(*eventContent).Choose = placeholder
		html, err := view.Render("event", page)
		if err != nil {
			return nil, err
		}
		shell = snapshot.Response{Version: p.Config.Version, Body: html}
		v.responses.Put(key, shell)
	}
	if !v.isPayable(p, e) {
		return shell.Body, nil
	}
	to := newPageURL(v.path(p.Slug, e.Slug), who, sel.guest)
	return view.RenderInto(shell.Body, placeholder, "event", "choose", newChoice(l, who, sel, to))
}

// newListing returns the listing of an event type's open times in the viewer's zone. own is the booking to be moved, or
// nil.
func (v *visit) newListing(p *snapshot.Snapshot, e *slotd.EventType, who viewer, own *slotd.Booking) (*listing, error) {
	query, err := v.Booking.Query(p, e, own)
	if err != nil {
		return nil, err
	}
	l := &listing{query: query, zone: who.local.Zone()}
	if own != nil {
		l.except = own.StartsAt
	}
	return l, nil
}

// choice is the part of a page in which a guest chooses a time.
type choice struct {
	Zone     *zoneView
	AutoZone string // the shown zone, if the script should replace it by the browser's own
	Calendar *calendarView
	IsGone   bool       // the selected time is not open
	Gone     []timeLink // the nearest open times
}

func newChoice(l *listing, who viewer, sel selection, to pageURL) *choice {
	c := &choice{}
	if !who.zoneInURL {
		c.AutoZone = who.local.ZoneName()
	}
	if !sel.slot.IsZero() {
		c.IsGone, sel.date = true, l.zone.Date(sel.slot)
		sel.month = monthOf(sel.date)
		sel.clip(l.bounds())
		for _, t := range l.nearest(sel.slot) {
			c.Gone = append(c.Gone, timeLink{Href: to.with("slot", slotd.Instant(t)),
				Name: who.local.DayOfYear(t) + ", " + who.local.Time(t)})
		}
	}
	c.Calendar = newCalendar(l, who, sel, to)
	c.Zone = newZoneView(who, to, sel, cmp.Or(c.Calendar.firstTime, l.query.Now))
	return c
}
