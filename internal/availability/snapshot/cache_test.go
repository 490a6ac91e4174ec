package snapshot

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
)

func TestCache_UnknownWorkspacesLeaveNoTrace(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		s := newCache(t, db, fixed().Now)
		for i := range 50 {
			if _, err := s.Workspace(background, fmt.Sprint("nobody-", i)); !slotd.Is(err, slotd.WorkspaceNotFound) {
				t.Errorf("got %v", err)
			}
			if _, err := s.WorkspaceByID(background, int64(i)); !slotd.Is(err, slotd.WorkspaceNotFound) {
				t.Errorf("got %v", err)
			}
			if _, err := s.Latest(background, int64(i)); !slotd.Is(err, slotd.WorkspaceNotFound) {
				t.Errorf("got %v", err)
			}
		}
		if len(s.bySlug) != 0 || len(s.byID) != 0 {
			t.Errorf("%d slugs and %d ids are kept", len(s.bySlug), len(s.byID))
		}
		seed(t, db, 7, "nobody-7")
		if p, err := s.Workspace(background, "nobody-7"); err != nil || p.WorkspaceID != 7 {
			t.Errorf("one that was unknown before: %v", err)
		}
	})
}

func TestCache_ByIDAndBySlugAreOneSnapshot(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db, 1, "acme")
		seed(t, db, 2, "other")
		s := newCache(t, db, fixed().Now)
		byID, err := s.WorkspaceByID(background, 1)
		must(t, err)
		bySlug, err := s.Workspace(background, "acme")
		must(t, err)
		latest, err := s.Latest(background, 1)
		must(t, err)
		if byID != bySlug || latest != bySlug || byID.WorkspaceID != 1 || byID.Slug != "acme" || s.Loads.Load() != 1 {
			t.Errorf("loaded %d times, workspace %d %q", s.Loads.Load(), byID.WorkspaceID, byID.Slug)
		}
		if other, err := s.WorkspaceByID(background, 2); err != nil || other.Slug != "other" {
			t.Errorf("the other one: %v", err)
		}
	})
}

func TestCache_OwnBookingsNeedNoLoad(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db, 1, "acme")
		seed(t, db, 2, "other")
		s := newCache(t, db, fixed().Now)
		for _, slug := range []string{"acme", "other"} {
			_, err := s.Workspace(background, slug)
			must(t, err)
		}
		for hour := range 20 {
			c := claimAt(hour)
			version, err := insert(db, 1, c)
			must(t, err)
			s.ApplyBooking(1, version, nil, []slots.Claim{c})
			p, err := s.Latest(background, 1)
			must(t, err)
			if _, found := p.Claims.Find(1, c.StartsAt); p.Version != version || !found {
				t.Fatalf("at version %d, want %d with the claim", p.Version, version)
			}
		}
		s.ApplyBooking(99, 1, nil, nil) // not in the cache yet
		if s.Loads.Load() != 2 {
			t.Errorf("loaded %d times, want once each", s.Loads.Load())
		}
	})
}

func TestCache_AChangeElsewhereLoadsThatWorkspaceOnly(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db, other := testdb.Open(t, target), testdb.Open(t, target)
		for id := range int64(3) {
			seed(t, db, id+1, fmt.Sprint("w", id+1))
		}
		s := newCache(t, db, fixed().Now)
		for id := range int64(3) {
			_, err := s.Latest(background, id+1)
			must(t, err)
		}
		version, err := touchConfig(other, 2)
		must(t, err)
		for range 10 {
			for id := range int64(3) {
				p, err := s.Latest(background, id+1)
				must(t, err)
				if id+1 == 2 && (p.Version != version || p.Name != fmt.Sprint(version)) {
					t.Errorf("version %d, want %d", p.Version, version)
				}
			}
		}
		if n := s.Loads.Load(); n != 4 {
			t.Errorf("loaded %d times, want each at first and one again", n)
		}
	})
}

func TestCache_TheNumberOfSnapshotsIsBounded(t *testing.T) {
	db := testdb.Open(t, testdb.SQLite(t))
	seed(t, db, 1, "acme")
	s := newCache(t, db, fixed().Now)
	for i := range maxSnapshots {
		e := &entry{slug: fmt.Sprint("filler-", i), id: int64(i + 100)}
		s.bySlug[e.slug], s.byID[e.id] = e, e
	}
	_, err := s.Workspace(background, "acme")
	must(t, err)
	if len(s.bySlug) != maxSnapshots || len(s.byID) != maxSnapshots || s.entry("acme") == nil {
		t.Errorf("%d slugs and %d ids are kept", len(s.bySlug), len(s.byID))
	}
}

