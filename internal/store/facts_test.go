package store_test

import (
	"testing"
	"time"

	"slotd/internal/store/testdb"
)

func TestFacts_OfBothDatabases(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db := testdb.Open(t, target)
		f, err := db.Facts(t.Context())
		want := "SQLite"
		if db.IsPostgres() {
			want = "PostgreSQL"
		}
		if err != nil || f.Kind != want || f.Schema < 5 || f.Bytes < 1000 {
			t.Errorf("%+v, %v", f, err)
		}
		before := time.Now().Add(-time.Second) // the database rounds, and its clock may be adjusted meanwhile
		at, ok, err := db.Clock(t.Context())
		after := time.Now().Add(time.Second)
		if err != nil || ok != db.IsPostgres() || ok && (at.Before(before) || at.After(after)) {
			t.Errorf("%v %v %v, want between %v and %v", at, ok, err, before, after)
		}
	})
}
