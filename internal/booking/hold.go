package booking

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/identity/links"
	"slotd/internal/money"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// DefaultHold is how long a guest has to pay.
const DefaultHold = 30 * time.Minute

// askAfter is how long we wait for a report from the payment service before we ask.
const askAfter = time.Minute

// CheckoutRequest is a request for a slot that costs money.
type CheckoutRequest struct {
	Request
	Config *snapshot.Config // the workspace as the guest saw it; it says into which account they pay
	Local  when.Local       // how the payment page shows times
}

// Checkout is where a guest pays for a held booking. If the same form was submitted and paid for before, the booking is
// not held anymore, and there is no URL.
type Checkout struct {
	Booking *slotd.Booking
	URL     string
}

// CheckoutError means that the payment page could not be opened. The hold has been released, unless ReleaseErr is set.
type CheckoutError struct {
	Err        error
	ReleaseErr error // why the hold could not be released, which ends it later
}

func (e *CheckoutError) Error() string { return "open the checkout: " + e.Err.Error() }
func (e *CheckoutError) Unwrap() error { return e.Err }

// Checkout holds a slot for a guest and opens the page where the guest pays for it. It first releases a hold that an
// earlier version of the same form made.
func (s *Service) Checkout(ctx context.Context, actor Actor, r CheckoutRequest) (*Checkout, error) {
	account := s.accounts.Account(r.Config)
	if account == "" {
		return nil, slotd.Because(slotd.PaymentsOff, slotd.Facts{})
	}
	var replaces bool
	if r.Idempotency != nil {
		var err error
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
	if b.State != slotd.Held { // the same form was submitted and paid for before
		return c, nil
	}
	if c.URL, err = s.openCheckout(ctx, actor.WorkspaceID, b, r.Local); err == nil {
		return c, nil
	}
	// Release uses the guest's context: a guest who submits twice and leaves has the same hold in progress elsewhere.
	return nil, &CheckoutError{err, s.Release(ctx, Attendee(actor.WorkspaceID), b.ID)}
}

// Hold takes a slot for a guest who is about to pay into an account. Nobody else can book the time until the hold is
// paid for, is released or ends.
func (s *Service) Hold(ctx context.Context, actor Actor, r Request, account string) (*slotd.Booking, error) {
	return s.book(ctx, actor, r, account)
}

// openCheckout opens the page where a held booking is paid for, unless it is open already.
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
		ExpiresAt: money.CheckoutExpiry(b.HeldUntil, b.CreatedAt),
	}, s.wait)
	if err != nil {
		return "", err
	}
	return session.URL, s.SaveCheckout(context.WithoutCancel(ctx), workspaceID, b.ID, session.ID, session.URL)
}

// insertCheckout inserts the checkout of a hold and schedules its settlement. A hold sends no mails.
func (n *creation) insertCheckout(ctx context.Context, tx *store.Tx, now time.Time) error {
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

// SaveCheckout stores where a held booking is paid for. It returns an error if the hold is over, so that no guest is
// sent to a checkout that may have been written off.
func (s *Service) SaveCheckout(ctx context.Context, workspaceID int64, id uuid.UUID, session, url string) error {
	return s.inPaymentTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *paymentTx) error {
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

// Release ends a hold. It succeeds and changes nothing if the booking is not held.
func (s *Service) Release(ctx context.Context, actor Actor, id uuid.UUID) error {
	return s.inPaymentTx(ctx, actor.WorkspaceID, id, func(ctx context.Context, tx *store.Tx, t *paymentTx) error {
		if !t.Held() {
			return nil
		}
		now := s.now()
		if err := t.expire(ctx, tx, actor, now); err != nil {
			return err
		}
		return t.scheduleSettlement(ctx, tx, now, now) // the guest may be paying right now
	})
}

// ReleaseEarlier ends the holds that earlier versions of the same form made: a guest may return from the checkout,
// correct the form and submit it again.
func (s *Service) ReleaseEarlier(ctx context.Context, actor Actor, r Idempotency) (released bool, err error) {
	if r.Form == "" {
		return false, nil
	}
	ids, err := s.db.Read().BookingsOfForm(ctx, sqlcgen.BookingsOfFormParams{
		WorkspaceID: actor.WorkspaceID, TokenID: r.TokenID, Form: r.prefix(), NextForm: r.Form + "/", Key: r.stored(),
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

// paymentTx is a transaction about one booking's payment, with the host locked.
type paymentTx struct {
	*PaymentState
	service        *Service
	removed, added []slots.Claim
	changed        bool // the change is visible to others
	commit         commit
}

// inPaymentTx runs do in a transaction about a booking's payment. It does nothing if the booking has no payment.
func (s *Service) inPaymentTx(ctx context.Context, workspaceID int64, id uuid.UUID,
	do func(ctx context.Context, tx *store.Tx, t *paymentTx) error) error {
	m, err := s.PaymentState(ctx, workspaceID, id)
	if err != nil || m == nil {
		return err
	}
	t := &paymentTx{service: s, commit: s.newCommit(workspaceID)}
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

// expire releases the time of a held booking.
func (t *paymentTx) expire(ctx context.Context, tx *store.Tx, actor Actor, now time.Time) error {
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
