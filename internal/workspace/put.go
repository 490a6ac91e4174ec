package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Change is what a workspace is to become.
type Change struct {
	Desired   *slotd.Workspace  // must have passed Validate
	New       bool              // there must be none of this slug yet
	Passwords map[string]string // of calendars, by name; one that is not in it keeps its own
	Keys      *seal.Keys        // seal the passwords
	Now       time.Time
	DryRun    bool // do all of it and roll back
	Then      Then // what belongs into the same transaction; may be nil
}

// Then is done in the transaction of a change that changed something.
type Then func(ctx context.Context, tx *store.Tx, workspaceID int64, before Previous, after *slotd.Workspace) error

// Before is what a workspace was.
type Previous struct {
	Workspace    *slotd.Workspace // with its retired event types; nil if it is new
	NewPasswords []string         // the calendars that got another one
}

// Put makes a workspace what the change says, in one transaction, and returns what it was before. Writing
// what is there already writes nothing.
func Put(ctx context.Context, db *store.DB, change Change) (before Previous, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		p := &put{tx: tx, Change: change, slug: change.Desired.Slug, desired: change.Desired, now: change.Now}
		before, err = p.do(ctx)
		return err
	})
	if err == errDryRun {
		err = nil
	}
	return before, err
}

func (p *put) do(ctx context.Context) (before Previous, err error) {
	if err := p.run(ctx); err != nil {
		return before, err
	}
	before.NewPasswords = p.newPasswords
	if p.before != nil {
		before.Workspace = &p.before.Workspace
	}
	if p.Then != nil && p.changed {
		err = p.Then(ctx, p.tx, p.id, before, p.desired)
	}
	if err == nil && p.DryRun {
		err = errDryRun
	}
	return before, err
}

var errDryRun = fmt.Errorf("dry run")

// put is one Put under way.
type put struct {
	Change
	tx      *store.Tx
	slug    string
	desired *slotd.Workspace                 // nil: what edit makes of what is there
	edit    func(now *slotd.Workspace) error // may be nil
	now     time.Time

	before       *snapshot.Config // nil: a new workspace
	id           int64
	hostID       int64
	changed      bool
	newPasswords []string
}

func (p *put) run(ctx context.Context) error {
	// Two that create the same workspace at once must see each other.
	if err := p.tx.LockSettings(ctx); err != nil {
		return err
	}
	var err error
	p.before, err = snapshot.LoadConfig(ctx, p.tx.Queries, p.slug)
	switch {
	case slotd.Is(err, slotd.WorkspaceNotFound) && p.edit == nil:
		err = p.create(ctx)
	case err == nil && p.New:
		err = slotd.Errorf(slotd.InvalidArgument, "There is a workspace %q already; choose another address.", p.slug)
	case err == nil:
		err = p.change(ctx)
	}
	if err != nil {
		return err
	}
	if err := p.putSchedules(ctx); err != nil {
		return err
	}
	if err := p.putEventTypes(ctx); err != nil {
		return err
	}
	if err := p.putCalendars(ctx); err != nil {
		return err
	}
	if err := p.dropSchedules(ctx); err != nil || !p.changed {
		return err
	}
	if err := p.tx.BumpConfigVersion(ctx, p.id); err != nil {
		return fmt.Errorf("count the change: %w", err)
	}
	_, err = p.tx.Bump(ctx, p.id)
	return err
}

