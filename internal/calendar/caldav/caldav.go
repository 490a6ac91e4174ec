// Package caldav reads and writes calendars on CalDAV servers (RFC 4791).
//
// It decides which calendars an address stands for, which of their items have changed, and whether an entry may be
// replaced. It stores nothing between calls, never expands or interprets an event, and never sends the password to
// another origin than the one of the address.
//
// It has its own small WebDAV client on top of encoding/xml: go-webdav drops the host of a home set on another host,
// cannot synchronize calendar collections (RFC 6578), and accepts responses of any depth and size.
package caldav

import (
	"context"
	"errors"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/lib/safehttp"
)

// Account is what an owner enters to connect a calendar.
type Account struct {
	URL      string // one calendar, or the base address of an account
	Username string
	Password string
}

// Calendar is what an address stands for: one calendar, or all event calendars of the account on the same origin as
// the address.
type Calendar struct {
	client  *safehttp.Client
	account Account
	reader  ical.Reader
}

var _ calendar.Writer = (*Calendar)(nil)

// New makes no request. A wrong address is reported by the first call.
func New(client *safehttp.Client, a Account, r ical.Reader) *Calendar {
	return &Calendar{client, a, r}
}

// Changes reads what has changed.
func (c *Calendar) Changes(ctx context.Context, since string, known map[string]string) (calendar.Changes, error) {
	d, err := open(c.client, c.account)
	if err != nil {
		return calendar.Changes{}, err
	}
	last := parseCursor(since)
	if last.isEmpty() {
		return c.readAll(ctx, d, last)
	}
	changes, err := c.readSince(ctx, d, last, known)
	if errors.Is(err, errStartOver) {
		return c.readAll(ctx, d, last)
	}
	return changes, err
}

// readAll finds the calendars and reads all their items.
func (c *Calendar) readAll(ctx context.Context, d *dav, last cursor) (calendar.Changes, error) {
	all, err := d.find(ctx, sameOrigin)
	if err != nil {
		return calendar.Changes{}, err
	}
	if last.isSingle() && len(all.homes) > 0 {
		// Its account may have other calendars, but the owner did not ask for those.
		return calendar.Changes{}, calendar.Errorf(calendar.Unusable,
			"The address on %s is no longer that of a calendar.", d.host()).Advise(calendar.CheckAddress)
	}
	r := newCollector(c, d, all.homes, nil)
	for _, found := range all.calendars {
		if err := r.readAll(ctx, found); err != nil {
			return calendar.Changes{}, err
		}
	}
	return r.result(true)
}

// readSince asks each calendar for its changes. It returns errStartOver if the set of calendars has changed.
func (c *Calendar) readSince(ctx context.Context, d *dav, last cursor, known map[string]string) (calendar.Changes,
	error) {
	current, err := d.currentCollections(ctx, last)
	if err != nil {
		return calendar.Changes{}, err
	}
	if !last.matches(current) {
		return calendar.Changes{}, errStartOver
	}
	r := newCollector(c, d, last.Homes, known)
	for _, found := range current {
		if err := r.readSince(ctx, found, last.Calendars[found.id()]); err != nil {
			return calendar.Changes{}, err
		}
	}
	return r.result(false)
}
