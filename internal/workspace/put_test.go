package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/zone"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var (
	ctx = context.Background()
	now = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func anEventType(slug string) slotd.EventType {
	return slotd.EventType{
		Slug: slug, Title: "The " + slug, DurationMinutes: 30, Schedule: "default", BookingWindowDays: 60,
		Location: slotd.Location{Type: slotd.Video}, RemindersMinutesBefore: []int{60},
	}
}

func with(slugs ...string) *slotd.Workspace {
	w := valid()
	w.EventTypes = nil
	for _, slug := range slugs {
		w.EventTypes = append(w.EventTypes, anEventType(slug))
	}
	return w
}

func apply(t *testing.T, db *store.DB, w *slotd.Workspace) (before *slotd.Workspace) {
	t.Helper()
	if problems := Validate(w); len(problems) > 0 {
		t.Fatalf("the test's workspace is wrong: %v", problems)
	}
	previous, err := Put(ctx, db, Change{Desired: w, Now: now})
	must(t, err)
	return previous.Workspace
}

func config(t *testing.T, db *store.DB, slug string) *snapshot.Config {
	t.Helper()
	c, err := snapshot.LoadConfig(ctx, db.Read(), slug)
	must(t, err)
	return c
}

func versions(t *testing.T, db *store.DB, slug string) (version, configVersion int64) {
	t.Helper()
	v, err := db.Read().Version(ctx, config(t, db, slug).WorkspaceID)
	must(t, err)
	return v.Version, v.ConfigVersion
}

func wantVersions(t *testing.T, db *store.DB, about string, want int64) {
	t.Helper()
	if v, c := versions(t, db, "acme"); v != want || c != want {
		t.Errorf("%s: version %d and config version %d, want %d", about, v, c, want)
	}
}

// order returns the slugs in their stored order, retired ones in parentheses.
func order(w *slotd.Workspace) string {
	var slugs []string
	for _, e := range w.EventTypes {
		if e.Retired {
			e.Slug = "(" + e.Slug + ")"
		}
		slugs = append(slugs, e.Slug)
	}
	return strings.Join(slugs, " ")
}

func ids(c *snapshot.Config) map[string]int64 {
	ids := map[string]int64{}
	for _, e := range c.EventTypes {
		ids[e.Slug] = e.ID
	}
	return ids
}

// book adds a live booking of the event type without any checks.
func book(t *testing.T, db *store.DB, slug string, start time.Time) (cancel func()) {
	t.Helper()
	c, id := config(t, db, "acme"), uuid.NewString()
	e, end := c.EventTypeBySlug(slug), start.Add(30*time.Minute)
	must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(
			tx.InsertBooking(ctx, sqlcgen.InsertBookingParams{WorkspaceID: c.WorkspaceID, ID: id, HostID: c.HostID,
				EventTypeID: e.ID,
				State:       "confirmed", StartsAt: start.UnixMilli(), EndsAt: end.UnixMilli(), Terms: "{}"}),
			tx.InsertClaim(ctx, sqlcgen.InsertClaimParams{WorkspaceID: c.WorkspaceID, HostID: c.HostID, BookingID: id,
				EventTypeID: e.ID,
				StartsAt:    start.UnixMilli(), FromAt: start.UnixMilli(), UntilAt: end.UnixMilli()}))
	}))
	return func() {
		must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.DeleteClaim(ctx, sqlcgen.DeleteClaimParams{WorkspaceID: c.WorkspaceID, HostID: c.HostID,
				BookingID: id})
		}))
	}
}

