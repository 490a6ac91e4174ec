package accounts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/test/worlds"
)

// eachConnected runs the test with a world whose workspace has its own account.
func eachConnected(t *testing.T, test func(t *testing.T, w *world)) {
	each(t, func(t *testing.T, w *world) {
		w.connect()
		test(t, w)
	})
}

func (w *world) wantOwnKeys(about string, want stripe.Keys) {
	w.T.Helper()
	got, err := w.OwnKeys(background, w.config().WorkspaceID)
	if err != nil || got != want {
		w.T.Errorf("%s: not the account that was put, %v", about, err)
	}
}

func (w *world) sealedAccount() []byte {
	w.T.Helper()
	sealed, err := w.Service.DB.Read().PaymentAccount(background, w.config().WorkspaceID)
	w.Must(err)
	return sealed
}

func (w *world) versions() (version, configVersion int64) {
	w.T.Helper()
	v, err := w.Service.DB.Read().Version(background, w.config().WorkspaceID)
	w.Must(err)
	return v.Version, v.ConfigVersion
}

func TestPutAccount_KeepsTheKeysSealed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.wantOwnKeys("at first", stripe.Keys{})
		w.connect()
		w.wantOwnKeys("put", own)
		another := stripe.Keys{Secret: "rk_live_SECRETtoo", Webhook: "whsec_SECRETtoo"}
		w.Must(w.Connect(background, byOperator, another))
		w.wantOwnKeys("put again", another)
		dump := w.Dump()
		if !strings.Contains(dump, "payment_accounts: ") || strings.Contains(dump, "SECRET") ||
			strings.Contains(dump, "whsec_") {
			t.Error("the keys stand there as they are, or nowhere")
		}
	})
}

func TestPutAccount_RefusesWhatAreNoKeysWithoutRepeatingIt(t *testing.T) {
	long := strings.Repeat("x", 500)
	eachConnected(t, func(t *testing.T, w *world) {
		version, configVersion := w.versions()
		for about, wrong := range map[string]stripe.Keys{
			"swapped":              {Secret: own.Webhook, Webhook: own.Secret},
			"empty":                {},
			"no key":               {Webhook: own.Webhook},
			"no webhook secret":    {Secret: own.Secret},
			"a publishable key":    {Secret: "pk_live_SECRET", Webhook: own.Webhook},
			"a long key":           {Secret: "sk_live_SECRET" + long, Webhook: own.Webhook},
			"a long secret":        {Secret: own.Secret, Webhook: "whsec_SECRET" + long},
			"a newline":            {Secret: own.Secret + "\n", Webhook: own.Webhook},
			"a zero":               {Secret: own.Secret, Webhook: "whsec_SECRET\x00"},
			"a space in front":     {Secret: " " + own.Secret, Webhook: own.Webhook},
			"a header of its own":  {Secret: "sk_live_SECRET\r\nX: y", Webhook: own.Webhook},
			"letters of elsewhere": {Secret: own.Secret, Webhook: "whsec_SECRETé"},
		} {
			err := w.Connect(background, byOperator, wrong)
			if !slotd.Is(err, slotd.InvalidArgument) || strings.Contains(err.Error(), "SECRET") {
				t.Errorf("%s: %v", about, err)
			}
		}
		if v, c := w.versions(); v != version || c != configVersion {
			t.Error("something changed")
		}
		w.wantOwnKeys("after all that", own)
	})
}

func TestAccount_IsOfOneWorkspaceAlone(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world) {
		second := *w.file
		second.Slug, second.Calendars = "other", nil
		w.Put(&second)
		id := w.Config("other").WorkspaceID
		if got, err := w.OwnKeys(background, id); err != nil || got != (stripe.Keys{}) {
			t.Errorf("the other's: %v", err)
		}
		w.Must(w.Service.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			return tx.PutPaymentAccount(ctx,
				sqlcgen.PutPaymentAccountParams{WorkspaceID: id, Sealed: w.sealedAccount(), CreatedAt: 1})
		}))
		if got, err := w.OwnKeys(background, id); err == nil || got != (stripe.Keys{}) {
			t.Error("opened in another workspace's row")
		}
	})
}

