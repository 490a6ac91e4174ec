package workspace

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/identity"
	"slotd/internal/lib/seal"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

var account = stripe.Keys{Secret: "sk_live_SECRET0123456789", Webhook: "whsec_SECRET0123456789"}

// byOperator returns a change without a version to compare, as the commands use it.
func byOperator(slug string) AccountChange {
	return AccountChange{Slug: slug, By: identity.Operator, Now: now}
}

// eachAccount runs the test with a fixture whose workspace has its own account.
func eachAccount(t *testing.T, test func(t *testing.T, d *fixture)) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		must(t, PutAccount(ctx, d.db, d.keys, byOperator("acme"), account))
		test(t, d)
	})
}

func (d *fixture) wantAccount(about string, want stripe.Keys) {
	d.t.Helper()
	got, err := Account(ctx, d.db.Read(), d.keys, config(d.t, d.db, "acme").WorkspaceID)
	if err != nil || got != want {
		d.t.Errorf("%s: not the account that was put, %v", about, err)
	}
}

func (d *fixture) sealedAccount(slug string) []byte {
	d.t.Helper()
	sealed, err := d.db.Read().PaymentAccount(ctx, config(d.t, d.db, slug).WorkspaceID)
	must(d.t, err)
	return sealed
}

func TestPutAccount_KeepsTheKeysSealed(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		d := &fixture{t, testdb.Open(t, target), newKeys(t), office()}
		_, err := d.put("correct horse")
		must(t, err)
		d.wantAccount("at first", stripe.Keys{})
		must(t, PutAccount(ctx, d.db, d.keys, byOperator("acme"), account))
		d.wantAccount("put", account)
		another := stripe.Keys{Secret: "rk_live_SECRETtoo", Webhook: "whsec_SECRETtoo"}
		must(t, PutAccount(ctx, d.db, d.keys, byOperator("acme"), another))
		d.wantAccount("put again", another)
		dump := testdb.Dump(t, target)
		if !strings.Contains(dump, "payment_accounts: ") || strings.Contains(dump, "SECRET") ||
			strings.Contains(dump, "whsec_") {
			t.Error("the keys stand there as they are, or nowhere")
		}
	})
}

func TestPutAccount_RefusesWhatAreNoKeysWithoutRepeatingIt(t *testing.T) {
	long := strings.Repeat("x", 500)
	eachAccount(t, func(t *testing.T, d *fixture) {
		version, configVersion := versions(t, d.db, "acme")
		for about, wrong := range map[string]stripe.Keys{
			"swapped":              {Secret: account.Webhook, Webhook: account.Secret},
			"empty":                {},
			"no key":               {Webhook: account.Webhook},
			"no webhook secret":    {Secret: account.Secret},
			"a publishable key":    {Secret: "pk_live_SECRET", Webhook: account.Webhook},
			"a long key":           {Secret: "sk_live_SECRET" + long, Webhook: account.Webhook},
			"a long secret":        {Secret: account.Secret, Webhook: "whsec_SECRET" + long},
			"a newline":            {Secret: account.Secret + "\n", Webhook: account.Webhook},
			"a zero":               {Secret: account.Secret, Webhook: "whsec_SECRET\x00"},
			"a space in front":     {Secret: " " + account.Secret, Webhook: account.Webhook},
			"a header of its own":  {Secret: "sk_live_SECRET\r\nX: y", Webhook: account.Webhook},
			"letters of elsewhere": {Secret: account.Secret, Webhook: "whsec_SECRETé"},
		} {
			err := PutAccount(ctx, d.db, d.keys, byOperator("acme"), wrong)
			if !slotd.Is(err, slotd.InvalidArgument) || strings.Contains(err.Error(), "SECRET") {
				t.Errorf("%s: %v", about, err)
			}
		}
		if v, c := versions(t, d.db, "acme"); v != version || c != configVersion {
			t.Error("something changed")
		}
		d.wantAccount("after all that", account)
	})
}

