package identity

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

// keyring is a database with the workspaces 1 and 2, and the Tokens of one server that uses it.
type keyring struct {
	*Tokens
	t      *testing.T
	target string
	now    time.Time
}

func eachKeyring(t *testing.T, test func(t *testing.T, k *keyring)) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		k := &keyring{t: t, target: target, now: time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)}
		k.Tokens = &Tokens{DB: db, Now: func() time.Time { return k.now }}
		must(t, db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			must(t, tx.InsertWorkspace(ctx, sqlcgen.InsertWorkspaceParams{ID: 1, Slug: "acme"}))
			return tx.InsertWorkspace(ctx, sqlcgen.InsertWorkspaceParams{ID: 2, Slug: "other"})
		}))
		test(t, k)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (k *keyring) create(workspaceID int64, name string) (string, slotd.Token) {
	k.t.Helper()
	plaintext, token, err := k.Create(background, workspaceID, name, slotd.Operator)
	must(k.t, err)
	return plaintext, token
}

func (k *keyring) lastUsed() time.Time {
	k.t.Helper()
	list, err := k.List(background, 1)
	must(k.t, err)
	return list[0].LastUsedAt
}

func TestTokens_AreRecognizedAndListed(t *testing.T) {
	eachKeyring(t, func(t *testing.T, k *keyring) {
		plaintext, made := k.create(1, "laptop")
		k.now = k.now.Add(time.Hour)
		_, later := k.create(1, "phone")
		k.create(2, "theirs")
		got, err := k.Recognize(background, plaintext)
		must(t, err)
		if got.ID != made.ID || got.WorkspaceID != 1 || got.Name != "laptop" ||
			got.LastFour != plaintext[len(plaintext)-4:] {
			t.Errorf("%+v", got)
		}
		list, err := k.List(background, 1)
		must(t, err)
		if len(list) != 2 || list[0].ID != made.ID || list[1].ID != later.ID ||
			!list[0].CreatedAt.Equal(made.CreatedAt) {
			t.Errorf("%+v", list)
		}
		if !list[1].LastUsedAt.IsZero() {
			t.Errorf("a token that was never used: %v", list[1].LastUsedAt)
		}
	})
}

func TestTokens_KeepNoPlaintext(t *testing.T) {
	eachKeyring(t, func(t *testing.T, k *keyring) {
		plaintext, _ := k.create(1, "laptop")
		driver := map[bool]string{true: "pgx", false: "sqlite"}[store.IsPostgres(k.target)]
		raw, err := sql.Open(driver, k.target)
		must(t, err)
		defer raw.Close()
		var hash []byte
		var id, name, lastFour string
		must(t, raw.QueryRow("SELECT hash, id, name, last_four FROM tokens").Scan(&hash, &id, &name, &lastFour))
		if want := HashToken(plaintext); !bytes.Equal(hash, want[:]) || len(lastFour) != 4 {
			t.Errorf("%x %s", hash, lastFour)
		}
	})
}

func TestRevocation_HoldsOnAnotherServer(t *testing.T) {
	eachKeyring(t, func(t *testing.T, k *keyring) {
		plaintext, token := k.create(1, "laptop")
		elsewhere := &Tokens{DB: testdb.Open(t, k.target), Now: k.Now}
		_, err := elsewhere.Recognize(background, plaintext)
		must(t, err)
		if found, err := k.Revoke(background, 2, token.ID, slotd.Operator); found || err != nil {
			t.Errorf("another workspace revoked it: %v, %v", found, err)
		}
		_, err = elsewhere.Recognize(background, plaintext)
		must(t, err)
		if found, err := k.Revoke(background, 1, token.ID, slotd.Operator); !found || err != nil {
			t.Fatal(found, err)
		}
		for _, tokens := range []*Tokens{elsewhere, k.Tokens} {
			if _, err := tokens.Recognize(background, plaintext); !slotd.Is(err, slotd.Unauthorized) {
				t.Errorf("%v", err)
			}
		}
		if found, err := k.Revoke(background, 1, token.ID, slotd.Operator); found || err != nil {
			t.Errorf("a second time: %v, %v", found, err)
		}
		list, err := k.List(background, 1)
		must(t, err)
		if len(list) != 0 {
			t.Errorf("%+v", list)
		}
	})
}

func TestRecognize_RefusesWithOneMessage(t *testing.T) {
	eachKeyring(t, func(t *testing.T, k *keyring) {
		revoked, token := k.create(1, "old")
		_, err := k.Revoke(background, 1, token.ID, slotd.Operator)
		must(t, err)
		var messages []string
		for _, plaintext := range []string{"", "x", revoked, revoked[:58] + "!", newSecret(), revoked + "0"} {
			_, err := k.Recognize(background, plaintext)
			if !slotd.Is(err, slotd.Unauthorized) {
				t.Errorf("%q: %v", plaintext, err)
				continue
			}
			messages = append(messages, err.Error())
		}
		if slices.Sort(messages); len(slices.Compact(messages)) != 1 {
			t.Errorf("%q", messages)
		}
	})
}

