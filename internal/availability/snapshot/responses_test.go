package snapshot

import (
	"testing"
	"time"

	"slotd/internal/availability/slots"
)

func TestResponse_HoldsFromItsFirstInstantUntilBeforeItsLast(t *testing.T) {
	p := &Snapshot{Version: 7}
	a := Response{Version: 7, ValidFrom: noon, ValidUntil: noon.Add(time.Hour)}
	for after, want := range map[time.Duration]bool{-1: false, 0: true, time.Hour - 1: true, time.Hour: false,
		2 * time.Hour: false} {
		if got := a.ValidFor(p, noon.Add(after)); got != want {
			t.Errorf("%v after its making: %t", after, got)
		}
	}
	a.ValidUntil = time.Time{}
	if !a.ValidFor(p, noon.AddDate(100, 0, 0)) || a.ValidFor(p, noon.Add(-1)) {
		t.Error("an answer without end must hold for ever, from its making on")
	}
	for _, version := range []int64{6, 8} {
		if a.Version = version; a.ValidFor(p, noon) {
			t.Errorf("an answer of version %d holds for 7", version)
		}
	}
}

func TestResponse_SurvivesChangesOutOfItsReach(t *testing.T) {
	reach := slots.Span{Start: noon, End: noon.Add(2 * time.Hour)}
	for about, c := range map[string]struct {
		change change
		want   bool
	}{
		"nothing":            {change{}, true},
		"added before":       {change{added: []slots.Claim{claimAt(-1)}}, true}, // it ends where the reach starts
		"added at its start": {change{added: []slots.Claim{claimAt(0)}}, false},
		"added at its end":   {change{added: []slots.Claim{claimAt(1)}}, false},
		"added after":        {change{added: []slots.Claim{claimAt(2)}}, true},
		"removed within":     {change{removed: []slots.Claim{claimAt(1)}}, false},
		"moved away":         {change{removed: []slots.Claim{claimAt(1)}, added: []slots.Claim{claimAt(9)}}, false},
		"moved here":         {change{removed: []slots.Claim{claimAt(9)}, added: []slots.Claim{claimAt(1)}}, false},
	} {
		p := &Snapshot{Config: &Config{}, Busy: &Calendars{}, Version: 10}
		c.change.version = 11
		p = p.apply(c.change).apply(change{version: 12})
		a := Response{Version: 10, Reach: reach}
		if got := a.ValidFor(p, noon); got != c.want {
			t.Errorf("%s: %t", about, got)
		}
		a.Version = 11
		if !a.ValidFor(p, noon) {
			t.Errorf("%s: an answer made after it does not hold", about)
		}
		if a.Version = 9; a.ValidFor(p, noon) {
			t.Errorf("%s: an answer from before the snapshot was loaded holds", about)
		}
	}
}

func TestSnapshot_RemembersItsLastChangesOnly(t *testing.T) {
	far := slots.Span{Start: noon.AddDate(1, 0, 0), End: noon.AddDate(1, 0, 1)}
	p := &Snapshot{Config: &Config{}, Busy: &Calendars{}, Version: 100}
	for i := 1; i <= 3*maxChanges; i++ {
		p = p.apply(change{version: p.Version + 1, added: []slots.Claim{claimAt(i)}})
		if len(p.recent) > maxChanges {
			t.Fatalf("%d changes are kept", len(p.recent))
		}
		oldest := max(100, p.Version-maxChanges)
		if !p.unchangedSince(oldest, far) {
			t.Errorf("at %d: the change after %d is forgotten", p.Version, oldest)
		}
		if p.unchangedSince(oldest-1, far) {
			t.Errorf("at %d: what happened since %d cannot be known", p.Version, oldest-1)
		}
		if p.unchangedSince(p.Version+1, far) {
			t.Errorf("at %d: an answer of a later version holds", p.Version)
		}
	}
}

// Two snapshots that follow the same one must not share memory for their changes.
func TestSnapshot_ApplyLeavesTheSnapshotAlone(t *testing.T) {
	p := &Snapshot{Config: &Config{}, Busy: &Calendars{}, Version: 0}
	for i := 1; i < 10; i++ {
		p = p.apply(change{version: int64(i)})
	}
	near := claimAt(0)
	one := p.apply(change{version: 10, added: []slots.Claim{near}})
	other := p.apply(change{version: 10})
	if one.unchangedSince(9, near.Span) || !other.unchangedSince(9, near.Span) || len(p.recent) != 9 {
		t.Error("the snapshots share their memory of changes")
	}
}

func TestResponses_KeepsTheLastResponseForAKey(t *testing.T) {
	var a Responses
	key := ResponseKey{WorkspaceID: 1, EventType: 2, Days: 3}
	if _, ok := a.Get(key); ok {
		t.Error("found what nobody kept")
	}
	a.Put(key, Response{Version: 1, Body: []byte("one")})
	a.Put(key, Response{Version: 2, Body: []byte("three")})
	for i, other := range []ResponseKey{{WorkspaceID: 2, EventType: 2, Days: 3}, {1, 1, 0, 3, ""}, {1, 2, 1, 3, ""},
		{1, 2, 0, 4, ""}, {1, 2, 0, 3, "page"}} {
		if _, ok := a.Get(other); ok {
			t.Errorf("question %d got another's answer", i)
		}
	}
	if got, ok := a.Get(key); !ok || got.Version != 2 || string(got.Body) != "three" || a.bytes != 5 {
		t.Errorf("found %v %q, %d bytes", got.Version, got.Body, a.bytes)
	}
}

func TestResponses_MemoryIsBounded(t *testing.T) {
	var a Responses
	body := make([]byte, 1<<20)
	dropped := 0
	for i := range 200 {
		key := ResponseKey{WorkspaceID: int64(i % 150)}
		before := len(a.byKey)
		a.Put(key, Response{Version: int64(i), Body: body[:len(body)-i]})
		if len(a.byKey) < before {
			dropped++
		}
		total := 0
		for _, response := range a.byKey {
			total += len(response.Body)
		}
		if total != a.bytes || total > maxResponseBytes {
			t.Fatalf("after %d: %d bytes are held and %d are counted", i, total, a.bytes)
		}
		if got, ok := a.Get(key); !ok || got.Version != int64(i) {
			t.Fatalf("the answer %d was not kept", i)
		}
	}
	if dropped == 0 {
		t.Error("nothing was ever forgotten")
	}
}
