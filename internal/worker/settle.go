package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/lib/say"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
)

// Payments settles bookings' payments with the payment service.
type Payments struct {
	Booking  *booking.Service
	Accounts *accounts.Service
	Now      func() time.Time
}

// How often to ask the payment service about what it does not report by itself, and other limits.
const (
	holdPollInterval      = time.Minute
	paymentPollInterval   = time.Hour
	refundPollInterval    = 6 * time.Hour
	refundRecheckInterval = 7 * 24 * time.Hour
	keepUnpaidFor         = 24 * time.Hour
	// maxTransit is how long money may be in transit, to us or back. No payment method takes longer.
	maxTransit = 30 * 24 * time.Hour
	// maxSteps is more than the number of steps from a hold to a refund.
	maxSteps = 8
)

// ApplyPayment applies a statement from an event of the payment service.
func (p *Payments) ApplyPayment(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	var statement ledger.Statement
	if err := json.Unmarshal([]byte(j.Detail), &statement); err != nil {
		return nil, jobs.Permanent(fmt.Errorf("read the job's detail: %w", err))
	}
	return nil, p.Booking.ApplyPayment(ctx, j.WorkspaceID, j.Booking, statement)
}

// Settle takes one step after another until the payment is settled, or until it has to wait.
func (p *Payments) Settle(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	for range maxSteps {
		m, err := p.Booking.PaymentState(ctx, j.WorkspaceID, j.Booking)
		if err != nil || m == nil {
			return nil, err
		}
		done, err := p.step(ctx, j, m)
		if err != nil && !done && p.failsForLong(j) {
			return nil, jobs.RetryAt(p.Now().Add(paymentPollInterval), err.Error())
		}
		if done && m.Ledger.Due() == 0 {
			j.Failures = 0 // the job now waits for something else
		}
		if done || err != nil {
			return nil, err
		}
	}
	return nil, jobs.RetryAt(p.Now().Add(paymentPollInterval), say.T("the payment isn't settled yet"))
}

// failsForLong reports whether a job has been failing for more than a day. Other jobs are given up after some days.
// This one is retried every now and then, forever: nobody may keep money that belongs to somebody else.
func (p *Payments) failsForLong(j *jobs.Job) bool {
	return j.Failures > 0 && p.Now().Sub(j.DueAt) > 24*time.Hour
}

// step takes one step. done means that there is nothing more to do now; if something is left, err says when to retry.
func (p *Payments) step(ctx context.Context, j *jobs.Job, m *booking.PaymentState) (done bool, err error) {
	switch m.LedgerAccount().NextStep(m.HoldEnded(p.Now()), m.SessionID != "") {
	case ledger.EndHold:
		return false, p.Booking.Release(ctx, booking.Payments(j.WorkspaceID), m.Booking.ID)
	case ledger.Abandon:
		return false, p.apply(ctx, m, ledger.Statement{Closed: true})
	case ledger.Await:
		return true, jobs.RetryAt(m.Booking.Hold.Until, say.T("waiting for the guest to pay"))
	case ledger.Ask, ledger.Close:
		return p.checkPayment(ctx, m)
	case ledger.Refund:
		return p.refund(ctx, j, m)
	case ledger.WatchRefund: // an earlier step or attempt made the refund
		return p.watchRefund(ctx, m)
	case ledger.Forget:
		return p.forgetGuest(ctx, m)
	}
	return true, nil
}

// forgetGuest erases the guest of a booking that was not paid for, a day after its hold ended. Until then the guest may
// submit the form again, and events that arrive in the wrong order can still be corrected.
func (p *Payments) forgetGuest(ctx context.Context, m *booking.PaymentState) (done bool, err error) {
	if at := m.Booking.Hold.Until.Add(keepUnpaidFor); p.Now().Before(at) {
		return true, jobs.RetryAt(at, say.T("keeping the guest's details for a day"))
	}
	return false, p.Booking.ForgetGuest(ctx, m.WorkspaceID, m.Booking.ID)
}

func (p *Payments) apply(ctx context.Context, m *booking.PaymentState, statement ledger.Statement) error {
	return p.Booking.ApplyPayment(ctx, m.WorkspaceID, m.Booking.ID, statement)
}

// checkPayment asks for a checkout's state and applies it. It closes the checkout if its hold has ended.
func (p *Payments) checkPayment(ctx context.Context, m *booking.PaymentState) (done bool, err error) {
	now, overdue := p.Now(), p.Now().Sub(m.Booking.Hold.Until) > maxTransit
	s, err := p.session(ctx, m)
	if err != nil && overdue {
		return false, errors.Join(err, p.Booking.MailPaymentUnknown(ctx, m.WorkspaceID, m.Booking.ID))
	} else if err != nil {
		return false, err
	}
	isPaid := len(s.Entries) > 0 && s.Entries[0].Kind == ledger.Paid
	closed := s.Status == stripe.Expired || overdue && !isPaid
	err = p.apply(ctx, m, ledger.Statement{Entries: s.Entries, Payment: s.Payment, Closed: closed})
	if err == nil && isPaid {
		err = p.checkAmount(ctx, m)
	}
	if err != nil || closed || isPaid {
		return false, err
	}
	if !m.Held() {
		return true, jobs.RetryAt(now.Add(paymentPollInterval), say.T("waiting for a payment in progress"))
	}
	next := now.Add(holdPollInterval)
	if m.Booking.Hold.Until.Before(next) {
		next = m.Booking.Hold.Until
	}
	return true, jobs.RetryAt(next, say.T("waiting for the payment"))
}

