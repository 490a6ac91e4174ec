package snapshot

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd/internal/availability/slots"
)

var noon = time.Date(2027, 2, 1, 12, 0, 0, 0, time.UTC)

func claimAt(hour int) slots.Claim {
	start := noon.Add(time.Duration(hour) * time.Hour)
	return slots.Claim{Booking: uuid.New(), EventType: 1, StartsAt: start,
		Span: slots.Span{Start: start, End: start.Add(time.Hour)}}
}

func newEntry(version int64) *entry {
	e := &entry{slug: "acme", id: 1}
	e.put(&Snapshot{Config: &Config{}, Busy: &Calendars{}, Version: version})
	return e
}

func wantAt(t *testing.T, e *entry, version, latest int64, pending int) {
	t.Helper()
	if p := e.snapshot.Load(); p.Version != version || e.latest.Load() != latest || len(e.pending) != pending {
		t.Errorf("snapshot at %d, latest %d, %d pending; want %d, %d, %d", p.Version, e.latest.Load(), len(e.pending),
			version, latest, pending)
	}
}

func TestEntry_AChangeWaitsForTheOneBeforeIt(t *testing.T) {
	e := newEntry(0)
	a, b, c := claimAt(0), claimAt(1), claimAt(2)
	e.patch(change{version: 3, removed: []slots.Claim{a}})
	wantAt(t, e, 0, 3, 1)
	e.patch(change{version: 2, added: []slots.Claim{b, c}})
	wantAt(t, e, 0, 3, 2)
	e.patch(change{version: 1, added: []slots.Claim{a}})
	wantAt(t, e, 3, 3, 0)
	if want := slots.NewClaims([]slots.Claim{b, c}); !reflect.DeepEqual(e.snapshot.Load().Claims, want) {
		t.Errorf("claims %v, want %v", e.snapshot.Load().Claims, want)
	}
}

func TestEntry_AnOldOrRepeatedChangeIsPassedOver(t *testing.T) {
	e := newEntry(5)
	before := e.snapshot.Load()
	e.patch(change{version: 5, added: []slots.Claim{claimAt(0)}})
	e.patch(change{version: 3, added: []slots.Claim{claimAt(1)}})
	wantAt(t, e, 5, 5, 0)
	if e.snapshot.Load() != before {
		t.Error("the snapshot changed")
	}
}

func TestEntry_ALoadedSnapshotFillsAGap(t *testing.T) {
	e := newEntry(0)
	b := claimAt(2)
	e.patch(change{version: 2, added: []slots.Claim{claimAt(1)}})
	e.patch(change{version: 4, added: []slots.Claim{b}})
	wantAt(t, e, 0, 4, 2)
	e.put(&Snapshot{Config: &Config{}, Busy: &Calendars{}, Version: 3})
	wantAt(t, e, 4, 4, 0)
	if want := slots.NewClaims([]slots.Claim{b}); !reflect.DeepEqual(e.snapshot.Load().Claims, want) {
		t.Errorf("claims %v, want %v", e.snapshot.Load().Claims, want)
	}
	e.put(&Snapshot{Config: &Config{}, Busy: &Calendars{}, Version: 2}) // a slow load
	wantAt(t, e, 4, 4, 0)
}

func TestEntry_WhatWaitsIsBounded(t *testing.T) {
	e := newEntry(0)
	for v := int64(2); v < 3*maxPending; v++ {
		e.patch(change{version: v})
		if len(e.pending) > maxPending {
			t.Fatalf("%d changes wait", len(e.pending))
		}
	}
	if e.latest.Load() != 3*maxPending-1 {
		t.Errorf("latest %d: the next reader would not load", e.latest.Load())
	}
	e.patch(change{version: 1})
	if e.snapshot.Load().Version >= e.latest.Load() {
		t.Error("changes that were thrown away count as made")
	}
	e.put(&Snapshot{Config: &Config{}, Busy: &Calendars{}, Version: 3*maxPending - 1})
	wantAt(t, e, 3*maxPending-1, 3*maxPending-1, 0)
}

func TestEntry_AnyOrderLeadsToTheSameSnapshot(t *testing.T) {
	for range 200 {
		n := 1 + rand.IntN(40)
		var changes []change
		var live []slots.Claim
		for v := 1; v <= n; v++ {
			c := change{version: int64(v)}
			if len(live) > 0 && rand.IntN(3) == 0 {
				i := rand.IntN(len(live))
				c.removed = []slots.Claim{live[i]}
				live = append(live[:i:i], live[i+1:]...)
			}
			if len(c.removed) == 0 || rand.IntN(2) == 0 {
				fresh := claimAt(v * 7)
				c.added, live = []slots.Claim{fresh}, append(live, fresh)
			}
			changes = append(changes, c)
		}
		e := newEntry(0)
		for _, i := range rand.Perm(n) {
			e.patch(changes[i])
		}
		wantAt(t, e, int64(n), int64(n), 0)
		if want := slots.NewClaims(live); !reflect.DeepEqual(e.snapshot.Load().Claims.Without(claimAt(1000)),
			want.Without(claimAt(1000))) && len(live) > 0 {
			t.Fatalf("claims %v, want %v", e.snapshot.Load().Claims, want)
		}
	}
}
