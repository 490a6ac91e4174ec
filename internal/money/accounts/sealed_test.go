package accounts

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"slotd/internal/lib/seal"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

func TestLockedAccounts_AreThoseOfAnotherKeyFile(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world) {
		id := w.config().WorkspaceID
		for about, c := range map[string]struct {
			keys *seal.Keys
			want []int64
		}{"its own": {w.Service.Keys, nil}, "another": {w.NewKeys(), []int64{id}}, "none": {nil, []int64{id}}} {
			s := &Service{DB: w.Service.DB, Keys: c.keys}
			locked, err := s.Locked(background)
			if err != nil || !slices.Equal(locked, c.want) {
				t.Errorf("with %s: %v, %v", about, locked, err)
			}
			_, err = s.OwnKeys(background, id)
			if errors.Is(err, seal.ErrOtherKey) != (c.want != nil) {
				t.Errorf("with %s: %v", about, err)
			}
		}
		w.Service.Keys = w.NewKeys()
		// Putting the account again seals it with the current key.
		w.connect()
		w.wantOwnKeys("put again", own)
	})
}

func (w *world) wantPassword(want string) {
	w.T.Helper()
	c := w.config()
	row, err := w.Service.DB.Read().Calendar(background,
		sqlcgen.CalendarParams{WorkspaceID: c.WorkspaceID, ID: c.Calendars[0].ID})
	w.Must(err)
	credential, err := workspace.OpenCredential(w.Service.Keys, c.WorkspaceID, &c.Calendars[0], row.Sealed)
	if err != nil || credential.Password != want {
		w.T.Errorf("the password of the calendar is not what was put, %v", err)
	}
}

func TestReseal_TakesAccountsAlong(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := filepath.Join(t.TempDir(), "secret.key")
		var err error
		w.Service.Keys, err = seal.Ensure(path)
		w.Must(err)
		w.put("correct horse")
		w.connect()
		sealed := w.sealedAccount()
		for range 3 { // the third rotation discards the first key
			w.Must(seal.Rotate(path, func(k *seal.Keys) error {
				n, locked, err := workspace.Reseal(background, w.Service.DB, k, Reseal)
				if n != 2 || len(locked) != 0 {
					t.Errorf("%d resealed, locked: %v", n, locked)
				}
				return err
			}))
		}
		w.Service.Keys, err = seal.Load(path)
		w.Must(err)
		w.wantOwnKeys("rotated", own)
		w.wantPassword("correct horse")
		if bytes.Equal(sealed, w.sealedAccount()) {
			t.Error("it was not sealed anew")
		}
		sealed = w.sealedAccount()
		n, locked, err := workspace.Reseal(background, w.Service.DB, w.NewKeys(), Reseal)
		if err != nil || n != 0 || !slices.Equal(locked,
			[]string{"calendar office", sealIdentity(w.config().WorkspaceID)}) {
			t.Errorf("%d resealed, locked: %v, %v", n, locked, err)
		}
		if !bytes.Equal(sealed, w.sealedAccount()) {
			t.Error("what could not be opened was changed")
		}
	})
}
