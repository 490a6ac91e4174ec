package payments

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
	"slotd/test/await"
	"slotd/test/harness"
)

const (
	ownKey    = "sk_live_OWNVERYSECRET9876543210"
	ownSecret = "whsec_OWNALSOSECRET9876543210"
)

// bistro is another workspace, with its own account.
var bistro = strings.ReplaceAll(workspace, "acme", "bistro")

func TestWebhook_WhatIsForgedOrForeignChangesNothing(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	d.stripe.Silence()
	o := d.office(t)
	d.Apply(t, bistro)
	d.Run(t, "payments", "connect", "--workspace", "bistro", "--own-key", ownKey, "--own-webhook-secret",
		ownSecret)
	s := d.Serve(t)
	o.mustHold(s, "usd", 1)
	o.pay(1)
	paid := string(o.completed(1))
	stranger := strings.Replace(paid, `"object":"event"`, `"object":"event","account":"acct_other"`, 1)
	unknown := strings.ReplaceAll(paid, o.checkout(1).ID, "cs_test_999999")
	unsigned := func() string { return "" }
	signed := func(body, secret string) func() string { return signature(body, secret, 0) }
	outputBefore, rowsBefore := o.commandOutput(), o.storedRows()
	for _, c := range []struct {
		name, query, body string
		signature         func() string // of the moment at which the event is sent
		status            int
		logged            string
	}{
		{"a wrong signature", "", paid, signed(paid, "whsec_guessed"), 400, "refused"},
		{"no signature", "", paid, unsigned, 400, "refused"},
		{"an old timestamp", "", paid, signature(paid, d.stripe.Secret, 6*time.Minute), 400, "refused"},
		{"another text than was signed", "", unknown, signed(paid, d.stripe.Secret), 400,
			"refused"},
		{"no event", "", "[]", signed("[]", d.stripe.Secret), 400, "refused"},
		{"too long", "", strings.Repeat(" ", 1<<20), unsigned, 413, "refused"},
		{"an account that is connected to ours", "", stranger,
			signed(stranger, d.stripe.Secret), 200, "ignored"},
		{"another account", "?workspace=bistro", paid, signed(paid, ownSecret), 200,
			"ignored"},
		{"another account's address", "?workspace=bistro", paid,
			signed(paid, d.stripe.Secret), 400, "refused"},
		{"another account's secret", "", paid, signed(paid, ownSecret), 400, "refused"},
		{"an unknown checkout", "", unknown, signed(unknown, d.stripe.Secret), 200,
			"ignored"},
		{"an unknown workspace", "?workspace=nobody", paid, signed(paid, d.stripe.Secret),
			404, "refused"},
	} {
		lines := o.eventLogLines(s)
		status, err := stripetest.Post(s.URL+"/api/stripe/webhook"+c.query, []byte(c.body), c.signature())
		if err != nil || status != c.status {
			t.Errorf("%s: %d, %v; want %d", c.name, status, err, c.status)
		}
		await.True(t, c.name+" is logged", func() bool { return len(o.eventLogLines(s)) > len(lines) })
		if added := o.eventLogLines(s)[len(lines):]; len(added) != 1 || !strings.Contains(added[0], c.logged) {
			t.Errorf("%s: the log says %q", c.name, added)
		}
		if diff := cmp.Diff(rowsBefore, o.storedRows()); diff != "" {
			t.Fatalf("%s (-before +after):\n%s", c.name, diff)
		}
	}
	if diff := cmp.Diff(outputBefore, o.commandOutput()); diff != "" {
		t.Fatalf("(-before +after):\n%s", diff)
	}
	if status, err := o.send(s, "", []byte(paid)); err != nil || status != http.StatusOK {
		t.Fatalf("the true event: %d, %v", status, err)
	}
	o.await(1, "confirmed")
}

// signature returns a function that signs the body as Stripe did some time before.
func signature(body, secret string, before time.Duration) func() string {
	return func() string { return stripetest.Signature([]byte(body), secret, time.Now().Add(-before)) }
}

// eventLogLines returns the log's lines about Stripe events.
func (o *office) eventLogLines(s *harness.Server) (lines []string) {
	for line := range strings.Lines(s.Log.String()) {
		if strings.Contains(line, "event of Stripe") {
			lines = append(lines, line)
		}
	}
	return lines
}

// commandOutput returns what the commands print about workspaces, bookings and payments.
func (o *office) commandOutput() (all []string) {
	o.t.Helper()
	for _, slug := range []string{"acme", "bistro"} {
		all = append(all, o.Run(o.t, "export", "--workspace", slug),
			o.Run(o.t, "payments", "list", "--json", "--workspace", slug))
	}
	return all
}

// storedRows returns the rows of the database, except for the job that asks Stripe: how often it has run depends on how
// long the test takes.
func (o *office) storedRows() (rows []string) {
	o.t.Helper()
	for row := range strings.SplitSeq(testdb.Dump(o.t, filepath.Join(o.Data, "slotd.db")), "\n") {
		if !strings.HasPrefix(row, "jobs: ") || !strings.Contains(row, ".settle | ") {
			rows = append(rows, row)
		}
	}
	return rows
}