func (p *put) create(ctx context.Context) error {
	p.id, p.hostID, p.changed = newID(), newID(), true
	d := p.desired
	err := p.tx.InsertWorkspace(ctx, sqlcgen.InsertWorkspaceParams{
		ID: p.id, Slug: d.Slug, Name: d.Name, TimeZone: d.TimeZone,
		Look: encode(d.Look), Embed: encode(d.Embed), CreatedAt: p.now.UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("create workspace %s: %w", d.Slug, err)
	}
	if err := p.tx.InsertVersion(ctx, p.id); err != nil {
		return fmt.Errorf("create workspace %s: %w", d.Slug, err)
	}
	return p.tx.InsertHost(ctx, sqlcgen.InsertHostParams{WorkspaceID: p.id, ID: p.hostID, Name: d.Host.Name,
		Email: d.Host.Email})
}

// change begins with the lock that everyone takes who changes the host's time or what it is offered by.
func (p *put) change(ctx context.Context) (err error) {
	p.id, p.hostID = p.before.WorkspaceID, p.before.HostID
	if err := p.tx.LockHost(ctx, p.id, p.hostID); err != nil {
		return err
	}
	if p.edit != nil {
		if p.desired, err = edited(&p.before.Workspace, p.edit); err != nil {
			return err
		}
	}
	return p.update(ctx)
}

func (p *put) update(ctx context.Context) error {
	d, b := p.desired, p.before
	if d.Name != b.Name || d.TimeZone != b.TimeZone || encode(d.Look) != encode(b.Look) ||
		encode(d.Embed) != encode(b.Embed) {
		p.changed = true
		err := p.tx.UpdateWorkspace(ctx,
			sqlcgen.UpdateWorkspaceParams{ID: p.id, Name: d.Name, TimeZone: d.TimeZone, Look: encode(d.Look),
				Embed: encode(d.Embed)})
		if err != nil {
			return fmt.Errorf("change workspace %s: %w", d.Slug, err)
		}
	}
	if d.Host == b.Host {
		return nil
	}
	p.changed = true
	return p.tx.UpdateHost(ctx, sqlcgen.UpdateHostParams{WorkspaceID: p.id, ID: b.HostID, Name: d.Host.Name,
		Email: d.Host.Email})
}

func (p *put) putSchedules(ctx context.Context) error {
	for name, schedule := range p.desired.Schedules {
		settings := encode(schedule)
		if old, ok := p.schedulesBefore()[name]; ok && encode(old) == settings {
			continue
		}
		p.changed = true
		if err := p.tx.PutSchedule(ctx,
			sqlcgen.PutScheduleParams{WorkspaceID: p.id, Name: name, Settings: settings}); err != nil {
			return fmt.Errorf("keep schedule %s: %w", name, err)
		}
	}
	return nil
}

func (p *put) schedulesBefore() map[string]slotd.Schedule {
	if p.before == nil {
		return nil
	}
	return p.before.Schedules
}

// putEventTypes writes those of the file in its order and retires the others behind them. An
// event type keeps its id for life: bookings point to it.
func (p *put) putEventTypes(ctx context.Context) error {
	old := map[string]int{}
	if p.before != nil {
		for i, e := range p.before.EventTypes {
			old[e.Slug] = i
		}
	}
	after := slices.Clone(p.desired.EventTypes)
	for i := range after {
		after[i].Retired = false
	}
	if p.before != nil {
		after = append(after, p.leftOut()...)
	}
	for position, e := range after {
		if was, known := old[e.Slug]; known {
			b := p.before.EventTypes[was]
			e.ID = b.ID
			if was == position && e.Retired == b.Retired && encode(e) == encode(b) {
				continue
			}
		} else {
			e.ID = newID()
		}
		p.changed = true
		err := p.tx.PutEventType(ctx, sqlcgen.PutEventTypeParams{
			WorkspaceID: p.id, ID: e.ID, Slug: e.Slug, Position: int64(position), Retired: e.Retired,
			Settings: encode(e),
		})
		if err != nil {
			return fmt.Errorf("keep event type %s: %w", e.Slug, err)
		}
	}
	return nil
}

// leftOut lists the event types that the file no longer holds, as retired ones.
func (p *put) leftOut() []slotd.EventType {
	var left []slotd.EventType
	for _, e := range p.before.EventTypes {
		if !slices.ContainsFunc(p.desired.EventTypes, func(d slotd.EventType) bool { return d.Slug == e.Slug }) {
			e.Retired = true
			left = append(left, e)
		}
	}
	return left
}

// dropSchedules deletes those that the file leaves out. One that a retired event type still
// needs, because its bookings can be moved, must stay.
func (p *put) dropSchedules(ctx context.Context) error {
	for name := range p.schedulesBefore() {
		if _, stays := p.desired.Schedules[name]; stays {
			continue
		}
		if err := p.mustBeUnused(ctx, name); err != nil {
			return err
		}
		p.changed = true
		if err := p.tx.DeleteSchedule(ctx, sqlcgen.DeleteScheduleParams{WorkspaceID: p.id, Name: name}); err != nil {
			return fmt.Errorf("drop schedule %s: %w", name, err)
		}
	}
	return nil
}

func (p *put) mustBeUnused(ctx context.Context, schedule string) error {
	for _, e := range p.leftOut() {
		if e.Schedule != schedule {
			continue
		}
		n, err := CountMovable(ctx, p.tx.Queries, p.before, &e, p.now)
		if err != nil {
			return err
		}
		if n > 0 {
			return slotd.Errorf(slotd.InvalidArgument,
				"schedules: %q is left out, but the retired event type %q uses it and has %d bookings that can still "+
					"be moved; keep the schedule until they are over", schedule, e.Slug, n)
		}
	}
	return nil
}

// Movable counts the bookings of an event type that are not over. It needs its schedule as long as there are any, also
// when it is retired.
func CountMovable(ctx context.Context, q *sqlcgen.Queries, c *snapshot.Config, e *slotd.EventType,
	now time.Time) (int64, error) {
	n, err := q.LiveClaimsOfEventType(ctx, sqlcgen.LiveClaimsOfEventTypeParams{
		WorkspaceID: c.WorkspaceID, HostID: c.HostID, EventTypeID: e.ID,
		FromAt: now.Add(-slots.LongestClaim).UnixMilli(), UntilAt: now.UnixMilli(),
	})
	if err != nil {
		return 0, fmt.Errorf("look for bookings of %s: %w", e.Slug, err)
	}
	return n, nil
}

// encode never fails: it is given plain structs only.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// newID is unique without asking the database.
func newID() int64 { return rand.Int64N(1<<62) + 1 }
