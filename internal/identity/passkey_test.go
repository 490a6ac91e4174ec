package identity

import (
	"context"
	"testing"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

type (
	tx = store.Tx
)

// insertPasskeyRow inserts a passkey that belongs to no device, for tests that only count passkeys.
func (w *world) insertPasskeyRow(userID int64, id string) {
	w.t.Helper()
	w.must(w.db.InTx(background, func(ctx context.Context, tx *tx) error {
		_, err := tx.InsertPasskey(ctx,
			sqlcgen.InsertPasskeyParams{ID: []byte(id), UserID: userID, Name: id, Credential: "{}",
				CreatedAt: w.clock.Now().UnixMilli()})
		return err
	}))
}

func TestPasskeys_AreTheirUsersOwn(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		_, ada := w.signInByLink("ada@acme.example", home)
		_, bo := w.signInByLink("bo@other.example", abroad)
		w.insertPasskeyRow(ada.User.ID, "laptop")
		if found, err := w.RemovePasskey(background, bo, []byte("laptop"), true, abroad); err != nil || found {
			t.Fatalf("bo removed ada's: %v %v", found, err)
		}
		adas, err := w.Passkeys(background, ada.User.ID)
		w.must(err)
		bos, err := w.Passkeys(background, bo.User.ID)
		w.must(err)
		if len(adas) != 1 || adas[0].Name != "laptop" || !adas[0].CreatedAt.Equal(monday) ||
			!adas[0].LastUsedAt.IsZero() || len(bos) != 0 {
			t.Errorf("ada's %v, bo's %v", adas, bos)
		}
	})
}
