package payments

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/internal/money/stripe/stripetest"
	"slotd/test/await"
	"slotd/test/harness"
)

var (
	// keys matches all API keys and webhook secrets.
	keys = regexp.MustCompile(`VERYSECRET|ALSOSECRET`)
	// private matches what only a guest's own pages and mails may show.
	private = regexp.MustCompile(strings.Join([]string{guestName, "guest[0-9]+@", "Grace Hopper", guestNotes, "/c/pay/",
		"/b/[a-z]+/[A-Za-z0-9_-]{8}"}, "|"))
)

func TestSecrets_StayWhereTheyAre(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			d := onSQLite(t)
			d.stripe.DropEvents()
			o := d.office(t)
			s := d.Serve(t, "--log-level", "debug", "--log-format", format)
			var output strings.Builder
			output.WriteString(o.useEverything(s, 0, ""))
			output.WriteString(o.connect(ownKey)) // Stripe rejects this key and repeats it in the error
			status, page, _ := o.hold(s, "usd", 10)
			if status != http.StatusBadGateway || !strings.Contains(page, "opened right now") {
				t.Errorf("with a key that is not right: %d %s", status, page)
			}
			output.WriteString(o.connect(d.stripe.Key))
			output.WriteString(o.useEverything(s, 20, "?workspace=acme"))
			output.WriteString(o.runCommands())
			await.True(t, "the log has it all", func() bool { return logIsComplete(s.Log.String()) })
			printed := s.Out.String() + s.Log.String()
			wantNoMatch(t, "the log", printed, keys, private)
			wantNoMatch(t, "a command", output.String(), keys, private)
			wantNoMatch(t, "an answer", o.responses.String(), keys)
			wantNoKeysOnDisk(t, d)
			if format == "json" {
				for line := range strings.Lines(printed) {
					if !json.Valid([]byte(line)) {
						t.Errorf("no JSON: %s", line)
					}
				}
			}
		})
	}
}

// logIsComplete reports whether the log holds the expected lines: an empty log would contain no secret either.
func logIsComplete(log string) bool {
	for _, line := range []string{"DEBUG", "a checkout cannot be opened", "an event of Stripe is refused",
		"an event of Stripe is ignored"} {
		if !strings.Contains(log, line) {
			return false
		}
	}
	return true
}

// useEverything acts as guests and hosts while Stripe works and while it fails: its error responses repeat the key. It
// uses several hours, beginning with first.
func (o *office) useEverything(s *harness.Server, first int, account string) (output string) {
	o.t.Helper()
	const openCheckout = "POST /v1/checkout/sessions"
	o.stripe.AddFault(stripetest.Fault{Request: openCheckout, Exact: true, Status: http.StatusInternalServerError,
		Times: 1})
	if status, text, _ := o.hold(s, "usd", first); status != http.StatusBadGateway {
		o.t.Errorf("while Stripe is not well: %d %s", status, text)
	}
	o.stripe.AddFault(stripetest.Fault{Request: openCheckout, Exact: true, Times: 1})
	o.hold(s, "usd", first+1)
	o.mustHold(s, "usd", first+2)
	o.post(s.URL+findLink(o.checkout(first+2).CancelURL, "unpaid"), url.Values{})
	for i, status := range []int{http.StatusInternalServerError, http.StatusUnauthorized} {
		booking := o.payFor(s, first+3+i, account)
		o.stripe.AddFault(stripetest.Fault{Request: "POST /v1/refunds", Status: status, Times: 1000})
		o.cancel(s, booking)
		await.True(o.t, "the refund has failed",
			func() bool { return refundFailed(o.Run(o.t, "jobs", "list"), booking) })
		output += o.runCommands()
		o.stripe.ClearFaults()
	}
	// the server may send this request too
	o.stripe.AddFault(stripetest.Fault{Request: "GET /v1/checkout", Status: http.StatusUnauthorized, Times: 1000})
	reconciled, exit := o.Try("", "payments", "reconcile", "--workspace", "acme")
	o.stripe.ClearFaults()
	if exit == 0 {
		o.t.Errorf("reconcile while Stripe is not well: %s", reconciled)
	}
	return output + reconciled
}