func TestLoad_LeavesOutWhatIsLongOver(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db, 1, "acme")
		var want []slots.Claim
		for hour := -60; hour < 60; hour += 3 {
			c := claimAt(hour)
			_, err := insert(db, 1, c)
			must(t, err)
			if c.End.After(noon.Add(-keepEndedFor)) {
				want = append(want, c)
			}
		}
		p, err := load(background, db, "acme", nil, noon)
		must(t, err)
		if !reflect.DeepEqual(p.Claims, slots.NewClaims(want)) {
			t.Errorf("claims %v\nwant %v", p.Claims, want)
		}
	})
}

func TestLoadClaims_FindsAllThatTouchTheSpan(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db, 1, "acme")
		long := claimAt(0)
		long.Span = slots.Span{Start: noon, End: noon.Add(slots.LongestClaim)}
		_, err := insert(db, 1, long)
		must(t, err)
		c, err := LoadConfig(background, db.Read(), "acme")
		must(t, err)
		for about, at := range map[string]struct {
			from, until time.Time
			want        bool
		}{
			"its last millisecond":  {long.End.Add(-time.Millisecond), long.End, true},
			"right after it":        {long.End, long.End.Add(time.Hour), false},
			"its first millisecond": {noon.Add(-time.Hour), noon.Add(time.Millisecond), true},
			"right before it":       {noon.Add(-time.Hour), noon, false},
			"inside it":             {noon.Add(time.Hour), noon.Add(2 * time.Hour), true},
		} {
			claims, err := LoadClaims(background, db.Read(), c, slots.Span{Start: at.from, End: at.until})
			must(t, err)
			if got := !reflect.DeepEqual(claims, slots.NewClaims(nil)); got != at.want {
				t.Errorf("%s: found %t", about, got)
			}
		}
	})
}

// Whatever this process and others write, and in whatever order commits are reported, the cached snapshot must
// equal a freshly loaded one.
func TestCache_PatchedSnapshotEqualsAFreshLoad(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db, other := testdb.Open(t, target), testdb.Open(t, target)
		var id int64
		rapid.Check(t, func(r *rapid.T) {
			id++
			slug := fmt.Sprint("w", id)
			seed(t, db, id, slug)
			s, err := NewCache(background, db, fixed().Now)
			must(t, err)
			defer s.Close() // it holds a connection of the pool
			_, err = s.Workspace(background, slug)
			must(t, err)
			live := map[int]slots.Claim{}
			var unreported []change
			for range rapid.IntRange(1, 12).Draw(r, "steps") {
				hour := rapid.IntRange(-40, 40).Draw(r, "hour")
				c, taken := live[hour]
				var made change
				if taken {
					made.version, err = remove(db, id, c)
					made.removed = []slots.Claim{c}
					delete(live, hour)
				} else {
					c = claimAt(hour)
					made.version, err = insert(db, id, c)
					made.added = []slots.Claim{c}
					live[hour] = c
				}
				must(t, err)
				if rapid.Bool().Draw(r, "told") { // otherwise as if another process had made the change
					unreported = append(unreported, made)
				}
				if rapid.IntRange(0, 5).Draw(r, "config") == 0 {
					_, err := touchConfig(other, id)
					must(t, err)
				}
				if rapid.Bool().Draw(r, "report") {
					rand.Shuffle(len(unreported), func(i, j int) {
						unreported[i], unreported[j] = unreported[j],
							unreported[i]
					})
					for _, c := range unreported {
						s.ApplyBooking(id, c.version, c.removed, c.added)
					}
					unreported = nil
				}
				got, err := s.Latest(background, id)
				must(t, err)
				want, err := load(background, db, slug, nil, noon)
				must(t, err)
				if got.Version != want.Version || got.Config.Version != want.Config.Version || got.Name != want.Name ||
					!sameClaims(got.Claims, want.Claims) {
					r.Fatalf("version %d, config %d, claims %v\nwant %d, %d, %v", got.Version, got.Config.Version,
						got.Claims, want.Version, want.Config.Version, want.Claims)
				}
			}
		})
	})
}

// sameClaims compares two sets. Adding a claim to both makes an empty list of days equal to nil.
func sameClaims(a, b slots.Claims) bool {
	return reflect.DeepEqual(a.With(claimZero), b.With(claimZero))
}

var claimZero = claimAt(100_000)
