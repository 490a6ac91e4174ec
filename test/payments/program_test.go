package payments

import (
	"testing"

	"slotd/internal/money/stripe/stripetest"
	"slotd/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m, 8) }

// deployment is one database with its Stripe account, on which the tests start and stop servers.
type deployment struct {
	*harness.Deployment
	stripe *stripetest.Stripe
}

func onSQLite(t *testing.T) *deployment {
	t.Helper()
	return withStripe(t, harness.OnSQLite(t))
}

func onPostgres(t *testing.T) *deployment {
	t.Helper()
	return withStripe(t, harness.OnPostgres(t))
}

func withStripe(t *testing.T, d *harness.Deployment) *deployment {
	t.Helper()
	s := stripetest.Start(t)
	s.Now = d.Now
	d.Setenv("SLOTD_STRIPE_KEY", s.Key)
	d.Setenv("SLOTD_STRIPE_WEBHOOK_SECRET", s.Secret)
	d.Setenv("SLOTD_STRIPE_API", s.URL)
	return &deployment{d, s}
}