func TestLastUsed_IsRecordedAtMostOnceAMinute(t *testing.T) {
	eachKeyring(t, func(t *testing.T, k *keyring) {
		plaintext, _ := k.create(1, "laptop")
		began := k.now
		for _, c := range []struct{ after, noted time.Duration }{
			{0, 0}, {59 * time.Second, 0}, {time.Minute - time.Millisecond, 0}, {time.Minute, time.Minute},
			{90 * time.Second, time.Minute}, {time.Hour, time.Hour},
			{30 * time.Minute, time.Hour}, // a clock that was set back
		} {
			k.now = began.Add(c.after)
			token, err := k.Recognize(background, plaintext)
			must(t, err)
			k.RecordUse(background, token)
			if got := k.lastUsed(); !got.Equal(began.Add(c.noted)) {
				t.Errorf("after %v: %v, want %v", c.after, got, began.Add(c.noted))
			}
		}
	})
}

func TestRace_ManyWhoCreateOnceMakeOneToken(t *testing.T) {
	eachKeyring(t, func(t *testing.T, k *keyring) {
		elsewhere := &Tokens{DB: testdb.Open(t, k.target), Now: k.Now}
		results := make(chan error)
		const tries = 8
		for i := range tries {
			go func() {
				_, _, err := []*Tokens{k.Tokens, elsewhere}[i%2].CreateOnce(background, 1, "laptop", "one request",
					slotd.Operator)
				results <- err
			}()
		}
		made := 0
		for range tries {
			if err := <-results; err == nil {
				made++
			} else if !errors.Is(err, ErrAlreadyCreated) {
				t.Error(err)
			}
		}
		if list, err := k.List(background, 1); err != nil || made != 1 || len(list) != 1 {
			t.Errorf("%d made, %d there, %v", made, len(list), err)
		}
	})
}

func TestCreateOnce_OtherWordsMakeAnother(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range []struct {
		workspace     int64
		name, request string
	}{{1, "a", "b"}, {2, "a", "b"}, {1, "a", "c"}, {1, "b", "b"}, {1, `a" "b`, ""}, {1, "a", `" "b`}, {11, "a", "b"}} {
		id := tokenIDForRequest(c.workspace, c.name, c.request)
		if seen[id] || len(id) != len("tok_ZI7ZP36WIS5I") {
			t.Errorf("%+v: %s", c, id)
		}
		seen[id] = true
	}
}

func TestRace_TheHundredthTokenIsTheLast(t *testing.T) {
	eachKeyring(t, func(t *testing.T, k *keyring) {
		must(t, k.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			for n := range MaxTokens - 1 {
				must(t, tx.InsertToken(ctx, sqlcgen.InsertTokenParams{ID: fmt.Sprint("tok_", n), Hash: []byte{byte(n)},
					WorkspaceID: 1}))
			}
			return nil
		}))
		results := make(chan error)
		for _, request := range []string{"one", "two", "three"} {
			go func() {
				_, _, err := k.CreateOnce(background, 1, "laptop", request, slotd.Operator)
				results <- err
			}()
		}
		refused := 0
		for range 3 {
			if slotd.Is(<-results, slotd.InvalidArgument) {
				refused++
			}
		}
		if refused != 2 {
			t.Errorf("%d of three were refused", refused)
		}
		if _, _, err := k.CreateOnce(background, 2, "laptop", "one", slotd.Operator); err != nil {
			t.Errorf("another workspace's: %v", err)
		}
	})
}

func TestTokens_AreRecordedInTheActivity(t *testing.T) {
	eachKeyring(t, func(t *testing.T, k *keyring) {
		_, token := k.create(1, "laptop")
		for range 2 { // the second call changes nothing
			_, err := k.Revoke(background, 1, token.ID, slotd.NewUserActor(7, "192.0.2.1"))
			must(t, err)
		}
		rows, err := k.DB.Read().ActivityBefore(background,
			sqlcgen.ActivityBeforeParams{WorkspaceID: 1, At: 1 << 60, Limit: 10})
		must(t, err)
		var got []string
		for _, row := range rows {
			got = append(got, row.Actor+" "+row.Kind+" "+row.Detail+" "+row.Address)
		}
		slices.Sort(got)
		want := []string{"operator token.created " + token.ID + " laptop terminal",
			"user:7 token.revoked " + token.ID + " laptop 192.0.2.1"}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	})
}
