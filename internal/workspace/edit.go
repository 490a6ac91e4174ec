package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"

	"slotd"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
)

// Editing changes a part of a workspace and leaves the rest as it is.
type Editing struct {
	Slug string
	// is given what is there, under the lock; replaces what it changes as a whole
	Edit      func(w *slotd.Workspace) error
	Passwords map[string]string // as in Change, and so are those below
	Keys      *seal.Keys
	Now       time.Time
	Then      Then
}

// Invalid is a workspace as it would have become, with all that is wrong.
type Invalid struct{ Problems []Problem }

func (i *Invalid) Error() string {
	lines := make([]string, len(i.Problems))
	for n, p := range i.Problems {
		lines[n] = p.Path + " " + p.Reason
	}
	return strings.Join(lines, "; ")
}

// Edit makes the change in one transaction, and returns what was before. An error of the editing's own changes nothing;
// what would be wrong afterwards is an *Invalid.
func Edit(ctx context.Context, db *store.DB, e Editing) (before Previous, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		p := &put{
			tx: tx, slug: e.Slug, edit: e.Edit, now: e.Now,
			Change: Change{Passwords: e.Passwords, Keys: e.Keys, Now: e.Now, Then: e.Then},
		}
		before, err = p.do(ctx)
		return err
	})
	return before, err
}

// edited leaves what was alone: it is still needed for comparing.
func edited(was *slotd.Workspace, edit func(*slotd.Workspace) error) (*slotd.Workspace, error) {
	next := Copy(was)
	if err := edit(next); err != nil {
		return nil, err
	}
	if problems := Validate(next); len(problems) > 0 {
		return nil, &Invalid{problems}
	}
	return next, nil
}

// Copy is the workspace without its retired event types. What an edit replaces as a whole in it stays in the original.
func Copy(w *slotd.Workspace) *slotd.Workspace {
	next := *w
	next.Embed.AllowedSites = slices.Clone(w.Embed.AllowedSites)
	next.Schedules = maps.Clone(w.Schedules)
	next.Calendars = slices.Clone(w.Calendars)
	next.EventTypes = slices.DeleteFunc(slices.Clone(w.EventTypes), func(e slotd.EventType) bool { return e.Retired })
	return &next
}

// Mark stands for a part of a workspace as it is now, such as one event type. A form carries the mark of what it was
// filled in from, so that it is noticed if somebody else has changed that meanwhile.
func Version(parts ...any) string {
	sum := sha256.Sum256([]byte(encode(parts)))
	return hex.EncodeToString(sum[:8])
}
