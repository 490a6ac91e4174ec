package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
)

// Payments closes what is open with the payment service.
type Payments struct {
	Booking  *booking.Service
	Accounts *accounts.Service
	Now      func() time.Time
}

// How often the payment service is asked about what it does not tell.
const (
	askAboutHold   = time.Minute
	askAboutMoney  = time.Hour
	askAboutRefund = 6 * time.Hour
	lookAtRefund   = 7 * 24 * time.Hour
	keepUnpaid     = 24 * time.Hour
	// longest is how long money may be on its way, to us or back: no way of paying takes longer.
	longest = 30 * 24 * time.Hour
	// stepsAtMost is more than there are between a hold and a refund.
	stepsAtMost = 8
)

// Hear does what follows from an event.
func (p *Payments) ApplyPayment(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	var heard ledger.Statement
	if err := json.Unmarshal([]byte(j.Detail), &heard); err != nil {
		return nil, jobs.Permanent(fmt.Errorf("read the job's detail: %w", err))
	}
	return nil, p.Booking.ApplyPayment(ctx, j.WorkspaceID, j.Booking, heard)
}

// Settle takes one step after the other until nothing is open, or something has to be waited for.
func (p *Payments) Settle(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	for range stepsAtMost {
		m, err := p.Booking.PaymentState(ctx, j.WorkspaceID, j.Booking)
		if err != nil || m == nil {
			return nil, err
		}
		done, err := p.step(ctx, j, m)
		if err != nil && !done && p.lasts(j) {
			return nil, jobs.RetryAt(p.Now().Add(askAboutMoney), err.Error())
		}
		if done && m.Ledger.Due() == 0 {
			j.Failures = 0 // it waits for something else by now
		}
		if done || err != nil {
			return nil, err
		}
	}
	return nil, jobs.RetryAt(p.Now().Add(askAboutMoney), "it does not come to an end")
}

// lasts reports whether a job has failed since long ago. It is not given up, as others are after some days, but
// tried now and then and for ever: nobody may keep what is another's.
func (p *Payments) lasts(j *jobs.Job) bool {
	return j.Failures > 0 && p.Now().Sub(j.DueAt) > 24*time.Hour
}

// step is done when the rest has to wait, which is an error that says until when.
func (p *Payments) step(ctx context.Context, j *jobs.Job, m *booking.PaymentState) (done bool, err error) {
	switch m.LedgerAccount().NextStep(m.HoldEnded(p.Now()), m.SessionID != "") {
	case ledger.EndHold:
		return false, p.Booking.Release(ctx, booking.PaymentActor(j.WorkspaceID), m.Booking.ID)
	case ledger.Abandon:
		return false, p.apply(ctx, m, ledger.Statement{Closed: true})
	case ledger.Await:
		return true, jobs.RetryAt(m.Booking.HeldUntil, "waits for the guest")
	case ledger.Ask, ledger.Close:
		return p.ask(ctx, m)
	case ledger.Refund:
		return p.refund(ctx, j, m)
	case ledger.WatchRefund: // it was made by an earlier try
		return p.watchRefund(ctx, m)
	case ledger.Forget:
		return p.forget(ctx, m)
	}
	return true, nil
}

// forget erases who wanted what was not paid for, a day after it was held: until then they may send the form again, and
// what was told in the wrong order can be put right.
func (p *Payments) forget(ctx context.Context, m *booking.PaymentState) (done bool, err error) {
	if at := time.UnixMilli(m.HeldUntil).Add(keepUnpaid); p.Now().Before(at) {
		return true, jobs.RetryAt(at, "keeps for a day what was typed")
	}
	return false, p.Booking.ForgetGuest(ctx, m.WorkspaceID, m.Booking.ID)
}

func (p *Payments) apply(ctx context.Context, m *booking.PaymentState, h ledger.Statement) error {
	return p.Booking.ApplyPayment(ctx, m.WorkspaceID, m.Booking.ID, h)
}

// ask finds out what became of a checkout, and closes one whose hold has ended.
func (p *Payments) ask(ctx context.Context, m *booking.PaymentState) (done bool, err error) {
	now, waited := p.Now(), p.Now().Sub(time.UnixMilli(m.HeldUntil)) > longest
	s, err := p.session(ctx, m)
	if err != nil && waited {
		return false, errors.Join(err, p.Booking.MailPaymentUnknown(ctx, m.WorkspaceID, m.Booking.ID))
	} else if err != nil {
		return false, err
	}
	isPaid := len(s.Entries) > 0 && s.Entries[0].Kind == ledger.Paid
	closed := s.Status == stripe.Expired || waited && !isPaid
	err = p.apply(ctx, m, ledger.Statement{Entries: s.Entries, Payment: s.Payment, Closed: closed})
	if err == nil && isPaid {
		err = p.isBelieved(ctx, m)
	}
	if err != nil || closed || isPaid {
		return false, err
	}
	if !m.Held() {
		return true, jobs.RetryAt(now.Add(askAboutMoney), "waits for a payment that is under way")
	}
	next := now.Add(askAboutHold)
	if m.Booking.HeldUntil.Before(next) {
		next = m.Booking.HeldUntil
	}
	return true, jobs.RetryAt(next, "waits for the payment")
}