func TestPut_KeepsEverythingTheFileSays(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		want := valid()
		want.Look = slotd.Look{Accent: "#0b7285", Logo: "https://acme.example/logo.svg?a=1&b=2"}
		want.Embed = slotd.Embed{AllowedSites: []string{"https://acme.example"}}
		want.Schedules["evenings"] = slotd.Schedule{TimeZone: "Asia/Kathmandu",
			Weekly: map[time.Weekday][]slots.Window{time.Sunday: {{From: 1200, Until: 1440}}},
			Overrides: map[zone.Date][]slots.Window{zone.NewDate(2027, 3, 1): {{From: 0, Until: 60}},
				zone.NewDate(2027, 3, 2): {}}}
		e := anEventType("full")
		e.Description, e.Schedule, e.Hidden = "Zeile 1\nZeile 2 \u2028 <b>", "evenings", true
		e.BufferBeforeMinutes, e.BufferAfterMinutes, e.MinimumNoticeMinutes, e.SlotIntervalMinutes, e.MaxPerDay = 1, 2,
			3, 4, 5
		e.RemindersMinutesBefore, e.Location = []int{}, slotd.Location{Type: slotd.Phone, Ask: true}
		want.EventTypes = append(want.EventTypes, e)
		if before := apply(t, db, want); before != nil {
			t.Errorf("a new workspace was %v before", before)
		}
		c := config(t, db, "acme")
		for i := range c.EventTypes {
			if c.EventTypes[i].ID == 0 {
				t.Errorf("%s has no id", c.EventTypes[i].Slug)
			}
			c.EventTypes[i].ID = 0
		}
		if diff := cmp.Diff(want, &c.Workspace); diff != "" {
			t.Errorf("kept something else (-want +got):\n%s", diff)
		}
		wantVersions(t, db, "new", 1)
	})
}

func TestPut_TheSameAgainWritesNothing(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, with("a", "b", "c"))
		apply(t, db, with("b", "c")) // a retired event type must not count as a change each time
		before := config(t, db, "acme")
		for range 3 {
			previous := apply(t, db, with("b", "c"))
			if diff := cmp.Diff(&before.Workspace, previous); diff != "" {
				t.Errorf("was something else before:\n%s", diff)
			}
		}
		wantVersions(t, db, "repeated", 2)
	})
}

func TestPut_WhatWasExportedChangesNothing(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, valid())
		previous := config(t, db, "acme").Workspace
		apply(t, db, &previous)
		wantVersions(t, db, "what was read", 1)
	})
}

func TestPut_EachChangeCountsOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		w := with("a", "b")
		apply(t, db, w)
		want := int64(1)
		for about, change := range map[string]func(){
			"name":        func() { w.Name = "Other" },
			"zone":        func() { w.TimeZone = "Europe/Paris" },
			"host's name": func() { w.Host.Name = "Bo" },
			"host's mail": func() { w.Host.Email = "bo@acme.example" },
			"look":        func() { w.Look.Accent = "#123456" },
			"embed":       func() { w.Embed.AllowedSites = []string{"https://a.example"} },
			"title":       func() { w.EventTypes[0].Title = "New" },
			"hidden":      func() { w.EventTypes[0].Hidden = true },
			"schedule": func() {
				w.Schedules["default"].Weekly[time.Friday] = []slots.Window{{From: 60,
					Until: 120}}
			},
			"new schedule":  func() { w.Schedules["more"] = slotd.Schedule{} },
			"several":       func() { w.Name, w.EventTypes[1].Title = "Third", "Other" },
			"new, retired":  func() { w.EventTypes = append(w.EventTypes[:1:1], anEventType("z"+fmt.Sprint(want))) },
			"order of both": func() { w.EventTypes[0], w.EventTypes[1] = w.EventTypes[1], w.EventTypes[0] },
		} {
			change()
			apply(t, db, w)
			want++
			wantVersions(t, db, about, want)
			got := config(t, db, "acme").Workspace
			if got.Name != w.Name || got.TimeZone != w.TimeZone || got.Host != w.Host || !cmp.Equal(got.Look, w.Look) ||
				!cmp.Equal(got.Embed, w.Embed) || !cmp.Equal(got.Schedules, w.Schedules) {
				t.Errorf("%s was not kept", about)
			}
		}
	})
}

