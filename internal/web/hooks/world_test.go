package hooks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
	"slotd/internal/web/webtest"
	"slotd/test/worlds"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var (
	background = context.Background()
	monday     = worlds.Monday
)

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
	*worlds.World
	*Stripe
	held map[string]*slotd.Booking
}

func eachDB(t *testing.T, test func(t *testing.T, w *world)) {
	worlds.Each(t, func(t *testing.T, w *worlds.World) { test(t, newWorld(w)) })
}

func lite(t *testing.T) *world { return newWorld(worlds.OnSQLite(t)) }

func newWorld(base *worlds.World) *world {
	base.T.Helper()
	services := webtest.NewServices(base, base.DB, base.Cache)
	services.Accounts.OperatorKeys = operator
	w := &world{World: base, held: map[string]*slotd.Booking{}, Stripe: &Stripe{
		Booking: services.Booking, Cache: base.Cache, Now: base.Clock.Now, Accounts: services.Accounts,
		Log: base.Log.Logger(),
	}}
	for slug := range secrets {
		w.addWorkspace(slug)
	}
	return w
}

// addWorkspace creates a workspace with a held booking.
func (w *world) addWorkspace(slug string) {
	w.T.Helper()
	w.Apply(fmt.Sprintf(office, slug))
	if slug != "acme" {
		w.Must(w.Accounts.Connect(background,
			accounts.Change{Slug: slug, By: slotd.Operator, Now: monday},
			stripe.Keys{Secret: "sk_live_" + slug + "SECRET", Webhook: secrets[slug]}))
	}
	c := w.Config(slug)
	request := booking.Request{EventType: "paid", StartsAt: monday.Add(2 * time.Hour),
		Attendee: slotd.Attendee{Name: "Grace Guest", Email: "grace@guest.example", TimeZone: "UTC"}}
	var err error
	w.held[slug], err = w.Booking.Hold(background, booking.Page(c.WorkspaceID), request,
		w.Accounts.Account(c))
	w.Must(err)
	w.Must(w.Booking.SaveCheckout(background, c.WorkspaceID, w.held[slug].ID, "cs_"+slug, "https://pay.example/"+slug))
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
			`"metadata":{"slotd_workspace":"%d","slotd_booking":"%s"}}`, w.WorkspaceID(slug), w.held[slug].ID))
}

// webhookPath returns the path for the events of a workspace's own account.
func webhookPath(slug string) string { return Path + "?workspace=" + slug }

func sign(body []byte, slug string) string {
	return stripetest.Signature(body, secrets[slug], time.Now()) // Stripe's library checks against the real clock
}

// post sends an event. The log then contains only the lines about it.
func (w *world) post(target string, body []byte, signature string) *httptest.ResponseRecorder {
	w.T.Helper()
	return w.do(http.MethodPost, target, bytes.NewReader(body), signature)
}

func (w *world) do(method, target string, body io.Reader, signature string) *httptest.ResponseRecorder {
	w.T.Helper()
	w.World.Log.Reset()
	r := httptest.NewRequest(method, target, body)
	if signature != "" {
		r.Header.Set("Stripe-Signature", signature)
	}
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	w.wantNoSecrets(answer.Body.String() + w.World.Log.String())
	return answer
}

// wantNoSecrets checks that the text contains neither secrets nor personal data.
func (w *world) wantNoSecrets(text string) {
	w.T.Helper()
	for _, private := range []string{"SECRET", "Grace", "guest.example", "acme.example"} {
		if strings.Contains(text, private) {
			w.T.Errorf("%s is told in: %s", private, text)
		}
	}
}

// wantLogged checks that the log has exactly one line and that it contains the reason.
func (w *world) wantLogged(about, why string) {
	w.T.Helper()
	if logged := w.World.Log.String(); strings.Count(logged, "\n") != 1 || !strings.Contains(logged, why) {
		w.T.Errorf("%s: logged %q, want one line with %q", about, logged, why)
	}
}
