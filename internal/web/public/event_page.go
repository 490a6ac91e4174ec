package public

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/web/kit"
)

// eventContent is the page of an event type in one of its states: a calendar to choose from, or the
// form for what was chosen.
type eventContent struct {
	Event  eventCard
	List   string // in a frame there is no other way back to all event types
	Choose template.HTML
	Form   *formView
	Unpaid bool // has a price, and nobody can pay
}

// payable reports whether an event type can be booked: one that has a price, where guests can pay.
func (v *visit) payable(p *snapshot.Snapshot, e *slotd.EventType) bool {
	return e.Price == nil || v.Accounts.Account(p.Config) != ""
}

func (v *visit) eventPage() error {
	p, e, err := v.eventType(v.r.Context())
	if err != nil {
		return err
	}
	ask, who := askedBy(v.r), viewerOf(v.r, p.TimeZone)
	l, err := v.listing(p, e, who, nil)
	if err != nil {
		return err
	}
	ask.clip(l.bounds())
	write := func() ([]byte, error) { return v.choosing(p, e, who, ask, l) }
	if ask.slot.IsZero() && ask.guest == (guest{}) && who.typed == "" {
		view := fmt.Sprintf("%t %s %t %t %d %d %d", v.embedded, who.local.ZoneName(), who.local.Twelve(), who.chosen,
			who.first, ask.month, ask.date)
		return v.sendKept(p, snapshot.ResponseKey{WorkspaceID: p.WorkspaceID, EventType: e.ID, Page: view}, l, write)
	}
	if !ask.slot.IsZero() && v.payable(p, e) && slots.Check(l.query, ask.slot) == slots.Free {
		return v.showForm(http.StatusOK, p, e, v.newForm(p, e, who, ask))
	}
	html, err := write()
	if err != nil {
		return err
	}
	page := v.page(p)
	page.Personal = ask.guest != guest{}
	v.protect(page)
	kit.Send(v.w, v.r, http.StatusOK, html, v.private)
	return nil
}

func (v *visit) showForm(status int, p *snapshot.Snapshot, e *slotd.EventType, form *formView) error {
	page := v.about(p, e)
	page.Content.(*eventContent).Form = form
	page.Personal = form.Guest != guest{}
	if v.private { // it lies at the address of somebody's own
		page.URL = ""
	}
	return v.show(status, "event", page)
}

// about is the page without anything to choose.
func (v *visit) about(p *snapshot.Snapshot, e *slotd.EventType) *kit.Page {
	page := v.page(p)
	page.Title, page.Description = e.Title+" · "+p.Name,
		firstLine(e.Description, "Book "+e.Title+" with "+p.Host.Name+".")
	page.URL, page.LinkedData = v.Booking.URL(p.Slug, e.Slug), v.aboutEvent(p, e)
	content := &eventContent{Event: v.card(p, e), Unpaid: !v.payable(p, e)}
	if v.embedded {
		content.List = v.path(p.Slug)
	}
	page.Content = content
	return page
}

// hole is where the choice stands in a page that is kept for all choices.
const hole = "<!--choose-->"

// choosing is the page with its calendar. Only that is made anew each time: all around it depends on
// the configuration alone, and is kept until that changes.
func (v *visit) choosing(p *snapshot.Snapshot, e *slotd.EventType, who viewer, ask asked, l *listing) ([]byte, error) {
	question := snapshot.ResponseKey{WorkspaceID: p.WorkspaceID, EventType: e.ID, Page: v.path()}
	around, ok := v.kept.Find(question)
	if !ok || around.Version != p.Config.Version {
		page := v.about(p, e)
		page.Content.(*eventContent).Choose = hole
		html, err := view.Render("event", page)
		if err != nil {
			return nil, err
		}
		around = snapshot.Response{Version: p.Config.Version, Body: html}
		v.kept.Keep(question, around)
	}
	if !v.payable(p, e) {
		return around.Body, nil
	}
	to := newAddress(v.path(p.Slug, e.Slug), who, ask.guest)
	return view.RenderInto(around.Body, hole, "event", "choose", newChoice(l, who, ask, to))
}

// listing asks the engine on behalf of the viewer.
func (v *visit) listing(p *snapshot.Snapshot, e *slotd.EventType, who viewer, own *slotd.Booking) (*listing, error) {
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

// choice is what a guest chooses a time from.
type choice struct {
	Zone     *zoneView
	AutoZone string // the zone shown, where the browser's own would be better
	Calendar *calendarView
	IsGone   bool // the time that was asked for is not open
	Gone     []timeLink
}

func newChoice(l *listing, who viewer, ask asked, to address) *choice {
	c := &choice{}
	if !who.chosen {
		c.AutoZone = who.local.ZoneName()
	}
	if !ask.slot.IsZero() {
		c.IsGone, ask.date = true, l.zone.Date(ask.slot)
		ask.month = monthOf(ask.date)
		ask.clip(l.bounds())
		for _, t := range l.nearest(ask.slot) {
			c.Gone = append(c.Gone, timeLink{Href: to.with("slot", slotd.Instant(t)),
				Name: who.local.DayOfYear(t) + ", " + who.local.Time(t)})
		}
	}
	c.Calendar = newCalendar(l, who, ask, to)
	c.Zone = newZoneView(who, to, ask, cmp.Or(c.Calendar.at, l.query.Now))
	return c
}
