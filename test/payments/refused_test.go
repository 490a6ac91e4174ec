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
	d.command(t, bistro, "apply", "-f", "-")
	d.command(t, "", "payments", "connect", "--workspace", "bistro", "--own-key", ownKey, "--own-webhook-secret",
		ownSecret)
	s := d.start(t)
	o.mustHold(s, "usd", 1)
	o.pay(1)
	paid := string(o.completed(1))
	stranger := strings.Replace(paid, `"object":"event"`, `"object":"event","account":"acct_other"`, 1)
	unknown := strings.ReplaceAll(paid, o.checkout(1).ID, "cs_test_999999")
	now, old := time.Now(), time.Now().Add(-6*time.Minute)
	outputBefore, rowsBefore := o.commandOutput(), o.storedRows()
	for _, c := range []struct {
		name, query, body, signature string
		status                       int
		logged                       string
	}{
		{"a wrong signature", "", paid, stripetest.Signature([]byte(paid), "whsec_guessed", now), 400, "refused"},
		{"no signature", "", paid, "", 400, "refused"},
		{"an old timestamp", "", paid, stripetest.Signature([]byte(paid), d.stripe.Secret, old), 400, "refused"},
		{"another text than was signed", "", unknown, stripetest.Signature([]byte(paid), d.stripe.Secret, now), 400,
			"refused"},
		{"no event", "", "[]", stripetest.Signature([]byte("[]"), d.stripe.Secret, now), 400, "refused"},
		{"too long", "", strings.Repeat(" ", 1<<20), "", 413, "refused"},
		{"an account that is connected to ours", "", stranger,
			stripetest.Signature([]byte(stranger), d.stripe.Secret, now), 200, "ignored"},
		{"another account", "?workspace=bistro", paid, stripetest.Signature([]byte(paid), ownSecret, now), 200,
			"ignored"},
		{"another account's address", "?workspace=bistro", paid,
			stripetest.Signature([]byte(paid), d.stripe.Secret, now), 400, "refused"},
		{"another account's secret", "", paid, stripetest.Signature([]byte(paid), ownSecret, now), 400, "refused"},
		{"an unknown checkout", "", unknown, stripetest.Signature([]byte(unknown), d.stripe.Secret, now), 200,
			"ignored"},
		{"an unknown workspace", "?workspace=nobody", paid, stripetest.Signature([]byte(paid), d.stripe.Secret, now),
			404, "refused"},
	} {
		lines := o.eventLogLines(s)
		status, err := stripetest.Post(s.url+"/api/stripe/webhook"+c.query, []byte(c.body), c.signature)
		if err != nil || status != c.status {
			t.Errorf("%s: %d, %v; want %d", c.name, status, err, c.status)
		}
		eventually(t, c.name+" is logged", func() bool { return len(o.eventLogLines(s)) > len(lines) })
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

// eventLogLines returns the log's lines about Stripe events.
func (o *office) eventLogLines(s *server) (lines []string) {
	for line := range strings.Lines(s.log.String()) {
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
		all = append(all, o.command(o.t, "", "export", "--workspace", slug),
			o.command(o.t, "", "payments", "list", "--json", "--workspace", slug))
	}
	return all
}

// storedRows returns the rows of the database, except for the job that asks Stripe: how often it has run depends on how
// long the test takes.
func (o *office) storedRows() (rows []string) {
	o.t.Helper()
	for row := range strings.SplitSeq(testdb.Dump(o.t, filepath.Join(o.data, "slotd.db")), "\n") {
		if !strings.HasPrefix(row, "jobs: ") || !strings.Contains(row, ".settle | ") {
			rows = append(rows, row)
		}
	}
	return rows
}