func TestDropAccount_ForgetsIt(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world) {
		w.Must(w.Disconnect(background, byOperator, false)) // no payment is open
		w.wantOwnKeys("dropped", stripe.Keys{})
		if err := w.Disconnect(background, byOperator, true); !slotd.Is(err, slotd.InvalidArgument) {
			t.Errorf("again: %v", err)
		}
		nobody := byOperator
		nobody.Slug = "nobody"
		for about, err := range map[string]error{"put": w.Connect(background, nobody, own),
			"drop": w.Disconnect(background, nobody, true)} {
			if !slotd.Is(err, slotd.WorkspaceNotFound) {
				t.Errorf("%s of no workspace: %v", about, err)
			}
		}
	})
}

func TestAccount_IsNotChangedByWhoSawAnotherOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.config().WorkspaceID
		by := Change{Slug: "acme", By: slotd.NewUserActor(7, "192.0.2.7"), Detail: "key 6789", Now: monday}
		currentVersion := func() string {
			version, err := w.Version(background, id)
			w.Must(err)
			return version
		}
		by.Seen = currentVersion()
		w.Must(w.Connect(background, by, own))
		another := stripe.Keys{Secret: "sk_live_ANOTHER0123456789", Webhook: own.Webhook}
		for about, err := range map[string]error{"put": w.Connect(background, by, another),
			"drop": w.Disconnect(background, by, true)} {
			if !errors.Is(err, ErrChanged) {
				t.Errorf("%s: %v", about, err)
			}
		}
		w.wantOwnKeys("after both", own)
		by.Seen = currentVersion()
		w.Must(w.Disconnect(background, by, false))
		w.wantOwnKeys("after dropping what was seen", stripe.Keys{})
		rows, err := w.Service.DB.Read().ActivityBefore(background,
			sqlcgen.ActivityBeforeParams{WorkspaceID: id, At: 1 << 60, Limit: 10})
		w.Must(err)
		kinds := map[string]bool{}
		for _, row := range rows {
			kinds[row.Kind+" "+row.Actor+" "+row.Address+" "+row.Detail] = true
		}
		if !kinds["payments.connected user:7 192.0.2.7 key 6789"] ||
			!kinds["payments.disconnected user:7 192.0.2.7 key 6789"] || len(rows) != 2 {
			t.Errorf("noted %v", rows)
		}
	})
}

func TestRace_OfManyAccountsPutByThoseWhoSawTheSameOneIsKept(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world) {
		for range 10 { // in the first rounds, goroutines still wait for connections
			if succeeded := w.putAtOnce(8); succeeded != 1 {
				t.Fatalf("%d were kept", succeeded)
			}
		}
	})
}

// putAtOnce puts n accounts concurrently, all based on the same version, and counts the calls that succeed.
func (w *world) putAtOnce(n int) (succeeded int) {
	w.T.Helper()
	by := byOperator
	var err error
	by.Seen, err = w.Version(background, w.config().WorkspaceID)
	w.Must(err)
	connect := func() error { return w.Connect(background, by, own) }
	for _, err := range worlds.AtOnce(slices.Repeat([]func() error{connect}, n)...) {
		if err == nil {
			succeeded++
		} else if !errors.Is(err, ErrChanged) {
			w.T.Error(err)
		}
	}
	return succeeded
}

func TestPutAccount_IsSeenByOtherServers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		cache := w.NewCache(w.Open())
		want := func(about string, own bool) {
			t.Helper()
			p, err := cache.Latest(background, w.config().WorkspaceID)
			if err != nil || p.OwnAccount != own {
				t.Errorf("%s: own %v, %v", about, !own, err)
			}
		}
		want("at first", false)
		w.connect()
		want("put", true)
		w.put("battery staple") // this does not touch the account
		want("after apply", true)
		w.Must(w.Disconnect(background, byOperator, true))
		want("dropped", false)
	})
}
