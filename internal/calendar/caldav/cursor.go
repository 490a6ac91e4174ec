package caldav

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
)

// errStartOver says that a cursor is of no use any more.
var errStartOver = errors.New("the calendar has to be read anew")

const maxCursor = 64 << 10

// cursor is how far each calendar was read, by its path.
type cursor struct {
	// where an account's calendars lie; none: the address is itself a calendar
	Homes     []string         `json:"homes,omitempty"`
	Calendars map[string]state `json:"calendars"`
}

// state is a server's own mark of what a calendar held: a sync token (RFC 6578), or else a CTag, or nothing.
type state struct {
	Sync string `json:"sync,omitempty"`
	CTag string `json:"ctag,omitempty"`
}

// parseCursor takes what it cannot read for no cursor: the next read is then a whole one.
func parseCursor(text string) (c cursor) {
	if json.Unmarshal([]byte(text), &c) != nil {
		return cursor{}
	}
	return c
}

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings alone
	}
	return string(text)
}

func (c cursor) empty() bool { return len(c.Calendars) == 0 }

func (c cursor) single() bool { return len(c.Homes) == 0 && len(c.Calendars) == 1 }

// names reports whether the calendars are the very ones that were read.
func (c cursor) names(now []collection) bool {
	return len(now) == len(c.Calendars) && !slices.ContainsFunc(now, func(found collection) bool {
		_, ok := c.Calendars[found.id()]
		return !ok
	})
}

// again finds the calendars that the cursor speaks of with as few requests as it takes: none for a calendar with a sync
// token.
func (d *dav) again(ctx context.Context, last cursor) ([]collection, error) {
	if !last.single() {
		return d.inHomes(ctx, last.Homes)
	}
	for path, was := range last.Calendars {
		at, err := d.resolve(d.base, path)
		if err != nil {
			return nil, err
		}
		if was.Sync != "" {
			return []collection{{at: at}}, nil
		}
		now, err := d.describe(ctx, at)
		if err != nil || !now.prop.isCalendar() {
			return nil, orStartOver(err)
		}
		return []collection{now.collection()}, nil
	}
	return nil, nil
}

// inHomes lists the homes again. Whoever starts over finds out why one of them is refused.
func (d *dav) inHomes(ctx context.Context, homes []string) (all []collection, err error) {
	for _, path := range homes {
		at, err := d.resolve(d.base, path)
		if err != nil {
			return nil, err
		}
		found, err := d.children(ctx, at)
		if err != nil {
			return nil, orStartOver(err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// orStartOver makes a refusal of what was asked for a reason to start over. One of who asks, or of when, is not.
func orStartOver(err error) error {
	if err == nil || refusesTheQuestion(err) {
		return errStartOver
	}
	return err
}