func TestAccount_IsOfOneWorkspaceAlone(t *testing.T) {
	eachAccount(t, func(t *testing.T, d *fixture) {
		second := with("intro")
		second.Slug = "other"
		apply(t, d.db, second)
		id := config(t, d.db, "other").WorkspaceID
		if got, err := Account(ctx, d.db.Read(), d.keys, id); err != nil || got != (stripe.Keys{}) {
			t.Errorf("the other's: %v", err)
		}
		must(t, d.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.PutPaymentAccount(ctx,
				sqlcgen.PutPaymentAccountParams{WorkspaceID: id, Sealed: d.sealedAccount("acme"), CreatedAt: 1})
		}))
		if got, err := Account(ctx, d.db.Read(), d.keys, id); err == nil || got != (stripe.Keys{}) {
			t.Error("opened in another workspace's row")
		}
	})
}

func TestDropAccount_ForgetsIt(t *testing.T) {
	eachAccount(t, func(t *testing.T, d *fixture) {
		must(t, DropAccount(ctx, d.db, byOperator("acme"), false)) // no payment is open
		d.wantAccount("dropped", stripe.Keys{})
		if err := DropAccount(ctx, d.db, byOperator("acme"), true); !slotd.Is(err, slotd.InvalidArgument) {
			t.Errorf("again: %v", err)
		}
		for about, err := range map[string]error{"put": PutAccount(ctx, d.db, d.keys, byOperator("nobody"), account),
			"drop": DropAccount(ctx, d.db, byOperator("nobody"), true)} {
			if !slotd.Is(err, slotd.WorkspaceNotFound) {
				t.Errorf("%s of no workspace: %v", about, err)
			}
		}
	})
}

func TestAccount_IsNotChangedByWhoSawAnotherOne(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		id := config(t, d.db, "acme").WorkspaceID
		by := AccountChange{Slug: "acme", By: identity.UserActor(7, "192.0.2.7"), Detail: "key 6789", Now: now}
		currentVersion := func() string {
			version, err := AccountVersion(ctx, d.db.Read(), id)
			must(t, err)
			return version
		}
		by.Seen = currentVersion()
		must(t, PutAccount(ctx, d.db, d.keys, by, account))
		another := stripe.Keys{Secret: "sk_live_ANOTHER0123456789", Webhook: account.Webhook}
		for about, err := range map[string]error{"put": PutAccount(ctx, d.db, d.keys, by, another),
			"drop": DropAccount(ctx, d.db, by, true)} {
			if !errors.Is(err, ErrAccountChanged) {
				t.Errorf("%s: %v", about, err)
			}
		}
		d.wantAccount("after both", account)
		by.Seen = currentVersion()
		must(t, DropAccount(ctx, d.db, by, false))
		d.wantAccount("after dropping what was seen", stripe.Keys{})
		rows, err := d.db.Read().ActivityBefore(ctx,
			sqlcgen.ActivityBeforeParams{WorkspaceID: id, At: 1 << 60, Limit: 10})
		must(t, err)
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

func TestPutAccount_OfManyAtOnceWhoSawTheSameOneIsKept(t *testing.T) {
	eachAccount(t, func(t *testing.T, d *fixture) {
		for range 10 { // in the first rounds, goroutines still wait for connections
			if succeeded := d.putAtOnce(8); succeeded != 1 {
				t.Fatalf("%d were kept", succeeded)
			}
		}
	})
}

// putAtOnce puts n accounts concurrently, all based on the same version, and counts the calls that succeed.
func (d *fixture) putAtOnce(n int) (succeeded int) {
	d.t.Helper()
	by := byOperator("acme")
	var err error
	by.Seen, err = AccountVersion(ctx, d.db.Read(), config(d.t, d.db, "acme").WorkspaceID)
	must(d.t, err)
	start, errs := make(chan struct{}), make(chan error, n)
	for range n {
		go func() {
			<-start
			errs <- PutAccount(ctx, d.db, d.keys, by, account)
		}()
	}
	close(start)
	for range n {
		if err := <-errs; err == nil {
			succeeded++
		} else if !errors.Is(err, ErrAccountChanged) {
			d.t.Error(err)
		}
	}
	return succeeded
}

func TestPutAccount_IsSeenByOtherServers(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		d := &fixture{t, testdb.Open(t, target), newKeys(t), office()}
		_, err := d.put("correct horse")
		must(t, err)
		cache, err := snapshot.NewCache(ctx, testdb.Open(t, target), testdb.NewClock(now).Now)
		must(t, err)
		t.Cleanup(cache.Close)
		want := func(about string, own bool) {
			t.Helper()
			p, err := cache.Latest(ctx, config(t, d.db, "acme").WorkspaceID)
			if err != nil || p.OwnAccount != own {
				t.Errorf("%s: own %v, %v", about, !own, err)
			}
		}
		want("at first", false)
		must(t, PutAccount(ctx, d.db, d.keys, byOperator("acme"), account))
		want("put", true)
		_, err = d.put("battery staple") // this does not touch the account
		must(t, err)
		want("after apply", true)
		must(t, DropAccount(ctx, d.db, byOperator("acme"), true))
		want("dropped", false)
	})
}

