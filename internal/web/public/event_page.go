package public

import (
	"cmp"
	"fmt"
	"net/http"

	"slotd"
	"slotd/internal/slots"
	"slotd/internal/snapshot"
	"slotd/internal/web/ui"
)

// eventContent is the page of an event type in one of its states: a calendar to choose from, or the
// form for what was chosen.
type eventContent struct {
	Event    eventCard
	Zone     *zoneView
	Calendar *calendarView
	Form     *formView
	Gone     []timeLink // open times near the one that was asked for and is not open
	IsGone   bool
	Unpaid   bool // has a price, and nobody can pay
}

func (v *visit) eventPage() error {
	p, e, err := v.eventType(v.r.Context())
	if err != nil {
		return err
	}
	ask, who := askedBy(v.r), viewerOf(v.r, p.TimeZone)
	if ask.slot.IsZero() && ask.guest == (guest{}) && who.typed == "" {
		view := fmt.Sprintf("%t %s %t %t %d %d %d", v.embedded, who.local.ZoneName(), who.local.Twelve(), who.chosen, who.first, ask.month, ask.date)
		return v.sendKept(p, snapshot.Question{WorkspaceID: p.WorkspaceID, EventType: e.ID, Page: view}, func() made {
			l := v.listing(p, e, who, nil)
			return made{"event", v.choosing(p, e, who, ask, l), l}
		})
	}
	l := v.listing(p, e, who, nil)
	if !ask.slot.IsZero() && e.Price == nil && slots.Check(l.query, ask.slot) == slots.Free {
		page := v.choosing(p, e, who, ask, nil)
		form := v.newForm(p, who, ask)
		form.AskPhone = e.Location.Ask
		return v.showForm(http.StatusOK, page, form)
	}
	return v.show(http.StatusOK, "event", v.choosing(p, e, who, ask, l))
}

// listing asks the engine on behalf of the viewer.
func (v *visit) listing(p *snapshot.Picture, e *slotd.EventType, who viewer, own *slotd.Booking) *listing {
	l := &listing{query: v.Booking.Query(p, e, own), zone: who.local.Zone()}
	if own != nil {
		l.except = own.StartsAt
	}
	return l
}

// choosing is the page with its calendar, or without it if there is no listing.
func (v *visit) choosing(p *snapshot.Picture, e *slotd.EventType, who viewer, ask asked, l *listing) *ui.Page {
	page := v.page(p)
	page.Title, page.Description = e.Title+" · "+p.Name, firstLine(e.Description, "Book "+e.Title+" with "+p.Host.Name+".")
	page.URL = v.Booking.URL(p.Slug, e.Slug)
	if !who.chosen {
		page.AutoZone = who.local.ZoneName()
	}
	page.LinkedData = v.aboutEvent(p, e)
	c := &eventContent{Event: v.card(p, e), Unpaid: e.Price != nil}
	page.Content = c
	to := newAddress(v.path(p.Slug, e.Slug), who, ask.guest)
	if l == nil || c.Unpaid {
		c.Zone = newZoneView(who, to, ask, cmp.Or(ask.slot, v.now))
		return page
	}
	if !ask.slot.IsZero() {
		c.IsGone, ask.date = true, l.zone.Date(ask.slot)
		ask.month = monthOf(ask.date)
		for _, t := range slots.Nearest(l.query, ask.slot, 3) {
			c.Gone = append(c.Gone, timeLink{Href: to.with("slot", slotd.Instant(t)), Name: who.local.DayOfYear(t) + ", " + who.local.Time(t)})
		}
	}
	c.Calendar = newCalendar(l, who, ask, to)
	c.Zone = newZoneView(who, to, ask, cmp.Or(c.Calendar.at, v.now))
	return page
}

func (v *visit) showForm(status int, page *ui.Page, form *formView) error {
	page.Content.(*eventContent).Form = form
	return v.show(status, "event", page)
}
