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

// Change describes the desired state of a workspace.
type Change struct {
	Desired   *slotd.Workspace  // must have passed Validate
	New       bool              // fail if the slug already exists
	Passwords map[string]string // of calendars, by name; calendars not listed keep their password
	Keys      *seal.Keys        // seal the passwords
	Now       time.Time
	DryRun    bool        // do everything, then roll back
	Then      AfterChange // runs in the same transaction; may be nil
}

// AfterChange is a callback in the transaction of a change. It is not called if nothing changed.
type AfterChange func(ctx context.Context, tx *store.Tx, workspaceID int64, before Previous,
	after *slotd.Workspace) error

// Previous is the state of a workspace before a change.
type Previous struct {
	Workspace    *slotd.Workspace // includes retired event types; nil if the workspace is new
	NewPasswords []string         // names of the calendars whose password changed
}

// Put brings a workspace into the desired state in one transaction and returns the previous state. If nothing differs,
// it writes nothing.
func Put(ctx context.Context, db *store.DB, change Change) (before Previous, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		p := &put{tx: tx, Change: change, slug: change.Desired.Slug, desired: change.Desired, now: change.Now}
		before, err = p.run(ctx)
		return err
	})
	if err == errDryRun {
		err = nil
	}
	return before, err
}

func (p *put) run(ctx context.Context) (before Previous, err error) {
	if err := p.write(ctx); err != nil {
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

// put is a running Put or Edit.
type put struct {
	Change
	tx      *store.Tx
	slug    string
	desired *slotd.Workspace                 // nil in an Edit, until edit has run
	edit    func(now *slotd.Workspace) error // nil in a Put
	now     time.Time

	before       *snapshot.Config // nil for a new workspace
	id           int64
	hostID       int64
	changed      bool
	newPasswords []string
}

func (p *put) write(ctx context.Context) error {
	// Two transactions that create the same workspace must see each other.
	if err := p.tx.LockSettings(ctx); err != nil {
		return err
	}
	var err error
	p.before, err = snapshot.LoadConfig(ctx, p.tx.Queries, p.slug)
	switch {
	case slotd.Is(err, slotd.WorkspaceNotFound) && p.edit == nil:
		err = p.create(ctx)
	case err == nil && p.New:
		err = slotd.Because(slotd.SlugTaken, slotd.Facts{Name: p.slug})
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
	_, err = p.tx.BumpVersion(ctx, p.id)
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

// change starts with the lock that everything takes that changes the host's time or the rules by which it is offered.
func (p *put) change(ctx context.Context) (err error) {
	p.id, p.hostID = p.before.WorkspaceID, p.before.HostID
	if err := p.tx.LockHost(ctx, p.id, p.hostID); err != nil {
		return err
	}
	if p.edit != nil {
		if p.desired, err = applyEdit(&p.before.Workspace, p.edit); err != nil {
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
		if old, ok := p.previousSchedules()[name]; ok && encode(old) == settings {
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

func (p *put) previousSchedules() map[string]slotd.Schedule {
	if p.before == nil {
		return nil
	}
	return p.before.Schedules
}

// putEventTypes writes the event types in the order of the file, followed by the retired ones. An event type keeps its
// id forever, because bookings refer to it.
func (p *put) putEventTypes(ctx context.Context) error {
	oldPositions := map[string]int{}
	if p.before != nil {
		for i, e := range p.before.EventTypes {
			oldPositions[e.Slug] = i
		}
	}
	after := slices.Clone(p.desired.EventTypes)
	for i := range after {
		after[i].Retired = false
	}
	if p.before != nil {
		after = append(after, p.removedEventTypes()...)
	}
	for position, e := range after {
		if oldPosition, known := oldPositions[e.Slug]; known {
			b := p.before.EventTypes[oldPosition]
			e.ID = b.ID
			if oldPosition == position && e.Retired == b.Retired && encode(e) == encode(b) {
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

// removedEventTypes returns the event types that the file does not contain, marked as retired.
func (p *put) removedEventTypes() []slotd.EventType {
	var removed []slotd.EventType
	for _, e := range p.before.EventTypes {
		if !slices.ContainsFunc(p.desired.EventTypes, func(d slotd.EventType) bool { return d.Slug == e.Slug }) {
			e.Retired = true
			removed = append(removed, e)
		}
	}
	return removed
}

// dropSchedules deletes the schedules that the file does not contain. A schedule must stay while a retired event type
// needs it, because bookings of that event type can still be moved.
func (p *put) dropSchedules(ctx context.Context) error {
	for name := range p.previousSchedules() {
		if _, keep := p.desired.Schedules[name]; keep {
			continue
		}
		if err := p.checkUnused(ctx, name); err != nil {
			return err
		}
		p.changed = true
		if err := p.tx.DeleteSchedule(ctx, sqlcgen.DeleteScheduleParams{WorkspaceID: p.id, Name: name}); err != nil {
			return fmt.Errorf("drop schedule %s: %w", name, err)
		}
	}
	return nil
}

func (p *put) checkUnused(ctx context.Context, schedule string) error {
	for _, e := range p.removedEventTypes() {
		if e.Schedule != schedule {
			continue
		}
		n, err := CountMovable(ctx, p.tx.Queries, p.before, &e, p.now)
		if err != nil {
			return err
		}
		if n > 0 {
			return slotd.Because(slotd.ScheduleInUse,
				slotd.Facts{Name: schedule, EventType: e.Slug, Count: int(n)})
		}
	}
	return nil
}

// CountMovable counts the bookings of an event type that are not over. While there are any, the event type needs its
// schedule, even if it is retired.
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

// encode never fails, because it only gets plain structs.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// newID returns a random id, which is unique without asking the database.
func newID() int64 { return rand.Int64N(1<<62) + 1 }
