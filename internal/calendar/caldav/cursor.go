package caldav

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
)

// errStartOver means that a cursor can no longer be used.
var errStartOver = errors.New("the calendar has to be read anew")

const maxCursor = 64 << 10

// cursor records how far each calendar was read, by its path.
type cursor struct {
	// the collections that contain the account's calendars; empty: the address is itself a calendar
	Homes     []string         `json:"homes,omitempty"`
	Calendars map[string]state `json:"calendars"`
}

// state is the server's own version of a calendar's content: a sync token (RFC 6578), otherwise a CTag, or nothing.
type state struct {
	Sync string `json:"sync,omitempty"`
	CTag string `json:"ctag,omitempty"`
}

// parseCursor returns an empty cursor if text is not valid. The next read is then a full one.
func parseCursor(text string) (c cursor) {
	if json.Unmarshal([]byte(text), &c) != nil {
		return cursor{}
	}
	return c
}

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // cannot happen: all fields are strings
	}
	return string(text)
}

func (c cursor) isEmpty() bool { return len(c.Calendars) == 0 }

func (c cursor) isSingle() bool { return len(c.Homes) == 0 && len(c.Calendars) == 1 }

// matches reports whether these are exactly the calendars that were read.
func (c cursor) matches(current []collection) bool {
	return len(current) == len(c.Calendars) && !slices.ContainsFunc(current, func(found collection) bool {
		_, ok := c.Calendars[found.id()]
		return !ok
	})
}

// currentCollections finds the calendars of the cursor with as few requests as possible: none for a single calendar
// with a sync token.
func (d *dav) currentCollections(ctx context.Context, last cursor) ([]collection, error) {
	if !last.isSingle() {
		return d.collectionsIn(ctx, last.Homes)
	}
	for path, state := range last.Calendars {
		at, err := d.resolve(d.base, path)
		if err != nil {
			return nil, err
		}
		if state.Sync != "" {
			return []collection{{url: at}}, nil
		}
		res, err := d.describe(ctx, at)
		if err != nil || !res.prop.isCalendar() {
			return nil, asStartOver(err)
		}
		return []collection{res.collection()}, nil
	}
	return nil, nil
}

// collectionsIn lists the homes again. If the server rejects one of them, starting over finds out why.
func (d *dav) collectionsIn(ctx context.Context, homes []string) (all []collection, err error) {
	for _, path := range homes {
		at, err := d.resolve(d.base, path)
		if err != nil {
			return nil, err
		}
		found, err := d.calendarsIn(ctx, at)
		if err != nil {
			return nil, asStartOver(err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// asStartOver returns errStartOver if the server rejected the request itself. It returns err if the server rejected
// the client, or only for now.
func asStartOver(err error) error {
	if err == nil || isRequestRejected(err) {
		return errStartOver
	}
	return err
}