func TestPut_ADryRunWritesNothingAndReturnsWhatWas(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		before, err := Put(ctx, db, Change{Desired: with("a"), Now: now, DryRun: true})
		must(t, err)
		if before.Workspace != nil {
			t.Errorf("a new workspace was %v before", before)
		}
		if _, err := snapshot.LoadConfig(ctx, db.Read(), "acme"); !slotd.Is(err, slotd.WorkspaceNotFound) {
			t.Errorf("the dry run left %v", err)
		}
		apply(t, db, with("a", "b"))
		previous := config(t, db, "acme")
		changed := with("c", "a")
		changed.Name = "Other"
		before, err = Put(ctx, db, Change{Desired: changed, Now: now, DryRun: true})
		must(t, err)
		if previous := before.Workspace; order(previous) != "a b" || previous.Name != "Acme Inc" {
			t.Errorf("was %q, %q before", order(previous), previous.Name)
		}
		if diff := cmp.Diff(&previous.Workspace, &config(t, db, "acme").Workspace); diff != "" {
			t.Errorf("the dry run changed:\n%s", diff)
		}
		wantVersions(t, db, "dry run", 1)
	})
}

func TestPut_ADryRunRefusesWhatTheRealOneWould(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		inUse(t, db)
		if _, err := Put(ctx, db, Change{Desired: withoutSpare(), Now: now, DryRun: true}); !slotd.Is(err,
			slotd.InvalidArgument) {
			t.Errorf("got %v", err)
		}
	})
}

func TestPut_DoesNotChangeWhatItIsGiven(t *testing.T) {
	db := testdb.Open(t, testdb.SQLite(t))
	apply(t, db, with("a", "b"))
	given := with("b", "c")
	apply(t, db, given)
	if diff := cmp.Diff(with("b", "c"), given); diff != "" {
		t.Errorf("changed its argument:\n%s", diff)
	}
}

func TestPut_FollowsTheFilesOrder(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		for _, step := range []struct{ file, want string }{
			{"a b c d", "a b c d"},
			{"d c b a", "d c b a"},
			{"b", "b (d) (c) (a)"},
			{"c b", "c b (d) (a)"},
			{"e a", "e a (c) (b) (d)"},
			{"", "(e) (a) (c) (b) (d)"},
			{"a b c d e", "a b c d e"},
		} {
			apply(t, db, with(strings.Fields(step.file)...))
			if got := order(&config(t, db, "acme").Workspace); got != step.want {
				t.Errorf("after %q: %q, want %q", step.file, got, step.want)
			}
			v, _ := versions(t, db, "acme")
			apply(t, db, with(strings.Fields(step.file)...))
			if again, _ := versions(t, db, "acme"); again != v {
				t.Errorf("after %q again: version %d, was %d", step.file, again, v)
			}
		}
	})
}

func TestPut_AnEventTypeKeepsItsIDForLife(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, with("a", "b"))
		first := config(t, db, "acme")
		apply(t, db, with("b"))
		retired := config(t, db, "acme")
		if e := retired.EventTypeBySlug("a"); !e.Retired || e.Title != "The a" {
			t.Errorf("the retired one is %+v", e)
		}
		revived := with("b", "a")
		revived.EventTypes[1].Title = "Back"
		apply(t, db, revived)
		last := config(t, db, "acme")
		if diff := cmp.Diff(ids(first), ids(last)); diff != "" {
			t.Errorf("ids changed:\n%s", diff)
		}
		if e := last.EventTypeBySlug("a"); e.Retired || e.Title != "Back" {
			t.Errorf("the revived one is %+v", e)
		}
		if first.WorkspaceID != last.WorkspaceID || first.HostID != last.HostID {
			t.Error("the workspace or its host has another id")
		}
	})
}

// A retired event type becomes live again if the file contains it, as an export of the database rows would.
func TestPut_WhatTheFileHoldsIsNeverRetired(t *testing.T) {
	db := testdb.Open(t, testdb.SQLite(t))
	w := with("a")
	w.EventTypes[0].Retired = true
	apply(t, db, w)
	if got := order(&config(t, db, "acme").Workspace); got != "a" {
		t.Errorf("kept %q", got)
	}
}

// inUse creates the event type "old" with a future booking on the schedule "spare".
func inUse(t *testing.T, db *store.DB) (cancel func()) {
	t.Helper()
	w := withoutSpare()
	w.Schedules["spare"] = slotd.Schedule{}
	w.EventTypes = append(w.EventTypes, anEventType("old"))
	w.EventTypes[1].Schedule = "spare"
	apply(t, db, w)
	return book(t, db, "old", now.Add(time.Hour))
}

