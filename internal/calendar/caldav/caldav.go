// Package caldav reads and writes calendars on CalDAV servers (RFC 4791).
//
// It decides which calendars an address stands for, which of their items are new, and whether an entry may be replaced.
// It keeps nothing between calls, never expands or interprets an event, and never sends the password to another origin
// than the address's own.
//
// The WebDAV underneath is our own, a few requests over encoding/xml: go-webdav drops the host of a home set that lies
// on another host, cannot synchronise calendar collections (RFC 6578), and takes answers of any depth and number.
package caldav

import (
	"context"
	"errors"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/lib/safehttp"
)

// Account is what an owner gives to connect a calendar.
type Account struct {
	URL      string // one calendar, or the base address of an account
	Username string
	Password string
}

// Calendar is what an address stands for: a calendar, or all event calendars of the account that lie on the address's
// origin.
type Calendar struct {
	client  *safehttp.Client
	account Account
	reader  ical.Reader
}

var _ calendar.Writer = (*Calendar)(nil)

// New makes no request. A wrong address is the first call's error.
func New(client *safehttp.Client, a Account, r ical.Reader) *Calendar {
	return &Calendar{client, a, r}
}

// Changes reads what is new.
func (c *Calendar) Changes(ctx context.Context, since string, known map[string]string) (calendar.Changes, error) {
	d, err := open(c.client, c.account)
	if err != nil {
		return calendar.Changes{}, err
	}
	last := parseCursor(since)
	if last.empty() {
		return c.readWhole(ctx, d, last)
	}
	changes, err := c.readSince(ctx, d, last, known)
	if errors.Is(err, errStartOver) {
		return c.readWhole(ctx, d, last)
	}
	return changes, err
}

// readWhole finds the calendars and takes all that they hold.
func (c *Calendar) readWhole(ctx context.Context, d *dav, last cursor) (calendar.Changes, error) {
	all, err := d.find(ctx, stay)
	if err != nil {
		return calendar.Changes{}, err
	}
	if last.single() && len(all.homes) > 0 {
		// Its account may hold others, but nobody asked for those.
		return calendar.Changes{}, calendar.Errorf(calendar.Unusable,
			"what was a calendar at %s is none any more: connect it again by its new address.", d.host())
	}
	read := newReading(c, d, all.homes, nil)
	for _, found := range all.calendars {
		if err := read.whole(ctx, found); err != nil {
			return calendar.Changes{}, err
		}
	}
	return read.done(true)
}

// readSince asks each calendar what is new. If they are not the same calendars as before, errStartOver.
func (c *Calendar) readSince(ctx context.Context, d *dav, last cursor, known map[string]string) (calendar.Changes,
	error) {
	now, err := d.again(ctx, last)
	if err != nil {
		return calendar.Changes{}, err
	}
	if !last.names(now) {
		return calendar.Changes{}, errStartOver
	}
	read := newReading(c, d, last.Homes, known)
	for _, found := range now {
		if err := read.since(ctx, found, last.Calendars[found.id()]); err != nil {
			return calendar.Changes{}, err
		}
	}
	return read.done(false)
}
