package links

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var (
	ctx     = context.Background()
	now     = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)
	booking = uuid.MustParse("0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e")
)

func mustLoad(t *testing.T, db *store.DB) *Signer {
	t.Helper()
	s, err := Load(ctx, db, now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustToken(t *testing.T, s *Signer, purpose Purpose, workspaceID int64) string {
	t.Helper()
	path := s.Path(purpose, workspaceID, booking)
	token, ok := strings.CutPrefix(path, "/b/"+string(purpose)+"/")
	if !ok {
		t.Fatal(path)
	}
	return token
}

func TestLinks_AreRecognizedByEveryServer(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		first, second := mustLoad(t, testdb.Open(t, target)), mustLoad(t, testdb.Open(t, target))
		for _, purpose := range []Purpose{Cancel, Reschedule} {
			token := mustToken(t, first, purpose, 42)
			if token != mustToken(t, second, purpose, 42) {
				t.Error("two servers print different links")
			}
			workspaceID, id, ok := second.Verify(purpose, token)
			if !ok || workspaceID != 42 || id != booking {
				t.Errorf("%s: %d, %s, %v", purpose, workspaceID, id, ok)
			}
		}
	})
}

func TestLink_IsForOnePurpose(t *testing.T) {
	s := mustLoad(t, testdb.Open(t, testdb.SQLite(t)))
	if _, _, ok := s.Verify(Reschedule, mustToken(t, s, Cancel, 1)); ok {
		t.Error("a cancel link moves")
	}
	if _, _, ok := s.Verify(Cancel, mustToken(t, s, Reschedule, 1)); ok {
		t.Error("a reschedule link cancels")
	}
}

func TestLink_ThatWasTamperedWithIsRefused(t *testing.T) {
	s := mustLoad(t, testdb.Open(t, testdb.SQLite(t)))
	token := mustToken(t, s, Cancel, 1)
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw { // key, workspace, booking and MAC
		for bit := range 8 {
			changed := append([]byte(nil), raw...)
			changed[i] ^= 1 << bit
			if _, _, ok := s.Verify(Cancel, base64.RawURLEncoding.EncodeToString(changed)); ok {
				t.Errorf("bit %d of byte %d makes no difference", bit, i)
			}
		}
	}
	for _, wrong := range []string{"", "x", token + "A", token[1:], token[:len(token)-1], token + "=", " " + token,
		token + "\n", strings.Repeat("A", len(token)), strings.ToLower(token), strings.Repeat("A", 1<<20), "é" +
			token[2:]} {
		if _, _, ok := s.Verify(Cancel, wrong); ok {
			t.Errorf("%.80q is taken", wrong)
		}
	}
}

func TestLink_OfAnotherWorkspaceNamesThatWorkspace(t *testing.T) {
	s := mustLoad(t, testdb.Open(t, testdb.SQLite(t)))
	one, two := mustToken(t, s, Cancel, 1), mustToken(t, s, Cancel, 2)
	if one == two {
		t.Fatal("the same link")
	}
	if workspaceID, _, ok := s.Verify(Cancel, two); !ok || workspaceID != 2 {
		t.Errorf("%d, %v", workspaceID, ok)
	}
	elsewhere := mustLoad(t, testdb.Open(t, testdb.SQLite(t)))
	if _, _, ok := elsewhere.Verify(Cancel, one); ok {
		t.Error("another deployment takes the link")
	}
}

func TestTwoKeys_TheNewestSignsAndBothAreAccepted(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		before := mustLoad(t, db)
		old := mustToken(t, before, Cancel, 1)
		add := func(id int64, fill string) {
			t.Helper()
			err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.InsertLinkKey(ctx, sqlcgen.InsertLinkKeyParams{ID: id,
					Secret: []byte(strings.Repeat(fill, 32)), CreatedAt: id})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		add(now.UnixMilli()+1, "b")
		both := mustLoad(t, db)
		fresh := mustToken(t, both, Cancel, 1)
		if fresh == old {
			t.Error("the old key still signs")
		}
		for _, token := range []string{old, fresh} {
			if _, _, ok := both.Verify(Cancel, token); !ok {
				t.Error("one of two keys is not accepted")
			}
		}
		if _, _, ok := before.Verify(Cancel, fresh); ok {
			t.Error("a signer without the key accepts its links")
		}
		add(now.UnixMilli()+2, "c")
		if _, _, ok := mustLoad(t, db).Verify(Cancel, old); ok {
			t.Error("the third last key is still accepted")
		}
	})
}
