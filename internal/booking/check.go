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

// inTx is a workspace as a transaction sees it, with its host locked. What the picture has and has
// not changed since is not read again.
type txWorkspace struct {
	*snapshot.Config
	copies *snapshot.Calendars
	anew   bool // the copies are not the picture's: they changed since
	tx     *store.Tx
	ended  []slots.Claim // holds that were in the way and are over
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
		w.anew = true
		w.copies, err = snapshot.LoadCalendars(ctx, tx.Queries, w.Config, version.BusyVersion, now)
	}
	return w, err
}

// check judges one start from what the transaction reads now. A booking that is to be moved is left out
// of account. reads say which calendars were read a moment ago.
func (w *txWorkspace) check(ctx context.Context, e *slotd.EventType, start, now time.Time, own *slotd.Booking,
	reads map[int64]time.Time) (slots.Reason, slots.Claims, error) {
	empty := w.Query(e, slots.Claims{}, nil, now)
	reach := empty.Reach(slots.Span{Start: start, End: start.Add(time.Millisecond)})
	claims, err := snapshot.LoadClaims(ctx, w.tx.Queries, w.Config, reach)
	if err != nil {
		return slots.Busy, claims, err
	}
	if own != nil {
		claims = claims.Without(claimOf(own))
	}
	if err := w.endHolds(ctx, claims.Ended(reach, now), now); err != nil {
		return slots.Busy, claims, err
	}
	busy, err := w.copies.BusyAround(reach, func(id uuid.UUID) (bool, error) { return w.counts(ctx, id, own) })
	if err != nil {
		return slots.Busy, claims, err
	}
	reason := slots.Check(w.Query(e, claims, busy, now), start)
	if reason == slots.Free && !w.readable(now, reads) {
		return reason, claims, snapshot.CalendarUnavailable()
	}
	return reason, claims, nil
}

// endHolds takes those out of the way that are over: to the database they are claims like others.
func (w *txWorkspace) endHolds(ctx context.Context, ended []slots.Claim, now time.Time) error {
	for _, claim := range ended {
		if err := endHold(ctx, w.tx, PaymentActor(w.WorkspaceID), w.HostID, claim.Booking, now); err != nil {
			return err
		}
	}
	w.ended = ended
	return nil
}

// counts reports whether a calendar's event that carries a booking's UID takes time: not if the booking
// was canceled, nor if it is the one to be moved.
func (w *txWorkspace) counts(ctx context.Context, id uuid.UUID, own *slotd.Booking) (bool, error) {
	if own != nil && own.ID == id {
		return false, nil
	}
	state, err := w.tx.BookingState(ctx, sqlcgen.BookingStateParams{WorkspaceID: w.WorkspaceID, ID: id.String()})
	if errors.Is(err, sql.ErrNoRows) { // another server's booking: a stranger's event like any other
		return true, nil
	} else if err != nil {
		return true, fmt.Errorf("look for booking %s: %w", id, err)
	}
	return slotd.State(state) != slotd.Canceled, nil
}

// readable reports whether every calendar was read a moment ago or has a copy that is young enough. One
// that was connected anew since then has lost its copy, and what was read was another calendar.
func (w *txWorkspace) readable(now time.Time, reads map[int64]time.Time) bool {
	for i := range w.Calendars {
		cal := &w.Calendars[i]
		readAt := w.copies.ReadBy(cal.ID, now)
		_, live := reads[cal.ID]
		if live && w.anew && readAt.IsZero() {
			return false
		}
		if !live && now.After(readAt.Add(cal.StaleAfter())) {
			return false
		}
	}
	return true
}

// readCalendars asks the host's calendars what they hold now. It is the one network call of a booking,
// and no transaction is open meanwhile.
func (s *Service) readCalendars(ctx context.Context, c *snapshot.Config) map[int64]time.Time {
	if len(c.Calendars) == 0 {
		return nil
	}
	return s.calendars.ReadAll(ctx, c)
}
