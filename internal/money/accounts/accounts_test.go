package accounts

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/seal"
	"slotd/internal/money/stripe"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
	"slotd/test/worlds"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var (
	background = context.Background()
	monday     = worlds.Monday

	operator = stripe.Keys{Secret: "sk_live_operatorSECRET", Webhook: "whsec_operatorSECRET"}
	own      = stripe.Keys{Secret: "sk_live_ownSECRET", Webhook: "whsec_ownSECRET"}

	byOperator = Change{Slug: "acme", By: slotd.Operator, Now: monday}
)

const office = `
workspace: {slug: acme, name: Acme Inc, time_zone: UTC}
host: {name: Ada Park, email: ada@acme.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"]}}}
event_types: [{slug: intro, title: Intro, duration_minutes: 30, location: {type: video}}]
calendars: [{name: office, type: caldav, url: "https://dav.example/ada/office/", username: ada, password_env: DAV}]
`

// world is a workspace whose calendar has a password, and a payment service that records the keys it gets.
type world struct {
	*worlds.World
	*Service
	file     *slotd.Workspace
	usedKeys []string
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	worlds.Each(t, func(t *testing.T, base *worlds.World) { test(t, newWorld(base)) })
}

func newWorld(base *worlds.World) *world {
	base.T.Helper()
	w := &world{World: base}
	stripe := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		w.usedKeys = append(w.usedKeys, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}))
	base.T.Cleanup(stripe.Close)
	w.Service = &Service{DB: base.DB, Keys: base.Keys, OperatorKeys: operator, API: stripe.URL}
	file, err := file.Read([]byte(office))
	w.Must(err)
	w.file = &file.Workspace
	w.put("correct horse")
	return w
}

// put applies the file, with the password of its calendar.
func (w *world) put(password string) {
	w.T.Helper()
	_, err := workspace.Put(background, w.Service.DB, workspace.Change{Desired: w.file, Keys: w.Service.Keys,
		Passwords: map[string]string{"office": password}, Now: monday})
	w.Must(err)
}

func (w *world) config() *snapshot.Config { w.T.Helper(); return w.Config("acme") }

func (w *world) connect() {
	w.T.Helper()
	w.Must(w.Connect(background, byOperator, own))
}

// wantKey checks which key is sent to the payment service for an account.
func (w *world) wantKey(account, want string) {
	w.T.Helper()
	client, err := w.Client(background, w.config().WorkspaceID, account)
	w.Must(err)
	client.Session(background, "cs_1")
	if got := w.usedKeys[len(w.usedKeys)-1]; got != want {
		w.T.Errorf("account %q is asked with %s", account, got)
	}
}

func (w *world) wantNone(account string) {
	w.T.Helper()
	if _, err := w.Client(background, w.config().WorkspaceID, account); !errors.Is(err, ErrNoAccount) {
		w.T.Errorf("account %q: %v", account, err)
	}
}

func TestAccount_ItsOwnBeforeTheOperators(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		want := func(about, account string) {
			t.Helper()
			if got := w.Account(w.config()); got != account {
				t.Errorf("%s: %q, want %q", about, got, account)
			}
		}
		want("the operator's", Operator)
		w.connect()
		want("its own", Own)
		w.OperatorKeys = stripe.Keys{}
		want("its own alone", Own)
		w.Must(w.Disconnect(background, byOperator, true))
		want("none", "")
		w.OperatorKeys = stripe.Keys{Webhook: operator.Webhook}
		want("a webhook secret is no account", "")
	})
}

// A payment is refunded from the account that received it, whichever account is in use now.
func TestClient_UsesTheKeyOfTheAccountThatIsAskedFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.wantNone(Own)
		w.wantKey(Operator, operator.Secret)
		w.connect()
		w.wantKey(Own, own.Secret)
		w.wantKey(Operator, operator.Secret)
		w.OperatorKeys = stripe.Keys{}
		w.wantNone(Operator)
		w.Must(w.Disconnect(background, byOperator, true))
		w.wantNone(Own)
	})
}

func TestWebhookSecret_IsTheAccounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		want := func(workspaceID int64, want string) {
			t.Helper()
			if got, err := w.WebhookSecret(background, workspaceID); err != nil || got != want {
				t.Errorf("of %d: %q, %v", workspaceID, got, err)
			}
		}
		id := w.config().WorkspaceID
		want(0, operator.Webhook)
		want(id, "") // never the operator's: a workspace could then forge events for all others
		w.connect()
		want(id, own.Webhook)
		want(0, operator.Webhook)
		want(id+1, "")
	})
}

func TestClient_WithAnotherKeyFileSaysWhatToDo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.connect()
		for _, keys := range []*seal.Keys{w.NewKeys(), nil} {
			w.Service.Keys = keys
			_, err := w.Client(background, w.config().WorkspaceID, Own)
			_, webhookErr := w.WebhookSecret(background, w.config().WorkspaceID)
			for _, err := range []error{err, webhookErr} {
				if !errors.Is(err, seal.ErrOtherKey) || !strings.Contains(err.Error(), "put back the key file") ||
					strings.Contains(err.Error(), "SECRET") {
					t.Errorf("got %v", err)
				}
			}
			if w.Account(w.config()) != Own {
				t.Error("its money would go to the operator")
			}
			w.wantKey(Operator, operator.Secret)
		}
	})
}

func TestCheckoutSites_AreWhereGuestsArePaying(t *testing.T) {
	s, c := &Service{OperatorKeys: operator, API: "http://127.0.0.1:4242"}, &snapshot.Config{}
	for address, want := range map[string]bool{
		"https://checkout.stripe.com/c/pay/cs_1": true, "http://127.0.0.1:4242/c/pay/cs_1": true,
		"http://checkout.stripe.com/c/pay/cs_1": false, "": false,
		"https://checkout.stripe.com.evil.example/": false, "https://checkout.stripe.com@evil.example/": false,
		"https://pay.acme.example/": false, "%": false,
	} {
		if s.IsCheckoutSite(c, address) != want {
			t.Errorf("%s: %v", address, !want)
		}
	}
	s.API = stripe.DefaultAPI
	if s.IsCheckoutSite(c, stripe.DefaultAPI) || !s.IsCheckoutSite(c, stripe.CheckoutSite) {
		t.Errorf("guests do not pay at the interface: %v", s.CheckoutSites(c))
	}
	s.OperatorKeys = stripe.Keys{}
	if len(s.CheckoutSites(c)) != 0 {
		t.Errorf("without an account: %v", s.CheckoutSites(c))
	}
}
