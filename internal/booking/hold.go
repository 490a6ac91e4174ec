package booking

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// DefaultHold is how long a guest has for paying.
const DefaultHold = 30 * time.Minute

// askAfter is how long we wait for the payment service to tell, before we ask.
const askAfter = time.Minute

// Hold takes a slot for a guest who is about to pay for it. Its time is taken for everyone until it is paid
// for, released, or the hold ends. The account is whose the money will be.
func (s *Service) Hold(ctx context.Context, actor Actor, r Request, account string) (*slotd.Booking, error) {
	return s.book(ctx, actor, r, account)
}

// hold writes what a hold has instead of mails.
func (n *creation) hold(ctx context.Context, tx *store.Tx, now time.Time) error {
	b := n.booking
	err := tx.InsertCheckout(ctx, sqlcgen.InsertCheckoutParams{
		WorkspaceID: n.actor.WorkspaceID, BookingID: b.ID.String(), Account: n.account,
		HeldUntil: b.HeldUntil.UnixMilli(), CreatedAt: now.UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("insert checkout: %w", err)
	}
	m := &PaymentState{Booking: b}
	m.WorkspaceID, m.BookingID = n.actor.WorkspaceID, b.ID.String()
	first := now.Add(askAfter)
	if b.HeldUntil.Before(first) {
		first = b.HeldUntil
	}
	return m.scheduleSettlement(ctx, tx, first, now)
}

// OpenCheckout notes where a held booking is paid for. Once the hold is over nobody is sent there: what is open by
// then may have been written off.
func (s *Service) OpenCheckout(ctx context.Context, workspaceID int64, id uuid.UUID, session, url string) error {
	return s.inMoneyTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *moneyTx) error {
		if !t.Held() {
			return fmt.Errorf("booking %s is not held any more", id)
		}
		n, err := tx.OpenCheckout(ctx,
			sqlcgen.OpenCheckoutParams{WorkspaceID: workspaceID, BookingID: id.String(), SessionID: session, Url: url})
		if err == nil && n == 0 {
			err = fmt.Errorf("booking %s is paid for elsewhere", id)
		}
		return err
	})
}

// Release ends a hold. Releasing what is not held changes nothing and succeeds.
func (s *Service) Release(ctx context.Context, actor Actor, id uuid.UUID) error {
	return s.inMoneyTx(ctx, actor.WorkspaceID, id, func(ctx context.Context, tx *store.Tx, t *moneyTx) error {
		if !t.Held() {
			return nil
		}
		now := s.Now()
		if err := t.expire(ctx, tx, actor, now); err != nil {
			return err
		}
		return t.scheduleSettlement(ctx, tx, now, now) // somebody may be paying at this moment
	})
}

// ReleaseEarlier ends the holds that an earlier version of the same form has made: a guest may come back from the
// payment, mend what was typed and send it again. A form's keys are its name, a dot, and its content.
func (s *Service) ReleaseEarlier(ctx context.Context, actor Actor, r Idempotency) (released bool, err error) {
	form, _, _ := strings.Cut(r.Key, ".")
	ids, err := s.DB.Read().BookingsOfForm(ctx, sqlcgen.BookingsOfFormParams{
		WorkspaceID: actor.WorkspaceID, TokenID: r.TokenID, Form: form + ".", NextForm: form + "/", Key: r.Key,
	})
	if err != nil {
		return false, fmt.Errorf("look for earlier versions of the form: %w", err)
	}
	for _, text := range ids {
		id, err := uuid.Parse(text)
		if err == nil {
			err = s.Release(ctx, actor, id)
		}
		if err != nil {
			return released, err
		}
		released = true
	}
	return released, nil
}

// turn is one booking's money in a transaction with its host locked.
type moneyTx struct {
	*PaymentState
	service        *Service
	removed, added []slots.Claim
	changed        bool // in what others can see
	commit         commit
}

// withMoney does something about the payment of a booking; nothing if it has none.
func (s *Service) inMoneyTx(ctx context.Context, workspaceID int64, id uuid.UUID,
	do func(ctx context.Context, tx *store.Tx, t *moneyTx) error) error {
	m, err := s.PaymentState(ctx, workspaceID, id)
	if err != nil || m == nil {
		return err
	}
	t := &moneyTx{service: s, commit: s.newCommit(workspaceID)}
	defer t.commit.end()
	err = s.DB.InHostTx(ctx, workspaceID, m.HostID, func(ctx context.Context, tx *store.Tx) error {
		t.commit.begin()
		t.removed, t.added, t.changed = nil, nil, false
		if t.PaymentState, err = loadPayment(ctx, tx.Queries, workspaceID, id); err != nil {
			return err
		}
		if err := do(ctx, tx, t); err != nil || !t.changed {
			return err
		}
		return t.commit.bump(ctx, tx)
	})
	if err != nil {
		return err
	}
	t.commit.publish(t.removed, t.added)
	if s.Wake != nil {
		s.Wake()
	}
	return nil
}

// expire gives a held booking's time back.
func (t *moneyTx) expire(ctx context.Context, tx *store.Tx, actor Actor, now time.Time) error {
	t.removed, t.changed = append(t.removed, claimOf(t.Booking)), true
	t.Booking.State = slotd.Expired
	return endHold(ctx, tx, actor, t.HostID, t.Booking.ID, now)
}

func endHold(ctx context.Context, tx *store.Tx, actor Actor, hostID int64, id uuid.UUID, now time.Time) error {
	err := tx.SetBookingState(ctx,
		sqlcgen.SetBookingStateParams{WorkspaceID: actor.WorkspaceID, ID: id.String(), State: string(slotd.Expired)})
	if err != nil {
		return fmt.Errorf("end the hold of booking %s: %w", id, err)
	}
	err = tx.DeleteClaim(ctx, sqlcgen.DeleteClaimParams{WorkspaceID: actor.WorkspaceID, HostID: hostID,
		BookingID: id.String()})
	if err != nil {
		return fmt.Errorf("release the claim of booking %s: %w", id, err)
	}
	return recordEvent(ctx, tx, actor, id, now, "expired", map[string]string{})
}