func withoutSpare() *slotd.Workspace { return with("a") }

func TestPut_AScheduleThatBookingsNeedCannotBeLeftOut(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		cancel := inUse(t, db)
		previous := config(t, db, "acme")
		wantRefused := func(about string, at time.Time) {
			t.Helper()
			desired := withoutSpare()
			desired.Name, desired.EventTypes[0].Title = "Other", "Other"
			desired.Schedules["new"] = slotd.Schedule{}
			_, err := Put(ctx, db, Change{Desired: desired, Now: at})
			if e := new(slotd.Error); !errors.As(err, &e) || e.Reason != slotd.ScheduleInUse || e.Name != "spare" ||
				e.EventType != "old" {
				t.Errorf("%s: got %v, want the schedule and the event type that needs it", about, err)
			}
			if diff := cmp.Diff(&previous.Workspace, &config(t, db, "acme").Workspace); diff != "" {
				t.Errorf("%s: a refused Put changed:\n%s", about, diff)
			}
			wantVersions(t, db, about, 1)
		}
		wantRefused("to come", now)
		wantRefused("under way", now.Add(89*time.Minute))
		cancel()
		apply(t, db, withoutSpare())
		if _, there := config(t, db, "acme").Schedules["spare"]; there {
			t.Error("the schedule is still there")
		}
	})
}

func TestPut_AScheduleOfEndedBookingsCanBeLeftOut(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		inUse(t, db)
		_, err := Put(ctx, db, Change{Desired: withoutSpare(), Now: now.Add(90 * time.Minute)})
		must(t, err)
		c := config(t, db, "acme")
		if e := c.EventTypeBySlug("old"); !e.Retired || c.Schedule(e) != nil {
			t.Errorf("the retired one is %+v", e)
		}
		apply(t, db, withoutSpare()) // a workspace with such an orphan can be put again
		wantVersions(t, db, "an orphan", 2)
	})
}

// If an event type switches to another schedule, the old schedule can be dropped, even if there are bookings.
func TestPut_AnEventTypeMayChangeItsSchedule(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		inUse(t, db)
		w := with("a", "old")
		apply(t, db, w)
		if c := config(t, db, "acme"); len(c.Schedules) != 1 || c.Schedule(c.EventTypeBySlug("old")) == nil {
			t.Errorf("schedules: %v", c.Schedules)
		}
	})
}

func TestRace_ManyPutsMakeOneWorkspace(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		handles := []*store.DB{testdb.Open(t, target), testdb.Open(t, target)}
		const writers = 12
		var creators sync.Map
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				w := with("a", "b", fmt.Sprintf("own-%d", i))
				before, err := Put(ctx, handles[i%2], Change{Desired: w, Now: now})
				if err != nil {
					t.Errorf("writer %d: %v", i, err)
				} else if before.Workspace == nil {
					creators.Store(i, true)
				}
			})
		}
		wg.Wait()
		created := 0
		creators.Range(func(any, any) bool { created++; return true })
		if created != 1 {
			t.Errorf("%d of them made the workspace, want one", created)
		}
		wantVersions(t, handles[0], "all of them", writers)
		c := config(t, handles[1], "acme")
		if retired := strings.Count(order(&c.Workspace), "("); len(c.EventTypes) != writers+2 || retired != writers-1 {
			t.Errorf("kept %q", order(&c.Workspace))
		}
	})
}

func TestRace_TheSamePutManyTimesWritesOnce(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		handles := []*store.DB{testdb.Open(t, target), testdb.Open(t, target)}
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				if _, err := Put(ctx, handles[i%2], Change{Desired: with("a", "b"), Now: now}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		wantVersions(t, handles[0], "all the same", 1)
	})
}

func TestPut_OtherWorkspacesStayAsTheyAre(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, with("a", "b"))
		other := with("a", "c")
		other.Slug = "other"
		apply(t, db, other)
		other.EventTypes = other.EventTypes[1:]
		apply(t, db, other)
		wantVersions(t, db, "the first", 1)
		if got := order(&config(t, db, "acme").Workspace); got != "a b" {
			t.Errorf("the first has %q", got)
		}
	})
}