// isBelieved leaves to the owner what was paid in a way that nobody asked for.
func (p *Payments) isBelieved(ctx context.Context, m *booking.PaymentState) error {
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
		if !stripe.IsFinal(err) { // else it was paid, or is closed already
			return s, err
		}
	}
	return client.Session(ctx, m.SessionID)
}

// refund gives back what is due. A first try asks for it at once. A later one looks first: it may have come to
// pass although we did not hear of it.
func (p *Payments) refund(ctx context.Context, j *jobs.Job, m *booking.PaymentState) (done bool, err error) {
	if next := m.Ledger.RefundAfter(askAboutRefund); p.Now().Before(next) {
		return true, p.tellDue(ctx, m, next, "refunds come back")
	}
	client, err := p.Accounts.Client(ctx, m.WorkspaceID, m.Account)
	if err != nil {
		return p.due(ctx, j, m, err)
	}
	if j.Failures > 0 || m.Told || m.Ledger.FailedRefunds() > 0 {
		if _, err := p.look(ctx, client, m); err != nil {
			return p.due(ctx, j, m, err)
		}
		if m, err = p.Booking.PaymentState(ctx, m.WorkspaceID, m.Booking.ID); err != nil || m.Ledger.Due() == 0 {
			return false, err
		}
	}
	entry, underWay, err := client.Refund(ctx, stripe.Booking{WorkspaceID: m.WorkspaceID, ID: m.Booking.ID}, m.Payment,
		m.Ledger.Due(), m.Ledger.FailedRefunds())
	if err != nil {
		return p.due(ctx, j, m, err)
	}
	if err := p.apply(ctx, m, ledger.Statement{Entries: []ledger.Entry{entry}}); err != nil {
		return false, err
	}
	switch {
	case entry.Kind == ledger.Failed:
		return p.due(ctx, j, m, errors.New("the refund failed"))
	case underWay:
		return true, jobs.RetryAt(p.Now().Add(askAboutRefund), "the refund is under way")
	}
	return false, nil
}

func (p *Payments) look(ctx context.Context, client *stripe.Client, m *booking.PaymentState) (underWay bool,
	err error) {
	news, underWay, err := client.Refunds(ctx, m.Payment)
	if err != nil {
		return false, err
	}
	return underWay, p.apply(ctx, m, ledger.Statement{Entries: news})
}

// due is what becomes of a refund that could not be made. The next try looks first, so that one failure alone
// says nothing. When it will not mend itself soon, the owner is told once.
func (p *Payments) due(ctx context.Context, j *jobs.Job, m *booking.PaymentState, cause error) (done bool, err error) {
	const soon = 6 // failures, which take some minutes
	if final := stripe.IsFinal(cause) && j.Failures > 0; !final && j.Failures < soon && !p.lasts(j) {
		return false, cause
	}
	return true, p.tellDue(ctx, m, p.Now().Add(askAboutRefund), cause.Error())
}

// tellDue tells the owner, unless that was done before, and has the job wait.
func (p *Payments) tellDue(ctx context.Context, m *booking.PaymentState, next time.Time, why string) error {
	if err := p.Booking.MailRefundDue(ctx, m.WorkspaceID, m.Booking.ID); err != nil {
		return err
	}
	return jobs.RetryAt(next, why)
}

// watchRefund waits until a refund has arrived, and looks now and then for a month: a bank may send it back.
func (p *Payments) watchRefund(ctx context.Context, m *booking.PaymentState) (done bool, err error) {
	next := p.Now().Add(lookAtRefund)
	isLast := next.After(m.Ledger.RefundedAt().Add(longest))
	underWay, err := p.lookAtRefunds(ctx, m)
	switch {
	case err != nil && isLast: // and nobody can be asked any more
		return true, nil
	case err != nil:
		return false, err
	case underWay:
		return true, jobs.RetryAt(p.Now().Add(askAboutRefund), "the refund is under way")
	}
	if m, err = p.Booking.PaymentState(ctx, m.WorkspaceID, m.Booking.ID); err != nil || m.Ledger.Due() > 0 {
		return false, err
	}
	if err := p.Booking.ResetOwnerMail(ctx, m.WorkspaceID, m.Booking.ID); err != nil || isLast {
		return true, err
	}
	return true, jobs.RetryAt(next, "looks whether the refund stays where it is")
}

func (p *Payments) lookAtRefunds(ctx context.Context, m *booking.PaymentState) (underWay bool, err error) {
	client, err := p.Accounts.Client(ctx, m.WorkspaceID, m.Account)
	if err != nil {
		return false, err
	}
	return p.look(ctx, client, m)
}
