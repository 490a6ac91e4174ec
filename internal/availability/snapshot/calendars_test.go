package snapshot

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

const club = 7 // a calendar's id

// connect adds a calendar to workspace 1 that has not been read yet.
func connect(t testing.TB, db *store.DB) {
	t.Helper()
	must(t, db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(
			tx.PutCalendar(ctx, sqlcgen.PutCalendarParams{WorkspaceID: 1, ID: club, HostID: 1, Name: "club",
				Settings: `{"type":"ics","stale_after_minutes":15}`, Sealed: []byte{}}),
			tx.StartCalendarRead(ctx, sqlcgen.StartCalendarReadParams{WorkspaceID: 1, CalendarID: club}),
			tx.BumpConfigVersion(ctx, 1), bump(ctx, tx))
	}))
}

func bump(ctx context.Context, tx *store.Tx) error {
	_, err := tx.BumpVersion(ctx, 1)
	return err
}

// storeRead stores the result of a read at the given time: the busy times are new.
func storeRead(t testing.TB, db *store.DB, at time.Time, busy ...sqlcgen.CalendarBusy) {
	t.Helper()
	must(t, db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		state, err := tx.CalendarRead(ctx, sqlcgen.CalendarReadParams{WorkspaceID: 1, CalendarID: club})
		if err != nil {
			return err
		}
		_, err = tx.PutCalendarRead(ctx,
			sqlcgen.PutCalendarReadParams{WorkspaceID: 1, CalendarID: club, Round: state.Round, ReadAt: at.UnixMilli()})
		if len(busy) > 0 {
			err = errors.Join(err, tx.InsertCalendarBusy(ctx, busy), tx.BumpBusyVersion(ctx, 1))
		}
		return errors.Join(err, bump(ctx, tx))
	}))
}

func busyAt(hour int, booking string) sqlcgen.CalendarBusy {
	from := noon.Add(time.Duration(hour) * time.Hour)
	return sqlcgen.CalendarBusy{WorkspaceID: 1, CalendarID: club, FromAt: from.UnixMilli(),
		UntilAt: from.Add(time.Hour).UnixMilli(), BookingID: booking}
}

func idOf(c slots.Claim) string { return uuid.UUID(c.Booking).String() }

func hours(spans []slots.Span) (all []int) {
	for _, s := range spans {
		for at := s.Start; at.Before(s.End); at = at.Add(time.Hour) {
			all = append(all, int(at.Sub(noon)/time.Hour))
		}
	}
	return all
}

func wantHours(t *testing.T, about string, got []slots.Span, want ...int) {
	t.Helper()
	if !slices.Equal(hours(got), want) {
		t.Errorf("%s: busy at the hours %v, want %v", about, hours(got), want)
	}
}

func TestBusyValidUntil_IsTheFirstCopysEnd(t *testing.T) {
	c := &Config{}
	copies := &Calendars{readAt: map[int64]time.Time{1: noon, 2: noon.Add(-time.Hour)}}
	if got := c.BusyValidUntil(copies, noon); !got.IsZero() {
		t.Errorf("without calendars: %v", got)
	}
	c.Calendars = []slotd.Calendar{{ID: 1, StaleAfterMinutes: 15}}
	// A copy that is exactly 15 minutes old can still be used.
	if got := c.BusyValidUntil(copies, noon); !got.After(noon.Add(15*time.Minute)) ||
		got.After(noon.Add(15*time.Minute+time.Millisecond)) {
		t.Errorf("one: %v", got)
	}
	c.Calendars = append(c.Calendars, slotd.Calendar{ID: 2, StaleAfterMinutes: 61})
	if got := c.BusyValidUntil(copies, noon); got.Sub(noon).Round(time.Millisecond) != time.Minute {
		t.Errorf("two: %v", got)
	}
	c.Calendars = append(c.Calendars, slotd.Calendar{ID: 3, StaleAfterMinutes: 10080})
	if got := c.BusyValidUntil(copies, noon); got.IsZero() || got.After(noon.AddDate(-100, 0, 0)) {
		t.Errorf("one that was never read: %v", got)
	}
	c.Calendars = c.Calendars[:1]
	if got := c.BusyValidUntil(copies, noon.Add(-2*time.Minute)); got.After(noon.AddDate(-100, 0, 0)) {
		t.Errorf("by a clock that was put back, it was read in the future and is known until %v", got)
	}
}

func TestCalendars_OwnEventsCountUntilTheirBookingIsCanceled(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db, 1, "one")
		connect(t, db)
		ours, unknown := claimAt(1), uuid.MustParse("0190a000-0000-7000-8000-000000000000")
		_, err := insert(db, 1, ours)
		must(t, err)
		storeRead(t, db, noon, busyAt(1, idOf(ours)), busyAt(3, idOf(ours)), busyAt(5, unknown.String()), busyAt(6, ""))
		s := newCache(t, db, fixed().Now)
		p, err := s.Workspace(background, "one")
		must(t, err)
		wantHours(t, "all", p.Busy.Busy(), 1, 3, 5, 6)
		wantHours(t, "for its own move", p.Busy.BusyWithout(ours.Booking), 5, 6)
		wantHours(t, "for another's move", p.Busy.BusyWithout(uuid.New()), 1, 3, 5, 6)

		version := cancel(t, db, ours)
		s.ApplyBooking(1, version, []slots.Claim{ours}, nil)
		patched, err := s.Workspace(background, "one")
		must(t, err)
		loaded, err := newCache(t, db, fixed().Now).Workspace(background, "one")
		must(t, err)
		for about, p := range map[string]*Snapshot{"patched": patched, "loaded": loaded} {
			wantHours(t, about, p.Busy.Busy(), 5, 6)
			if p.Version != version {
				t.Errorf("%s: version %d, want %d", about, p.Version, version)
			}
		}
	})
}