func TestLockedAccounts_AreThoseOfAnotherKeyFile(t *testing.T) {
	eachAccount(t, func(t *testing.T, d *fixture) {
		id := config(t, d.db, "acme").WorkspaceID
		for about, c := range map[string]struct {
			keys *seal.Keys
			want []int64
		}{"its own": {d.keys, nil}, "another": {newKeys(t), []int64{id}}, "none": {nil, []int64{id}}} {
			locked, err := LockedAccounts(ctx, d.db, c.keys)
			if err != nil || !slices.Equal(locked, c.want) {
				t.Errorf("with %s: %v, %v", about, locked, err)
			}
			_, err = Account(ctx, d.db.Read(), c.keys, id)
			if errors.Is(err, seal.ErrOtherKey) != (c.want != nil) {
				t.Errorf("with %s: %v", about, err)
			}
		}
		d.keys = newKeys(t)
		// Putting the account again seals it with the current key.
		must(t, PutAccount(ctx, d.db, d.keys, byOperator("acme"), account))
		d.wantAccount("put again", account)
	})
}

func TestReseal_TakesAccountsAlong(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		path := filepath.Join(t.TempDir(), "secret.key")
		var err error
		d.keys, err = seal.Ensure(path)
		must(t, err)
		_, err = d.put("correct horse")
		must(t, err)
		must(t, PutAccount(ctx, d.db, d.keys, byOperator("acme"), account))
		sealed := d.sealedAccount("acme")
		for range 3 { // the third rotation discards the first key
			must(t, seal.Rotate(path, func(k *seal.Keys) error {
				n, locked, err := Reseal(ctx, d.db, k)
				if n != 2 || len(locked) != 0 {
					t.Errorf("%d resealed, locked: %v", n, locked)
				}
				return err
			}))
		}
		d.keys, err = seal.Load(path)
		must(t, err)
		d.wantAccount("rotated", account)
		d.wantPassword("correct horse")
		if bytes.Equal(sealed, d.sealedAccount("acme")) {
			t.Error("it was not sealed anew")
		}
		sealed = d.sealedAccount("acme")
		n, locked, err := Reseal(ctx, d.db, newKeys(t))
		if err != nil || n != 0 || !slices.Equal(locked,
			[]string{"calendar office", accountIdentity(config(t, d.db, "acme").WorkspaceID)}) {
			t.Errorf("%d resealed, locked: %v, %v", n, locked, err)
		}
		if !bytes.Equal(sealed, d.sealedAccount("acme")) {
			t.Error("what could not be opened was changed")
		}
	})
}
