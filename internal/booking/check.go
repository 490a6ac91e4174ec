package booking

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// txWorkspace is a workspace as a transaction sees it, with its host locked. The transaction reloads only what has
// changed since the snapshot.
type txWorkspace struct {
	*snapshot.Config
	copies     *snapshot.Calendars
	reloaded   bool // the copies changed since the snapshot
	tx         *store.Tx
	endedHolds []slots.Claim // holds that overlapped and were over
}

func loadInTx(ctx context.Context, tx *store.Tx, p *snapshot.Snapshot, now time.Time) (*txWorkspace, error) {
	version, err := tx.Version(ctx, p.WorkspaceID)
	if err != nil {
		return nil, fmt.Errorf("read the version of the workspace: %w", err)
	}
	w := &txWorkspace{Config: p.Config, copies: p.Busy, tx: tx}
	if version.ConfigVersion != p.Config.Version {
		if w.Config, err = snapshot.LoadConfig(ctx, tx.Queries, p.Slug); err != nil {
			return nil, err
		}
	}
	if version.ConfigVersion != p.Config.Version || version.BusyVersion != p.Busy.Version {
		w.reloaded = true
		w.copies, err = snapshot.LoadCalendars(ctx, tx.Queries, w.Config, version.BusyVersion, now)
	}
	return w, err
}

// check decides whether a start is free, from what the transaction reads now. It ignores the booking that is being
// moved, if any. reads contains the calendars that were read live just before.
func (w *txWorkspace) check(ctx context.Context, e *slotd.EventType, start, now time.Time, moving *slotd.Booking,
	reads map[int64]time.Time) (slots.Reason, slots.Claims, error) {
	empty := w.Query(e, slots.Claims{}, nil, now)
	reach := empty.Reach(slots.Span{Start: start, End: start.Add(time.Millisecond)})
	claims, err := snapshot.LoadClaims(ctx, w.tx.Queries, w.Config, reach)
	if err != nil {
		return slots.Busy, claims, err
	}
	if moving != nil {
		claims = claims.Without(claimOf(moving))
	}
	if err := w.endHolds(ctx, claims.Expired(reach, now), now); err != nil {
		return slots.Busy, claims, err
	}
	busy, err := w.copies.BusyAround(reach, func(id uuid.UUID) (bool, error) { return w.takesTime(ctx, id, moving) })
	if err != nil {
		return slots.Busy, claims, err
	}
	reason := slots.Check(w.Query(e, claims, busy, now), start)
	if reason == slots.Free && !w.calendarsFresh(now, reads) {
		return reason, claims, snapshot.CalendarUnavailable()
	}
	return reason, claims, nil
}

// endHolds removes holds that are over. To the database they are claims like any others.
func (w *txWorkspace) endHolds(ctx context.Context, ended []slots.Claim, now time.Time) error {
	for _, claim := range ended {
		if err := w.endHold(ctx, claim.Booking, now); err != nil {
			return err
		}
	}
	w.endedHolds = ended
	return nil
}

func (w *txWorkspace) endHold(ctx context.Context, id uuid.UUID, now time.Time) error {
	b, _, err := readBooking(ctx, w.tx.Queries, w.WorkspaceID, id)
	if err != nil {
		return err
	} else if b == nil {
		return fmt.Errorf("there is a claim but no booking %s", id)
	}
	actor := Actor{w.WorkspaceID, slotd.Actor{Kind: b.Hold.Reason.Info().EndedBy}}
	return transition(ctx, w.tx, actor, w.HostID, b, slotd.ByHoldEnd, now)
}

// takesTime reports whether a calendar event with a booking's UID takes time. It does not if the booking takes
// none anymore, or if it is the one being moved.
func (w *txWorkspace) takesTime(ctx context.Context, id uuid.UUID, moving *slotd.Booking) (bool, error) {
	if moving != nil && moving.ID == id {
		return false, nil
	}
	state, err := w.tx.BookingState(ctx, sqlcgen.BookingStateParams{WorkspaceID: w.WorkspaceID, ID: id.String()})
	if errors.Is(err, sql.ErrNoRows) { // a booking of another server: an event like any other
		return true, nil
	} else if err != nil {
		return true, fmt.Errorf("look for booking %s: %w", id, err)
	}
	return slotd.State(state).TakesTime(), nil
}

// calendarsFresh reports whether every calendar was read live just before or has a recent copy. A calendar that was
// reconnected since the live read has lost its copy, and the live read was of another calendar.
func (w *txWorkspace) calendarsFresh(now time.Time, reads map[int64]time.Time) bool {
	for i := range w.Calendars {
		cal := &w.Calendars[i]
		readAt := w.copies.ReadBy(cal.ID, now)
		_, live := reads[cal.ID]
		if live && w.reloaded && readAt.IsZero() {
			return false
		}
		if !live && now.After(readAt.Add(cal.StaleAfter())) {
			return false
		}
	}
	return true
}

// readCalendars reads the host's calendars live. It is the only network call of a booking, and no transaction is open
// meanwhile.
func (s *Service) readCalendars(ctx context.Context, c *snapshot.Config) map[int64]time.Time {
	if len(c.Calendars) == 0 {
		return nil
	}
	return s.calendars.ReadAll(ctx, c)
}