// checkAmount returns an error and mails the owner if the ledger did not accept the payment, because its amount is not
// what we asked for.
func (p *Payments) checkAmount(ctx context.Context, m *booking.PaymentState) error {
	after, err := p.Booking.PaymentState(ctx, m.WorkspaceID, m.Booking.ID)
	if err != nil || after.Ledger.Payment() != "" {
		return err
	}
	return errors.Join(errors.New("another amount was paid than was asked for"),
		p.Booking.MailPaymentUnknown(ctx, m.WorkspaceID, m.Booking.ID))
}

func (p *Payments) session(ctx context.Context, m *booking.PaymentState) (*stripe.Session, error) {
	client, err := p.Accounts.Client(ctx, m.WorkspaceID, m.Account)
	if err != nil {
		return nil, err
	}
	if !m.Held() {
		s, err := client.Expire(ctx, m.SessionID)
		if !stripe.IsFinal(err) { // a final error means that it was paid or is already closed
			return s, err
		}
	}
	return client.Session(ctx, m.SessionID)
}

// refund refunds what is due. The first attempt requests the refund at once. A later attempt first looks at the
// existing refunds, because an earlier request may have succeeded without our receiving the response.
func (p *Payments) refund(ctx context.Context, j *jobs.Job, m *booking.PaymentState) (done bool, err error) {
	if next := m.Ledger.RefundAfter(refundPollInterval); p.Now().Before(next) {
		return true, p.mailRefundDue(ctx, m, next, say.T("earlier refunds were returned"))
	}
	client, err := p.Accounts.Client(ctx, m.WorkspaceID, m.Account)
	if err != nil {
		return p.refundFailed(ctx, j, m, err)
	}
	if j.Failures > 0 || m.Told || m.Ledger.FailedRefunds() > 0 {
		if _, err := p.recordRefunds(ctx, client, m); err != nil {
			return p.refundFailed(ctx, j, m, err)
		}
		if m, err = p.Booking.PaymentState(ctx, m.WorkspaceID, m.Booking.ID); err != nil || m.Ledger.Due() == 0 {
			return false, err
		}
	}
	entry, pending, err := client.Refund(ctx, stripe.Booking{WorkspaceID: m.WorkspaceID, ID: m.Booking.ID}, m.Payment,
		m.Ledger.Due(), m.Ledger.FailedRefunds())
	if err != nil {
		return p.refundFailed(ctx, j, m, err)
	}
	if err := p.apply(ctx, m, ledger.Statement{Entries: []ledger.Entry{entry}}); err != nil {
		return false, err
	}
	switch {
	case entry.Kind == ledger.Failed:
		return p.refundFailed(ctx, j, m, errors.New("the refund failed"))
	case pending:
		return true, jobs.RetryAt(p.Now().Add(refundPollInterval), say.T("the refund is in progress"))
	}
	return false, nil
}

// recordRefunds posts all refunds of a payment to the ledger. pending reports whether one has not arrived yet.
func (p *Payments) recordRefunds(ctx context.Context, client *stripe.Client, m *booking.PaymentState) (pending bool,
	err error) {
	entries, pending, err := client.Refunds(ctx, m.Payment)
	if err != nil {
		return false, err
	}
	return pending, p.apply(ctx, m, ledger.Statement{Entries: entries})
}

// refundFailed decides what to do about a refund that could not be made. A single failure means nothing, because the
// next attempt first looks at the existing refunds. If the problem does not go away soon, it mails the owner once.
func (p *Payments) refundFailed(ctx context.Context, j *jobs.Job, m *booking.PaymentState, cause error) (done bool,
	err error) {
	const mailAfter = 6 // failures, which take some minutes
	if final := stripe.IsFinal(cause) && j.Failures > 0; !final && j.Failures < mailAfter && !p.failsForLong(j) {
		return false, cause
	}
	return true, p.mailRefundDue(ctx, m, p.Now().Add(refundPollInterval), cause.Error())
}

// mailRefundDue mails the owner, unless that was done before, and makes the job wait.
func (p *Payments) mailRefundDue(ctx context.Context, m *booking.PaymentState, next time.Time, reason string) error {
	if err := p.Booking.MailRefundDue(ctx, m.WorkspaceID, m.Booking.ID); err != nil {
		return err
	}
	return jobs.RetryAt(next, reason)
}

// watchRefund waits until a refund has arrived, and then checks it now and then for a month: a bank may return it.
func (p *Payments) watchRefund(ctx context.Context, m *booking.PaymentState) (done bool, err error) {
	next := p.Now().Add(refundRecheckInterval)
	isLast := next.After(m.Ledger.RefundedAt().Add(maxTransit))
	pending, err := p.updateRefunds(ctx, m)
	switch {
	case err != nil && isLast: // the account may be gone, so there is nobody to ask
		return true, nil
	case err != nil:
		return false, err
	case pending:
		return true, jobs.RetryAt(p.Now().Add(refundPollInterval), say.T("the refund is in progress"))
	}
	if m, err = p.Booking.PaymentState(ctx, m.WorkspaceID, m.Booking.ID); err != nil || m.Ledger.Due() > 0 {
		return false, err
	}
	if err := p.Booking.ResetOwnerMail(ctx, m.WorkspaceID, m.Booking.ID); err != nil || isLast {
		return true, err
	}
	return true, jobs.RetryAt(next, say.T("checking that the refund isn't returned"))
}

// updateRefunds is recordRefunds with a new client.
func (p *Payments) updateRefunds(ctx context.Context, m *booking.PaymentState) (pending bool, err error) {
	client, err := p.Accounts.Client(ctx, m.WorkspaceID, m.Account)
	if err != nil {
		return false, err
	}
	return p.recordRefunds(ctx, client, m)
}
