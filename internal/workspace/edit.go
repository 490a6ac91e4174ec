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

// EditRequest describes a change to a part of a workspace. The rest stays as it is.
type EditRequest struct {
	Slug string
	// Edit receives the current workspace, under the lock. It must replace maps and slices that it changes as a whole.
	Edit      func(w *slotd.Workspace) error
	Passwords map[string]string // as in Change, like the fields below
	Keys      *seal.Keys
	Now       time.Time
	Then      AfterChange
}

// ValidationError is the error for an edit whose result does not pass Validate. It lists all problems.
type ValidationError struct{ Problems []Problem }

func (i *ValidationError) Error() string {
	lines := make([]string, len(i.Problems))
	for n, p := range i.Problems {
		lines[n] = p.Path + " " + p.Error()
	}
	return strings.Join(lines, "; ")
}

// Edit applies the change in one transaction and returns the previous state. If e.Edit returns an error, nothing
// changes. If the result would not be valid, the error is a *ValidationError.
func Edit(ctx context.Context, db *store.DB, e EditRequest) (before Previous, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		p := &put{
			tx: tx, slug: e.Slug, edit: e.Edit, now: e.Now,
			Change: Change{Passwords: e.Passwords, Keys: e.Keys, Now: e.Now, Then: e.Then},
		}
		before, err = p.run(ctx)
		return err
	})
	return before, err
}

// applyEdit leaves current unchanged: it is still needed for the comparison.
func applyEdit(current *slotd.Workspace, edit func(*slotd.Workspace) error) (*slotd.Workspace, error) {
	next := Copy(current)
	if err := edit(next); err != nil {
		return nil, err
	}
	if problems := Validate(next); len(problems) > 0 {
		return nil, &ValidationError{problems}
	}
	return next, nil
}

// Copy returns the workspace without its retired event types. Replacing a field, map entry or slice element of the copy
// does not affect the original.
func Copy(w *slotd.Workspace) *slotd.Workspace {
	next := *w
	next.Embed.AllowedSites = slices.Clone(w.Embed.AllowedSites)
	next.Schedules = maps.Clone(w.Schedules)
	next.Calendars = slices.Clone(w.Calendars)
	next.EventTypes = slices.DeleteFunc(slices.Clone(w.EventTypes), func(e slotd.EventType) bool { return e.Retired })
	return &next
}

// Version returns a hash of a part of a workspace, such as one event type. A form carries the version that it was
// filled in from, so that a concurrent change is detected when the form is submitted.
func Version(parts ...any) string {
	sum := sha256.Sum256([]byte(encode(parts)))
	return hex.EncodeToString(sum[:8])
}
