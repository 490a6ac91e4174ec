package booking

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
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
		return nil, errNoAccount()
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
	if !b.IsHeldFor(slotd.ForPayment) { // the same form was submitted and paid for before
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
	if account == "" {
		return nil, errNoAccount()
	}
	return s.book(ctx, actor, r, s.afterPayment(account))
}

func errNoAccount() error { return slotd.Because(slotd.PaymentsOff, slotd.Facts{}) }

// afterPayment is the plan of a booking that becomes definite when it is paid for.
func (s *Service) afterPayment(account string) plan {
	return plan{
		start: slotd.ByHold, hold: slotd.ForPayment, holdFor: s.holdFor,
		accepts: func(_ *snapshot.Config, e *slotd.EventType, r Request) error {
			if e.Price == nil || r.ShownPrice != nil && *r.ShownPrice != ShownPriceOf(e) {
				return ErrPriceChanged
			}
			return nil
		},
		followUp: func(ctx context.Context, tx *store.Tx, c *snapshot.Config, b *slotd.Booking) error {
			return insertCheckout(ctx, tx, c.WorkspaceID, account, b)
		},
	}
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
		ExpiresAt: money.CheckoutExpiry(b.Hold.Until, b.CreatedAt),
	}, s.wait)
	if err != nil {
		return "", err
	}
	return session.URL, s.SaveCheckout(context.WithoutCancel(ctx), workspaceID, b.ID, session.ID, session.URL)
}

// insertCheckout inserts the checkout of a hold and schedules its settlement. A hold sends no mails.
func insertCheckout(ctx context.Context, tx *store.Tx, workspaceID int64, account string, b *slotd.Booking) error {
	now := b.CreatedAt
	err := tx.InsertCheckout(ctx, sqlcgen.InsertCheckoutParams{
		WorkspaceID: workspaceID, BookingID: b.ID.String(), Account: account, CreatedAt: now.UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("insert checkout: %w", err)
	}
	first := now.Add(askAfter)
	if b.Hold.Until.Before(first) {
		first = b.Hold.Until
	}
	return scheduleSettlement(ctx, tx, workspaceID, b.ID, first, now)
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

// Release ends a hold, whatever its reason. It succeeds and changes nothing if the booking is not held.
func (s *Service) Release(ctx context.Context, actor Actor, id uuid.UUID) error {
	return s.inBookingTx(ctx, actor.WorkspaceID, id, func(ctx context.Context, tx *store.Tx, t *bookingTx) error {
		if !t.booking.IsHeld() {
			return nil
		}
		now := s.now()
		if err := t.transition(ctx, tx, actor, slotd.ByHoldEnd, now); err != nil {
			return err
		}
		if t.booking.Hold.Reason != slotd.ForPayment {
			return nil
		}
		// The guest may be paying right now.
		return scheduleSettlement(ctx, tx, actor.WorkspaceID, id, now, now)
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
	*bookingTx
}

// inPaymentTx runs do in a transaction about a booking's payment. It does nothing if the booking has no payment.
func (s *Service) inPaymentTx(ctx context.Context, workspaceID int64, id uuid.UUID,
	do func(ctx context.Context, tx *store.Tx, t *paymentTx) error) error {
	return s.inBookingTx(ctx, workspaceID, id, func(ctx context.Context, tx *store.Tx, t *bookingTx) error {
		m, err := loadCheckout(ctx, tx.Queries, workspaceID, id)
		if err != nil || m == nil {
			return err
		}
		m.Booking, m.HostID = t.booking, t.hostID
		if m.Ledger, err = LoadLedger(ctx, tx.Queries, workspaceID, id); err != nil {
			return err
		}
		return do(ctx, tx, &paymentTx{m, t})
	})
}
