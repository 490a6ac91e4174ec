package booking

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/when"
	"slotd/internal/identity/links"
	"slotd/internal/money"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// DefaultHold is how long a guest has for paying.
const DefaultHold = 30 * time.Minute

// askAfter is how long we wait for the payment service to tell, before we ask.
const askAfter = time.Minute

// CheckoutRequest asks for a slot that has to be paid for.
type CheckoutRequest struct {
	Request
	Local when.Local // how the guest reads times; the payment page shows it so
}

// Checkout is where a guest pays for a held booking. Where the same form was sent and paid before, it has no URL: the
// booking is not held any more.
type Checkout struct {
	Booking *slotd.Booking
	URL     string
}

// CheckoutError says why the payment page could not be opened. The hold has been released.
type CheckoutError struct{ Err error }

func (e *CheckoutError) Error() string { return "open the checkout: " + e.Err.Error() }
func (e *CheckoutError) Unwrap() error { return e.Err }

// Checkout holds a slot for a guest and opens the page where they pay for it. A hold that an earlier version of the same
// form made is released first.
func (s *Service) Checkout(ctx context.Context, actor Actor, r CheckoutRequest) (*Checkout, error) {
	p, err := s.cache.WorkspaceByID(ctx, actor.WorkspaceID)
	if err != nil {
		return nil, err
	}
	account := s.accounts.Account(p.Config)
	if account == "" {
		return nil, slotd.Errorf(slotd.PaymentRequired, "payments are not set up")
	}
	replaces := false
	if r.Idempotency != nil {
		if replaces, err = s.ReleaseEarlier(ctx, Attendee(actor.WorkspaceID), *r.Idempotency); err != nil {
			return nil, err
		}
	}
	if permit := r.PermitHold; permit != nil {
		r.Permit = func() error { return permit(replaces) }
	}
	b, err := s.Hold(ctx, actor, r.Request, account)
	if err != nil {
		return nil, err
	}
	c := &Checkout{Booking: b}
	if b.State != slotd.Held { // the same form was sent before, and has been paid for
		return c, nil
	}
	if c.URL, err = s.openCheckout(ctx, actor.WorkspaceID, b, r.Local); err == nil {
		return c, nil
	}
	// Release keeps the guest's context: somebody who presses twice and leaves has the same hold in progress elsewhere.
	if released := s.Release(ctx, Attendee(actor.WorkspaceID), b.ID); released != nil {
		return nil, errors.Join(err, released)
	}
	return nil, &CheckoutError{err}
}

// Hold takes a slot for a guest who is about to pay for it into an account. The time is taken for everyone until it is
// paid for, released, or the hold ends.
func (s *Service) Hold(ctx context.Context, actor Actor, r Request, account string) (*slotd.Booking, error) {
	return s.book(ctx, actor, r, account)
}

// openCheckout opens the page where a held booking is paid for, once.
func (s *Service) openCheckout(ctx context.Context, workspaceID int64, b *slotd.Booking,
	local when.Local) (address string, err error) {
	m, err := s.PaymentState(ctx, workspaceID, b.ID)
	if err != nil {
		return "", err
	} else if m.SessionID != "" {
		return m.Url, nil
	}
	client, err := s.accounts.Client(ctx, workspaceID, m.Account)
	if err != nil {
		return "", err
	}
	path := func(purpose links.Purpose) string { return s.baseURL + s.links.Path(purpose, workspaceID, b.ID) }
	session, err := money.OpenCheckout(ctx, client, stripe.Order{
		Booking: stripe.Booking{WorkspaceID: workspaceID, ID: b.ID},
		Title:   b.EventTitle, When: local.Span(b.StartsAt, b.EndsAt).String(),
		Amount: b.Price.AmountCents, Currency: b.Price.Currency, Email: b.Attendee.Email,
		SuccessURL: path(links.Booking), CancelURL: path(links.Unpaid),
		ExpiresAt: money.CheckoutEnds(b.HeldUntil, b.CreatedAt),
	}, s.wait)
	if err != nil {
		return "", err
	}
	return session.URL, s.SaveCheckout(context.WithoutCancel(ctx), workspaceID, b.ID, session.ID, session.URL)
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

// SaveCheckout notes where a held booking is paid for. Once the hold is over nobody is sent there: what is open by
// then may have been written off.
func (s *Service) SaveCheckout(ctx context.Context, workspaceID int64, id uuid.UUID, session, url string) error {
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
		now := s.now()
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
	ids, err := s.db.Read().BookingsOfForm(ctx, sqlcgen.BookingsOfFormParams{
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
	err = s.db.InHostTx(ctx, workspaceID, m.HostID, func(ctx context.Context, tx *store.Tx) error {
		t.commit.begin()
		t.removed, t.added, t.changed = nil, nil, false
		if t.PaymentState, err = LoadPaymentState(ctx, tx.Queries, workspaceID, id); err != nil {
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
	if s.wake != nil {
		s.wake()
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
