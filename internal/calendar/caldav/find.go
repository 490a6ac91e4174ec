package caldav

import (
	"context"
	"net/url"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// step is the choice whether to go on, with the credential, where a server points to.
type step func(from *dav, to *url.URL) (*dav, error)

// stay never leaves the origin that the owner gave the credential for.
func stay(from *dav, to *url.URL) (*dav, error) {
	if safehttp.Origin(from.base) != safehttp.Origin(to) {
		return nil, calendar.Errorf(calendar.Unusable,
			"%s keeps the account's calendars on %s, for which the password was not given: connect them "+
				"by their own addresses, which slotd calendar find lists.", from.host(), safehttp.Host(to))
	}
	return from, nil
}

// findings are the calendars behind an address, and the homes they were found in; no home if the address is a calendar
// itself.
type findings struct {
	homes     []string
	calendars []collection
}

// find follows RFC 6764, 6: address, principal, home, calendars. It never finds nothing: that is an error.
func (d *dav) find(ctx context.Context, next step) (all findings, err error) {
	start, err := d.start(ctx)
	if err != nil {
		return all, err
	}
	if start.prop.isCalendar() {
		all.calendars = []collection{start.collection()}
		return all, nil
	}
	homes, err := d.homes(ctx, start, next)
	if err != nil {
		return all, err
	}
	for _, home := range homes {
		at, err := next(d, home)
		if err != nil {
			return all, err
		}
		found, err := at.children(ctx, home)
		if err != nil {
			return all, err
		}
		all.homes = append(all.homes, home.EscapedPath())
		all.calendars = append(all.calendars, found...)
	}
	if len(all.calendars) == 0 {
		return all, calendar.Errorf(calendar.Unusable,
			"this user has no calendar for events on %s: make one there, or check the user name.", d.host())
	}
	return all, nil
}

// start is the address, or what the host's well-known address leads to if the address is silent. One that is missing is
// not silent, or a deleted calendar would turn into all the account's others.
func (d *dav) start(ctx context.Context) (described, error) {
	start, err := d.describe(ctx, d.base)
	says := err == nil && (start.prop.isCalendar() || len(start.prop.Principal) > 0 || len(start.prop.Homes) > 0)
	if says || err != nil && (!refusesTheQuestion(err) || d.base.Path != "/") {
		return start, err
	}
	known, knownErr := d.describe(ctx, d.base.ResolveReference(&url.URL{Path: "/.well-known/caldav"}))
	if knownErr == nil {
		return known, nil
	}
	if err == nil {
		err = d.noDAV(207)
	}
	return start, err
}

// homes are where the principal keeps its calendars.
func (d *dav) homes(ctx context.Context, start described, next step) (homes []*url.URL, err error) {
	if len(start.prop.Homes) == 0 && len(start.prop.Principal) > 0 {
		if start, err = d.principal(ctx, start, next); err != nil {
			return nil, err
		}
	}
	for _, href := range start.prop.Homes {
		home, err := start.at.Parse(href)
		if err != nil {
			return nil, calendar.Errorf(calendar.Unusable,
				"%s names a home of calendars by what is no address: connect a calendar by its own address.", d.host())
		}
		homes = append(homes, withSlash(home))
	}
	if len(homes) == 0 {
		return nil, calendar.Errorf(calendar.Unusable,
			"%s does not say where this user's calendars are: connect a calendar by its own address.", d.host())
	}
	return homes, nil
}

func (d *dav) principal(ctx context.Context, start described, next step) (described, error) {
	to, err := start.at.Parse(start.prop.Principal[0])
	if err != nil {
		return start, calendar.Errorf(calendar.Unusable,
			"%s names the user by what is no address: connect a calendar by its own address.", d.host())
	}
	at, err := next(d, to)
	if err != nil {
		return start, err
	}
	return at.describe(ctx, to)
}

// describe asks for one resource's properties. A redirect's target is the resource.
func (d *dav) describe(ctx context.Context, at *url.URL) (found described, err error) {
	ask := request{method: "PROPFIND", at: at, depth: "0", xml: askWhat}
	_, err = d.multi(ctx, ask, func(at *url.URL, r *response) error {
		if found.at != nil {
			return nil // some servers ignore the depth
		}
		if r.gone() || r.failed() {
			return d.unwell(r)
		}
		found = described{at: at, prop: r.found()}
		return nil
	})
	if err == nil && found.at == nil {
		err = d.noDAV(207)
	}
	return found, err
}

// children are the event calendars in a home.
func (d *dav) children(ctx context.Context, home *url.URL) (found []collection, err error) {
	ask := request{method: "PROPFIND", at: home, depth: "1", xml: askWhat}
	_, err = d.multi(ctx, ask, func(at *url.URL, r *response) error {
		if r.failed() {
			return d.unwell(r)
		}
		if p := r.found(); !p.isCalendar() || !p.holdsEvents() {
			return nil
		}
		child, err := d.resolve(at, r.Href)
		if err == nil {
			found = append(found, described{child, r.found()}.collection())
		}
		return err
	})
	return found, err
}