// refundFailed reports whether a list of jobs says why a booking's refund failed.
func refundFailed(list, booking string) bool {
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, booking+".settle ") && strings.Contains(line, "refund a payment: ") {
			return true
		}
	}
	return false
}

// payFor books and pays for hour n, and sends some forged webhooks before the genuine one.
func (o *office) payFor(s *harness.Server, n int, account string) (booking string) {
	o.t.Helper()
	o.mustHold(s, "usd", n)
	o.pay(n)
	o.openGuestPages(s, n)
	event, secret := o.completed(n), o.stripe.Secret
	if account != "" {
		secret = ownSecret
	}
	right := stripetest.Signature(event, secret, time.Now())
	for _, signature := range []string{"", "t=1,v1=00", right, right} {
		stripetest.Post(s.URL+"/api/stripe/webhook"+account, event, signature)
	}
	booking = o.await(n, "confirmed").BookingID
	o.openGuestPages(s, n)
	return booking
}

// openGuestPages opens all pages of the guest who wants hour n.
func (o *office) openGuestPages(s *harness.Server, n int) {
	o.t.Helper()
	c := o.checkout(n)
	o.open(s.URL + findLink(c.SuccessURL, "booking"))
	o.open(s.URL + findLink(c.CancelURL, "unpaid"))
	o.open(s.URL + "/acme/usd?slot=" + instant(slot(n)))
	o.call(s, "create_booking", map[string]any{
		"event_type": "usd", "slot_start": instant(slot(n)), "attendee_name": guestName, "attendee_email": guestOf(n),
		"attendee_time_zone": "UTC",
	})
}

func (o *office) connect(key string) (output string) {
	o.t.Helper()
	wrong, _ := o.Try("", "payments", "connect", "--workspace", "acme", "--own-key", ownSecret, "--own-webhook-secret",
		key)
	right, exit := o.Try("", "payments", "connect", "--workspace", "acme", "--own-key", key, "--own-webhook-secret",
		ownSecret)
	if exit != 0 {
		o.t.Fatalf("connect: exit %d, %s", exit, right)
	}
	return wrong + right
}

// runCommands runs the operator's commands and returns their output.
func (o *office) runCommands() (output string) {
	for _, line := range []string{"payments list --workspace acme", "payments list --workspace acme --json",
		"payments reconcile --workspace acme", "jobs list", "jobs list --json",
		"export --workspace acme", "token list --workspace acme", "serve --stripe-key VERYSECRET\x01", "help", "serve --help", "payments connect --help"} {
		text, _ := o.Try("", strings.Fields(line)...)
		output += text + "\n"
	}
	return output
}

func wantNoMatch(t *testing.T, where, text string, secrets ...*regexp.Regexp) {
	t.Helper()
	if len(text) < 1000 {
		t.Errorf("%s says so little that it proves nothing: %s", where, text)
	}
	for _, secret := range secrets {
		if at := secret.FindStringIndex(text); at != nil {
			t.Errorf("%s tells %q: …%s", where, text[at[0]:at[1]], text[max(0, at[0]-300):at[1]])
		}
	}
}

// wantNoKeysOnDisk checks the bytes of all files that the program stores.
func wantNoKeysOnDisk(t *testing.T, d *deployment) {
	t.Helper()
	foundNotes := false
	err := filepath.WalkDir(d.Data, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if at := keys.FindIndex(text); at != nil {
			t.Errorf("%s holds a key: %q", filepath.Base(path), text[max(0, at[0]-40):at[1]])
		}
		foundNotes = foundNotes || strings.Contains(string(text), guestNotes)
		return err
	})
	if err != nil || !foundNotes {
		t.Errorf("what is not sealed is not found either, so nothing was looked at (%v)", err)
	}
}
