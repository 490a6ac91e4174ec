package links

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"slotd/internal/store/testdb"
)

var purposes = []Purpose{Cancel, Reschedule, Calendar, HostCalendar, Booking, Form}

func TestToken_IsGoodForItsOwnPurposeAlone(t *testing.T) {
	s := mustLoad(t, testdb.Open(t, testdb.SQLite(t)))
	seen := map[string]Purpose{}
	for _, purpose := range purposes {
		token := s.Token(purpose, 42, booking)
		if same, twice := seen[token]; twice {
			t.Errorf("%s and %s have the same token", purpose, same)
		}
		seen[token] = purpose
		for _, other := range purposes {
			workspaceID, id, ok := s.Verify(other, token)
			if ok != (other == purpose) || ok && (workspaceID != 42 || id != booking) {
				t.Errorf("a token for %s, asked for %s: %d %s %v", purpose, other, workspaceID, id, ok)
			}
		}
	}
}

func TestToken_IsWhatThePathEndsIn(t *testing.T) {
	s := mustLoad(t, testdb.Open(t, testdb.SQLite(t)))
	for _, purpose := range purposes {
		token := s.Token(purpose, 7, booking)
		if path := s.Path(purpose, 7, booking); path != "/b/"+string(purpose)+"/"+token {
			t.Errorf("%s, %s", path, token)
		}
		if strings.Trim(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" ||
			len(token) != 64 {
			t.Errorf("%q needs escaping somewhere", token)
		}
	}
}

// A form's id is a time and a number, not a UUID of any version. Verify must return it unchanged.
func TestToken_KeepsAnyID(t *testing.T) {
	s := mustLoad(t, testdb.Open(t, testdb.SQLite(t)))
	for _, id := range []uuid.UUID{{},
		{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {0, 0, 1,
			0x99}} {
		for _, workspaceID := range []int64{0, 1, 1<<62 + 1, -1} {
			gotWorkspace, got, ok := s.Verify(Form, s.Token(Form, workspaceID, id))
			if !ok || gotWorkspace != workspaceID || got != id {
				t.Errorf("%d %v: %d %v %v", workspaceID, id, gotWorkspace, got, ok)
			}
		}
	}
}
