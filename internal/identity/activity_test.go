package identity

import (
	"context"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"slotd"

	"slotd/internal/store/sqlcgen"
)

func (w *world) newestActivity(workspaceID int64) ActivityEntry {
	w.t.Helper()
	list, err := w.Activity(background, workspaceID, math.MaxInt64, 0, 1)
	if w.must(err); len(list) != 1 {
		w.t.Fatalf("%d entries", len(list))
	}
	return list[0]
}

// A whole workspace file is megabytes. An entry keeps the first 4,000 bytes of what it describes.
func TestRecordActivity_CutsLongDetails(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		acme := w.workspace(7, "acme")
		for detail, want := range map[string]string{
			strings.Repeat("a", 4000):       strings.Repeat("a", 4000),
			strings.Repeat("a", 4001):       strings.Repeat("a", 4000) + " …",
			strings.Repeat("a", 3999) + "é": strings.Repeat("a", 3999) + " …", // not half of a character
		} {
			w.must(w.RecordActivity(background, acme, slotd.Operator, "applied", detail, w.clock.Now()))
			got := w.newestActivity(acme)
			if got.Detail != want || !utf8.ValidString(got.Detail) || got.Actor != "operator" ||
				got.Address != "terminal" || got.Kind != "applied" || got.At != w.clock.Now().UnixMilli() {
				t.Errorf("of %d bytes: %d bytes, %+.100v", len(detail), len(got.Detail), got)
			}
			w.clock.Advance(1e6)
		}
	})
}

func TestActorName_IsWhatPeopleKnow(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		acme, other := w.workspace(7, "acme"), w.workspace(8, "other")
		w.must(w.db.InTx(background, func(ctx context.Context, tx *tx) error {
			return tx.InsertUser(ctx, sqlcgen.InsertUserParams{ID: 1234567890, Email: "ada@acme.example"})
		}))
		tokens := &Tokens{DB: w.db, Now: w.clock.Now}
		_, token, err := tokens.Create(background, acme, "assistant", slotd.Operator)
		w.must(err)
		for _, c := range []struct {
			workspaceID int64
			actor, want string
		}{
			{acme, "user:1234567890", "ada@acme.example"},
			{acme, "user:1234567891", ""},
			{acme, "user:ada", ""},
			{acme, "token:" + token.ID, "Token assistant"},
			{other, "token:" + token.ID, ""},
			{acme, "operator", ""},
		} {
			if got, err := w.ActorName(background, c.workspaceID, slotd.ParseActor(c.actor)); err != nil || got != c.want {
				t.Errorf("%s in %d: %q, %v, want %q", c.actor, c.workspaceID, got, err, c.want)
			}
		}
	})
}