func cancel(t testing.TB, db *store.DB, c slots.Claim) (version int64) {
	t.Helper()
	must(t, db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.SetBookingState(ctx, sqlcgen.SetBookingStateParams{WorkspaceID: 1, ID: idOf(c),
			FromState: string(slotd.Confirmed), ToState: string(slotd.Canceled)})
		return err
	}))
	version, err := remove(db, 1, c)
	must(t, err)
	return version
}

func TestCalendars_BusyAroundAsksOnlyAboutWhatTouches(t *testing.T) {
	near, far := uuid.New(), uuid.New()
	hour := func(n int) slots.Span {
		return slots.Span{Start: noon.Add(time.Duration(n) * time.Hour), End: noon.Add(time.Duration(n+1) * time.Hour)}
	}
	c := &Calendars{others: []slots.Span{hour(0), hour(9)}, own: []ownEvent{{hour(1), near}, {hour(8), far}}}
	for included, want := range map[bool][]int{true: {0, 1}, false: {0}} {
		busy, err := c.BusyAround(slots.Span{Start: hour(0).Start, End: hour(1).End}, func(id uuid.UUID) (bool, error) {
			if id != near {
				t.Errorf("asked about %v", id)
			}
			return included, nil
		})
		must(t, err)
		wantHours(t, "around", busy, want...)
	}
	broken := errors.New("no database")
	if _, err := c.BusyAround(hour(1), func(uuid.UUID) (bool, error) { return false, broken }); !errors.Is(err,
		broken) {
		t.Errorf("got %v", err)
	}
}

// cachedResponse returns a response about the hours from 0 to 4, as it would be cached at noon.
func cachedResponse(p *Snapshot) Response {
	reach := slots.Span{Start: noon, End: noon.Add(4 * time.Hour)}
	return Response{Version: p.Version, Reach: reach, ValidFrom: noon, ValidUntil: p.BusyValidUntil(p.Busy, noon)}
}

func TestResponse_EndsWithTheCopyAndOutlivesAReadThatFoundNothing(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db, 1, "one")
		connect(t, db)
		storeRead(t, db, noon, busyAt(1, ""))
		s := newCache(t, db, fixed().Now)
		p, err := s.Latest(background, 1)
		must(t, err)
		response := cachedResponse(p)
		if !response.ValidFor(p, noon.Add(15*time.Minute)) ||
			response.ValidFor(p, noon.Add(15*time.Minute+time.Millisecond)) {
			t.Error("it does not end when the copy does")
		}
		loads := s.Loads.Load()
		storeRead(t, db, noon.Add(5*time.Minute))
		s.ApplyCalendarRead(1, p.Version+1, club, noon.Add(5*time.Minute))
		read, err := s.Latest(background, 1)
		must(t, err)
		if s.Loads.Load() != loads || read.Version != p.Version+1 ||
			!read.Busy.ReadAt(club).Equal(noon.Add(5*time.Minute)) {
			t.Errorf("after a read: %d loads, version %d, read at %v", s.Loads.Load()-loads, read.Version,
				read.Busy.ReadAt(club))
		}
		if !p.Busy.ReadAt(club).Equal(noon) {
			t.Error("the old snapshot changed")
		}
		if !response.ValidFor(read, noon.Add(10*time.Minute)) {
			t.Error("it ended with a read that found nothing")
		}
		storeRead(t, db, noon.Add(6*time.Minute), busyAt(2, ""))
		changed, err := s.Latest(background, 1)
		must(t, err)
		if response.ValidFor(changed, noon.Add(10*time.Minute)) {
			t.Error("it outlived a change of the calendar")
		}
	})
}

// The canceled booking itself lies outside the reach, but its event lies within it.
func TestResponse_EndsWhenACancelFreesAnEventWithinItsReach(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db, 1, "one")
		connect(t, db)
		ours := claimAt(20)
		_, err := insert(db, 1, ours)
		must(t, err)
		storeRead(t, db, noon, busyAt(2, idOf(ours)))
		s := newCache(t, db, fixed().Now)
		p, err := s.Latest(background, 1)
		must(t, err)
		response := cachedResponse(p)
		s.ApplyBooking(1, cancel(t, db, ours), []slots.Claim{ours}, nil)
		after, err := s.Latest(background, 1)
		must(t, err)
		wantHours(t, "after the cancel", after.Busy.Busy())
		if response.ValidFor(after, noon) {
			t.Error("the time of the event is free, and the answer says it is not")
		}
	})
}

func TestCache_SeesAnotherProcessesReads(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db, other := testdb.Open(t, target), testdb.Open(t, target)
		seed(t, db, 1, "one")
		connect(t, db)
		s := newCache(t, db, fixed().Now)
		p, err := s.Latest(background, 1)
		must(t, err)
		if !p.Busy.ReadAt(club).IsZero() {
			t.Errorf("read at %v before it was read", p.Busy.ReadAt(club))
		}
		storeRead(t, other, noon, busyAt(1, ""))
		p, err = s.Latest(background, 1)
		must(t, err)
		wantHours(t, "after the first", p.Busy.Busy(), 1)
		storeRead(t, other, noon.Add(time.Minute))
		p, err = s.Latest(background, 1)
		must(t, err)
		wantHours(t, "after the second", p.Busy.Busy(), 1)
		if !p.Busy.ReadAt(club).Equal(noon.Add(time.Minute)) {
			t.Errorf("read at %v", p.Busy.ReadAt(club))
		}
	})
}
