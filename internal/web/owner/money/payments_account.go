package money

import (
	"errors"
	"net/http"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
)

// keyTrouble says why Stripe does not accept a key. refused is true if Stripe rejected it, and false if Stripe could
// not be asked.
func (v *visit) keyTrouble(checked error) (reason string, refused bool, err error) {
	reason, err = v.paymentTrouble(v.R.Context(), checked)
	return reason, stripe.IsFinal(checked), err
}

// checkPayments shows whether Stripe accepts the key of the account that guests pay into.
func (v *visit) checkPayments() error {
	c, err := v.payments()
	if err != nil {
		return err
	}
	if c.Locked != "" || !c.Own && !c.Operator {
		c.Trouble = say.T("There is no key to check.")
		return v.showPayments(http.StatusUnprocessableEntity, c)
	}
	answer, err := v.Accounts.Check(v.R.Context(), v.Snapshot.WorkspaceID, v.Accounts.Account(v.Snapshot.Config))
	if err != nil {
		return err
	}
	reason, refused, err := v.keyTrouble(answer)
	switch {
	case err != nil:
		return err
	case refused:
		c.Trouble = say.T("Stripe doesn't accept the key: %s", reason)
		return v.showPayments(http.StatusBadGateway, c)
	case reason != "":
		c.Trouble = say.T("The key couldn't be checked: %s", reason)
		return v.showPayments(http.StatusBadGateway, c)
	}
	c.Checked = say.T("Stripe accepts the key.")
	return v.showPayments(http.StatusOK, c)
}

// connectPayments stores the workspace's own keys after Stripe has accepted them. An empty field keeps the stored key.
func (v *visit) connectPayments() error {
	c, err := v.payments()
	if err != nil {
		return err
	}
	stored := v.accountKeys(c)
	keys := stripe.Keys{Secret: orStored(v.Value("secret"), stored.Secret),
		Webhook: orStored(v.Value("webhook"), stored.Webhook)}
	if v.Value("seen") != c.Version {
		return v.showTheirAccount()
	}
	if answered, err := v.refuseKeys(c, keys); answered || err != nil {
		return err
	}
	change := v.accountChange(c, say.T("Stripe key that ends in %s", keys.Secret[len(keys.Secret)-4:]))
	err = v.Accounts.Connect(v.R.Context(), change, keys)
	if errors.Is(err, accounts.ErrChanged) { // in the meantime, while Stripe was asked
		return v.showTheirAccount()
	} else if err != nil {
		return err
	}
	return v.Redirect("/settings/payments?saved=1")
}

// accountChange returns a change that applies only if the account is still what the page showed.
func (v *visit) accountChange(c *paymentsContent, detail string) accounts.Change {
	return accounts.Change{Slug: v.Snapshot.Slug, Seen: c.Version, By: v.Actor(), Detail: detail, Now: v.Now}
}

// reopenPayments loads the page again after somebody else's change.
func (v *visit) reopenPayments() (c *paymentsContent, err error) {
	if v.Snapshot, err = v.Cache.Latest(v.R.Context(), v.Session.WorkspaceID); err != nil {
		return nil, err
	}
	return v.payments()
}

func (v *visit) showTheirAccount() error {
	c, err := v.reopenPayments()
	if err != nil {
		return err
	}
	c.Theirs = []string{accountNow(c)}
	return v.showPayments(http.StatusConflict, c)
}

func orStored(typed, stored string) string {
	if typed == "" {
		return stored
	}
	return typed
}

// accountNow describes the account after somebody else's change.
func accountNow(c *paymentsContent) string {
	if c.Own {
		return say.T("The workspace now has its own account. Its key ends in %s.", c.LastFour)
	}
	return say.T("The workspace no longer has its own account.")
}

func (v *visit) refuseKeys(c *paymentsContent, keys stripe.Keys) (answered bool, err error) {
	if !stripe.IsSecretKey(keys.Secret) || len(keys.Secret) < shortestKey {
		c.AddProblem("secret", say.T("The key must be a secret or restricted key, such as sk_live_… or rk_live_…."))
	}
	if !stripe.IsWebhookSecret(keys.Webhook) {
		c.AddProblem("webhook", say.T("The signing secret must be the one that Stripe shows for the webhook endpoint, "+
			"such as whsec_…."))
	}
	if len(c.Problems) > 0 {
		return true, v.showPayments(http.StatusUnprocessableEntity, c)
	}
	reason, refused, err := v.keyTrouble(v.Accounts.CheckKey(v.R.Context(), keys.Secret))
	if err != nil || reason == "" {
		return false, err
	}
	if !refused {
		c.Trouble = say.T("Nothing was saved, because the key couldn't be checked: %s", reason)
		return true, v.showPayments(http.StatusBadGateway, c)
	}
	c.AddProblem("secret", say.T("Nothing was saved, because Stripe doesn't accept this key: %s", reason))
	return true, v.showPayments(http.StatusUnprocessableEntity, c)
}

// shortestKey is shorter than any real key. The last four characters of a shorter one would reveal too much of it.
const shortestKey = 20

func (v *visit) disconnectPaymentsPage() error {
	c, err := v.payments()
	if err != nil {
		return err
	}
	return v.showDisconnectPayments(http.StatusOK, c)
}

func (v *visit) showDisconnectPayments(status int, c *paymentsContent) error {
	if v.Accounts.Account(v.Snapshot.Config) != accounts.Own {
		return v.Redirect("/settings/payments")
	}
	return v.Show(status, "payments_disconnect", say.T("Disconnect Stripe"), c)
}

// disconnectPayments needs a second confirmation while guests are paying or have a refund due.
func (v *visit) disconnectPayments() error {
	c, err := v.payments()
	if err != nil {
		return err
	}
	if v.Value("seen") != c.Version {
		return v.askAgainToDisconnect()
	}
	force := v.Value("force") != ""
	if c.Open != "" && !force {
		c.AddProblem("force", say.T("Guests are paying or waiting for a refund. To disconnect the account anyway, select "+
			"the checkbox."))
		return v.showDisconnectPayments(http.StatusUnprocessableEntity, c)
	}
	switch err = v.Accounts.Disconnect(v.R.Context(), v.accountChange(c, c.Open), force); {
	case errors.Is(err, accounts.ErrChanged):
		return v.askAgainToDisconnect()
	case slotd.Is(err, slotd.InvalidArgument): // somebody just began to pay
		return v.Redirect("/settings/payments/disconnect")
	case err != nil:
		return err
	}
	return v.Redirect("/settings/payments?saved=1")
}

// askAgainToDisconnect is shown to an owner who would otherwise disconnect another account than the one they saw.
func (v *visit) askAgainToDisconnect() error {
	c, err := v.reopenPayments()
	if err != nil {
		return err
	}
	c.Trouble = say.T("Someone else changed this in the meantime, so nothing was disconnected. %s To disconnect it, "+
		"press the button again.", accountNow(c))
	return v.showDisconnectPayments(http.StatusConflict, c)
}
