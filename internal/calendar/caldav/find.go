package caldav

import (
	"context"
	"net/url"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// redirectPolicy decides whether to follow a server's reference with the password.
type redirectPolicy func(from *dav, to *url.URL) (*dav, error)

// sameOrigin never leaves the origin that the owner entered the password for.
func sameOrigin(from *dav, to *url.URL) (*dav, error) {
	if safehttp.Origin(from.base) != safehttp.Origin(to) {
		return nil, calendar.Errorf(calendar.Unusable,
			"The account's calendars aren't on %s but on %s. The password is only sent to the server it was entered for.",
			from.host(), safehttp.Host(to)).Advise(calendar.UseOwnAddress)
	}
	return from, nil
}

// findings are the calendars behind an address, and the homes that contain them. There are no homes if the address
// itself is a calendar.
type findings struct {
	homes     []string
	calendars []collection
}

// find follows RFC 6764, 6: address, principal, home, calendars. Finding no calendar is an error.
func (d *dav) find(ctx context.Context, policy redirectPolicy) (all findings, err error) {
	start, err := d.startResource(ctx)
	if err != nil {
		return all, err
	}
	if start.prop.isCalendar() {
		all.calendars = []collection{start.collection()}
		return all, nil
	}
	homes, err := d.homes(ctx, start, policy)
	if err != nil {
		return all, err
	}
	for _, home := range homes {
		at, err := policy(d, home)
		if err != nil {
			return all, err
		}
		found, err := at.calendarsIn(ctx, home)
		if err != nil {
			return all, err
		}
		all.homes = append(all.homes, home.EscapedPath())
		all.calendars = append(all.calendars, found...)
	}
	if len(all.calendars) == 0 {
		return all, calendar.Errorf(calendar.Unusable,
			"This user has no calendar for events on %s.", d.host()).Advise(calendar.CreateCalendar)
	}
	return all, nil
}

// startResource returns the resource at the address. If that has no useful properties, it tries the host's well-known
// address. It does not do so for an address that no longer exists, otherwise a deleted calendar would be replaced by
// all others of the account.
func (d *dav) startResource(ctx context.Context) (davResource, error) {
	start, err := d.describe(ctx, d.base)
	hasInfo := err == nil && (start.prop.isCalendar() || len(start.prop.Principal) > 0 || len(start.prop.Homes) > 0)
	if hasInfo || err != nil && (!isRequestRejected(err) || d.base.Path != "/") {
		return start, err
	}
	wellKnown, wellKnownErr := d.describe(ctx, d.base.ResolveReference(&url.URL{Path: "/.well-known/caldav"}))
	if wellKnownErr == nil {
		return wellKnown, nil
	}
	if err == nil {
		err = d.notDAVError(207)
	}
	return start, err
}

// homes returns the collections in which the principal keeps its calendars.
func (d *dav) homes(ctx context.Context, start davResource, policy redirectPolicy) (homes []*url.URL, err error) {
	if len(start.prop.Homes) == 0 && len(start.prop.Principal) > 0 {
		if start, err = d.principal(ctx, start, policy); err != nil {
			return nil, err
		}
	}
	for _, href := range start.prop.Homes {
		home, err := start.url.Parse(href)
		if err != nil {
			return nil, calendar.Errorf(calendar.Unusable,
				"%s sent an invalid address of this user's calendars.", d.host()).Advise(calendar.UseOwnAddress)
		}
		homes = append(homes, withSlash(home))
	}
	if len(homes) == 0 {
		return nil, calendar.Errorf(calendar.Unusable,
			"%s doesn't say where this user's calendars are.", d.host()).Advise(calendar.UseOwnAddress)
	}
	return homes, nil
}

func (d *dav) principal(ctx context.Context, start davResource, policy redirectPolicy) (davResource, error) {
	to, err := start.url.Parse(start.prop.Principal[0])
	if err != nil {
		return start, calendar.Errorf(calendar.Unusable,
			"%s sent an invalid address of this user.", d.host()).Advise(calendar.UseOwnAddress)
	}
	at, err := policy(d, to)
	if err != nil {
		return start, err
	}
	return at.describe(ctx, to)
}

// describe requests the properties of one resource. After a redirect, that is the target.
func (d *dav) describe(ctx context.Context, at *url.URL) (found davResource, err error) {
	req := request{method: "PROPFIND", url: at, depth: "0", xml: resourceQuery}
	_, err = d.multistatus(ctx, req, func(at *url.URL, r *response) error {
		if found.url != nil {
			return nil // some servers ignore the depth
		}
		if r.isGone() || r.isFailed() {
			return d.resourceError(r)
		}
		found = davResource{url: at, prop: r.properties()}
		return nil
	})
	if err == nil && found.url == nil {
		err = d.notDAVError(207)
	}
	return found, err
}

// calendarsIn returns the event calendars in a home.
func (d *dav) calendarsIn(ctx context.Context, home *url.URL) (found []collection, err error) {
	req := request{method: "PROPFIND", url: home, depth: "1", xml: resourceQuery}
	_, err = d.multistatus(ctx, req, func(at *url.URL, r *response) error {
		if r.isFailed() {
			return d.resourceError(r)
		}
		if p := r.properties(); !p.isCalendar() || !p.holdsEvents() {
			return nil
		}
		child, err := d.resolve(at, r.Href)
		if err == nil {
			found = append(found, davResource{child, r.properties()}.collection())
		}
		return err
	})
	return found, err
}
