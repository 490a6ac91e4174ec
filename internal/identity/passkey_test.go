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

// passkeyRow is one that no device has, for what only counts them.
func (w *world) passkeyRow(userID int64, id string) {
	w.t.Helper()
	w.must(w.db.InTx(background, func(ctx context.Context, tx *tx) error {
		_, err := tx.InsertPasskey(ctx,
			sqlcgen.InsertPasskeyParams{ID: []byte(id), UserID: userID, Name: id, Credential: "{}",
				CreatedAt: w.clock.Now().UnixMilli()})
		return err
	}))
}

func TestPasskeys_AreTheirUsersOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, ada := w.arrives("ada@acme.example", home)
		_, bo := w.arrives("bo@other.example", abroad)
		w.passkeyRow(ada.User.ID, "laptop")
		if found, err := w.RemovePasskey(background, bo, []byte("laptop"), true, abroad); err != nil || found {
			t.Fatalf("bo removed ada's: %v %v", found, err)
		}
		mine, err := w.Passkeys(background, ada.User.ID)
		w.must(err)
		theirs, err := w.Passkeys(background, bo.User.ID)
		w.must(err)
		if len(mine) != 1 || mine[0].Name != "laptop" || !mine[0].CreatedAt.Equal(monday) ||
			!mine[0].LastUsedAt.IsZero() || len(theirs) != 0 {
			t.Errorf("ada's %v, bo's %v", mine, theirs)
		}
	})
}
