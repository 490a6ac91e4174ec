package money

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"slotd/internal/booking/records"
	"slotd/internal/lib/say"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/web/owner/page"
)

var paymentRoutes = []page.Route[visit]{
	page.At("/settings/payments", page.Fresh, (*visit).paymentsPage, (*visit).connectPayments),
	page.At("/settings/payments/check", page.Fresh, nil, (*visit).checkPayments),
	page.At("/settings/payments/compare", page.Fresh, nil, (*visit).comparePayments),
	page.At("/settings/payments/disconnect", page.Fresh, (*visit).disconnectPaymentsPage, (*visit).disconnectPayments),
}

type paymentsContent struct {
	page.Form
	Own, Operator bool   // whose account guests pay into; neither: they cannot pay
	Locked        string // why the workspace's own keys cannot be used
	LastFour      string // of the workspace's own key
	Mode          string // "test" or "live"; empty: the key does not say
	Webhook       string // the address to register at Stripe
	Events        []string
	Unpayable     []string // titles of event types that have a price nobody can pay
	Open          string   // guests who are paying into the own account or have a refund due; empty: none

	Checked     string
	Compared    string
	Differences []records.Difference

	Payments []paymentLine
	More     bool // there are more than are shown
}

type paymentLine struct{ BookingID, Title, When, State, Paid, Refunded, Note string }

// webhookEvents are the Stripe events that report what happened to a payment.
var webhookEvents = []string{
	"checkout.session.completed", "checkout.session.expired", "checkout.session.async_payment_succeeded",
	"checkout.session.async_payment_failed",
	"refund.created", "refund.updated", "refund.failed", "charge.dispute.created", "charge.dispute.closed",
}

const shownPayments = 50

func (v *visit) paymentsPage() error {
	c, err := v.payments()
	if err != nil {
		return err
	}
	return v.showPayments(http.StatusOK, c)
}

func (v *visit) showPayments(status int, c *paymentsContent) error {
	return v.Show(status, "payments", say.T("Payments"), c)
}

func (v *visit) payments() (*paymentsContent, error) {
	account := v.Accounts.Account(v.Snapshot.Config)
	c := &paymentsContent{
		Own: account == accounts.Own, Operator: account == accounts.Operator, Events: webhookEvents,
		Webhook: v.BaseURL + "/api/stripe/webhook?workspace=" + url.QueryEscape(v.Snapshot.Slug),
	}
	v.accountKeys(c)
	mark, err := v.Accounts.Version(v.R.Context(), v.Snapshot.WorkspaceID)
	if err != nil {
		return nil, err
	}
	c.Form = v.NewForm(mark)
	for _, e := range v.Snapshot.EventTypes {
		if e.Price != nil && !e.Retired && account == "" {
			c.Unpayable = append(c.Unpayable, e.Title)
		}
	}
	open, err := v.Accounts.OpenPayments(v.R.Context(), v.Snapshot.WorkspaceID)
	if err != nil {
		return nil, err
	}
	c.Open = openInWords(open)
	return c, v.listPayments(c)
}

func openInWords(guests int) string {
	if guests == 0 {
		return ""
	}
	return say.N(guests, "%d guest is paying right now or waiting for a refund.",
		"%d guests are paying right now or waiting for a refund.")
}

// accountKeys fills in what may be shown of the account, and returns the workspace's own keys.
func (v *visit) accountKeys(c *paymentsContent) stripe.Keys {
	c.Mode = keyMode(v.Accounts.OperatorKeys.Secret)
	if !c.Own {
		return stripe.Keys{}
	}
	keys, err := v.Accounts.OwnKeys(v.R.Context(), v.Snapshot.WorkspaceID)
	if err != nil {
		v.Log.Warn("a payment account cannot be opened", "workspace", v.Snapshot.WorkspaceID, "error", err)
		c.Locked = say.T("The keys were encrypted with a key file that this server doesn't have. Start the server with " +
			"that file, or enter the keys again.")
	}
	c.Mode = keyMode(keys.Secret)
	c.LastFour = keys.Secret[max(0, len(keys.Secret)-4):]
	return keys
}

// keyMode returns the mode that a Stripe key names itself.
func keyMode(secret string) string {
	_, after, _ := strings.Cut(secret, "_")
	switch {
	case strings.HasPrefix(after, "test_"):
		return "test"
	case strings.HasPrefix(after, "live_"):
		return "live"
	}
	return ""
}

func (v *visit) listPayments(c *paymentsContent) error {
	all, err := v.Records.ListPayments(v.R.Context(), v.Snapshot.WorkspaceID, time.Time{}, shownPayments+1)
	if err != nil {
		return err
	}
	c.More = len(all) > shownPayments
	for _, p := range all[:min(len(all), shownPayments)] {
		c.Payments = append(c.Payments, v.paymentLine(&p))
	}
	return nil
}

func (v *visit) paymentLine(p *records.PaymentSummary) paymentLine {
	l := paymentLine{BookingID: p.BookingID, Title: p.EventTitle, When: v.Local().ShortInstant(p.StartsAt),
		State: string(p.State), Note: p.Note()}
	if p.Paid.AmountCents > 0 {
		l.Paid = p.Paid.String()
	}
	if p.Refunded.AmountCents > 0 {
		l.Refunded = p.Refunded.String()
	}
	return l
}

// comparedDays is how far back payments are compared, and comparesFor is the time limit for it.
const (
	comparedDays = 90
	comparesFor  = 30 * time.Second
)

// comparePayments shows where our ledger and Stripe differ.
func (v *visit) comparePayments() error {
	c, err := v.payments()
	if err != nil {
		return err
	}
	if c.Locked != "" {
		c.Trouble = say.T("The payments couldn't be compared: the keys of your account can't be decrypted.")
		return v.showPayments(http.StatusUnprocessableEntity, c)
	}
	ctx, cancel := context.WithTimeout(v.R.Context(), comparesFor)
	defer cancel()
	compared, differences, err := v.Records.Reconcile(ctx, v.Snapshot.WorkspaceID, v.Now.AddDate(0, 0, -comparedDays))
	switch reason, other := v.paymentTrouble(ctx, err); {
	case other != nil:
		return other
	case reason != "":
		c.Trouble = say.T("The payments couldn't be compared: %s", reason)
		return v.showPayments(http.StatusBadGateway, c)
	}
	c.Differences = differences
	c.Compared = say.N(compared, "We compared %d payment of the last 90 days with Stripe.",
		"We compared %d payments of the last 90 days with Stripe.") + " " +
		say.N(len(differences), "Found %d difference.", "Found %d differences.")
	return v.showPayments(http.StatusOK, c)
}

// paymentTrouble returns the reason to show to the owner for an error of the payment service. The reason contains no
// key and no name of a machine on the way; those go to the log.
func (v *visit) paymentTrouble(ctx context.Context, err error) (reason string, other error) {
	var said *stripe.Error
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, accounts.ErrNoAccount):
		return say.T("there is no Stripe key."), nil
	case v.R.Context().Err() == nil && (errors.Is(err, accounts.ErrNoAnswer) || ctx.Err() != nil):
		return say.T("Stripe took too long to answer. Please try again later."), nil
	case errors.As(err, &said) && said.Status == 0:
		v.Log.Warn("Stripe does not answer", "error", err)
		return say.T("Stripe doesn't answer. Please try again later."), nil
	case errors.As(err, &said) && !said.Final():
		return say.T("Stripe has a temporary problem. Please try again later."), nil
	case errors.As(err, &said):
		return page.WithPeriod(said.Error()), nil
	}
	return "", err
}
