package hooks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/lib/seal"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var background = context.Background()

// monday is the start of the clock: Monday 2027-02-01, an hour before the opening hours.
var monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

const office = `
workspace: {slug: %s, name: Office, time_zone: UTC}
host: {name: Ada Park, email: ada@acme.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"]}}}
event_types:
  - {slug: paid, title: Consulting, duration_minutes: 60, location: {type: video}, price: {amount_cents: 5000, currency: usd}}
`

// secrets sign the events of each account. acme's guests pay into the operator's account, the others have their own.
var secrets = map[string]string{"acme": "whsec_operatorSECRET", "own": "whsec_ownSECRET", "rival": "whsec_rivalSECRET"}

var operator = stripe.Keys{Secret: "sk_live_operatorSECRET", Webhook: secrets["acme"]}

// world is a server with three workspaces. Each has a held booking with the checkout cs_SLUG.
type world struct {
	t      *testing.T
	target string
	db     *store.DB
	clock  *testdb.Clock
	log    *bytes.Buffer
	*Stripe
	held map[string]*slotd.Booking
	ids  map[string]int64
}

func eachDB(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target)) })
}

func newWorld(t *testing.T, target string) *world {
	t.Helper()
	w := &world{
		t: t, target: target, db: testdb.Open(t, target), clock: testdb.NewClock(monday), log: &bytes.Buffer{},
		held: map[string]*slotd.Booking{}, ids: map[string]int64{},
	}
	signer, err := links.Load(background, w.db, monday)
	w.must(err)
	cache, err := snapshot.NewCache(background, w.db, w.clock.Now)
	w.must(err)
	t.Cleanup(cache.Close)
	keys, err := seal.Ensure(filepath.Join(t.TempDir(), "secret.key"))
	w.must(err)
	w.Stripe = &Stripe{
		Booking: booking.New(booking.Config{DB: w.db, Cache: cache, Links: signer, Now: w.clock.Now,
			BaseURL: "https://book.example", VideoURL: "https://rooms.example/{room}", HoldFor: booking.DefaultHold}),
		Cache: cache, Now: w.clock.Now,
		Accounts: &accounts.Service{DB: w.db, Keys: keys, OperatorKeys: operator, API: stripe.DefaultAPI},
		Log:      slog.New(slog.NewTextHandler(w.log, nil)),
	}
	for slug := range secrets {
		w.addWorkspace(slug)
	}
	return w
}

// addWorkspace creates a workspace with a held booking.
func (w *world) addWorkspace(slug string) {
	w.t.Helper()
	file, err := file.Read(fmt.Appendf(nil, office, slug))
	w.must(err)
	_, err = workspace.Put(background, w.db, workspace.Change{Desired: &file.Workspace, Now: monday})
	w.must(err)
	if slug != "acme" {
		w.must(w.Accounts.Connect(background,
			accounts.Change{Slug: slug, By: identity.Operator, Now: monday},
			stripe.Keys{Secret: "sk_live_" + slug + "SECRET", Webhook: secrets[slug]}))
	}
	c, err := snapshot.LoadConfig(background, w.db.Read(), slug)
	w.must(err)
	w.ids[slug] = c.WorkspaceID
	request := booking.Request{EventType: "paid", StartsAt: monday.Add(2 * time.Hour),
		Attendee: slotd.Attendee{Name: "Grace Guest", Email: "grace@guest.example", TimeZone: "UTC"}}
	w.held[slug], err = w.Booking.Hold(background, booking.Actor{WorkspaceID: c.WorkspaceID, Name: "page"}, request,
		w.Accounts.Account(c))
	w.must(err)
	w.must(w.Booking.SaveCheckout(background, c.WorkspaceID, w.held[slug].ID, "cs_"+slug, "https://pay.example/"+slug))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// event returns an event as Stripe sends it.
func event(id, kind, object string) []byte {
	return fmt.Appendf(nil, `{"id":%q,"object":"event","type":%q,"data":{"object":%s}}`, id, kind, object)
}

func paid(slug string) []byte {
	return event("evt_paid", "checkout.session.completed",
		`{"id":"cs_`+slug+`","amount_total":5000,"currency":"usd","payment_status":"paid","payment_intent":"pi_`+slug+
			`",`+
			`"customer_details":{"email":"grace@guest.example","name":"Grace Guest"}}`)
}

// refunded returns a refund event without a known payment, so that only its metadata names the booking.
func (w *world) refunded(slug string) []byte {
	return event("evt_refund", "refund.created",
		fmt.Sprintf(`{"id":"re_1","amount":5000,"currency":"usd","status":"succeeded","payment_intent":"pi_x",`+
			`"metadata":{"slotd_workspace":"%d","slotd_booking":"%s"}}`, w.ids[slug], w.held[slug].ID))
}

// webhookPath returns the path for the events of a workspace's own account.
func webhookPath(slug string) string { return Path + "?workspace=" + slug }

func sign(body []byte, slug string) string {
	return stripetest.Signature(body, secrets[slug], time.Now()) // Stripe's library checks against the real clock
}

// post sends an event. The log then contains only the lines about it.
func (w *world) post(target string, body []byte, signature string) *httptest.ResponseRecorder {
	w.t.Helper()
	return w.do(http.MethodPost, target, bytes.NewReader(body), signature)
}

func (w *world) do(method, target string, body io.Reader, signature string) *httptest.ResponseRecorder {
	w.t.Helper()
	w.log.Reset()
	r := httptest.NewRequest(method, target, body)
	if signature != "" {
		r.Header.Set("Stripe-Signature", signature)
	}
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	w.wantNoSecrets(answer.Body.String() + w.log.String())
	return answer
}

// wantNoSecrets checks that the text contains neither secrets nor personal data.
func (w *world) wantNoSecrets(text string) {
	w.t.Helper()
	for _, private := range []string{"SECRET", "Grace", "guest.example", "acme.example"} {
		if strings.Contains(text, private) {
			w.t.Errorf("%s is told in: %s", private, text)
		}
	}
}

// wantLogged checks that the log has exactly one line and that it contains the reason.
func (w *world) wantLogged(about, why string) {
	w.t.Helper()
	if logged := w.log.String(); strings.Count(logged, "\n") != 1 || !strings.Contains(logged, why) {
		w.t.Errorf("%s: logged %q, want one line with %q", about, logged, why)
	}
}

func (w *world) dump() string { w.t.Helper(); return testdb.Dump(w.t, w.target) }
