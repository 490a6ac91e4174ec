package money

import (
	"errors"
	"net/http"

	"slotd"
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
		c.Trouble = "There is no key that could be checked."
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
		c.Trouble = "Stripe does not let the key in: " + reason
		return v.showPayments(http.StatusBadGateway, c)
	case reason != "":
		c.Trouble = "The key could not be checked: " + reason
		return v.showPayments(http.StatusBadGateway, c)
	}
	c.Checked = "Stripe lets the key in."
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
	change := v.accountChange(c, "Stripe key that ends in "+keys.Secret[len(keys.Secret)-4:])
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
		return "The workspace has an account of its own now, with the key that ends in " + c.LastFour + "."
	}
	return "The workspace has no account of its own any more."
}

func (v *visit) refuseKeys(c *paymentsContent, keys stripe.Keys) (answered bool, err error) {
	if !stripe.IsSecretKey(keys.Secret) || len(keys.Secret) < shortestKey {
		c.AddProblem("secret", "The key must be a secret or a restricted one, such as sk_live_… or rk_live_….")
	}
	if !stripe.IsWebhookSecret(keys.Webhook) {
		c.AddProblem("webhook", "The signing secret must be the one that Stripe shows for the webhook endpoint, such "+
			"as "+
			"whsec_….")
	}
	if len(c.Problems) > 0 {
		return true, v.showPayments(http.StatusUnprocessableEntity, c)
	}
	reason, refused, err := v.keyTrouble(v.Accounts.CheckKey(v.R.Context(), keys.Secret))
	if err != nil || reason == "" {
		return false, err
	}
	if !refused {
		c.Trouble = "Nothing was saved, because the key could not be checked: " + reason
		return true, v.showPayments(http.StatusBadGateway, c)
	}
	c.AddProblem("secret", "Nothing was saved, because Stripe does not let this key in: "+reason)
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
	return v.Show(status, "payments_disconnect", "Disconnect Stripe", c)
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
		c.AddProblem("force", "Guests are paying, or have money to get back. Tick the box if the account is to be "+
			"disconnected all the same.")
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
	c.Trouble = "Somebody else has changed this meanwhile, and nothing was disconnected. " + accountNow(c) +
		" Press the button again if that one is to be disconnected."
	return v.showDisconnectPayments(http.StatusConflict, c)
}
