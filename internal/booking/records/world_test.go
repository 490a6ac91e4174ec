package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity/links"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var background = context.Background()

// monday is when the clock starts: 2027-02-01 is a Monday, an hour before the office opens.
var monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

type bookings = booking.Service

// world is one server, with a booking service that fills its records, and a second database handle for the writes of
// other processes.
type world struct {
	t         testing.TB
	clock     *testdb.Clock
	other     *store.DB
	raw       *sql.DB
	links     *links.Signer
	calendars *calsync.Service
	*bookings
	*Service
	actor booking.Actor
	file  *slotd.Workspace
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target)) })
}

func newWorld(t testing.TB, target string) *world {
	t.Helper()
	w := &world{t: t, clock: testdb.NewClock(monday), file: office()}
	db := testdb.Open(t, target)
	w.other = testdb.Open(t, target)
	driver := "sqlite"
	if store.IsPostgres(target) {
		driver = "pgx"
	}
	var err error
	w.raw, err = sql.Open(driver, target)
	w.must(err)
	t.Cleanup(func() { w.raw.Close() })
	w.links, err = links.Load(background, db, monday)
	w.must(err)
	cache, err := snapshot.NewCache(background, db, w.clock.Now)
	w.must(err)
	t.Cleanup(cache.Close)
	w.calendars = w.calendarReader(db, cache)
	w.bookings = booking.New(booking.Config{
		DB: db, Cache: cache, Links: w.links, Calendars: w.calendars, Now: w.clock.Now, HoldFor: booking.DefaultHold,
		BaseURL: "https://book.example", VideoURL: "https://rooms.example/{room}",
	})
	w.Service = &Service{DB: db, Cache: cache, Now: w.clock.Now}
	w.apply()
	w.actor = booking.Actor{WorkspaceID: w.config().WorkspaceID, Name: "token:tok_1"}
	return w
}

// calendarReader returns a service that reads the test's calendars.
func (w *world) calendarReader(db *store.DB, cache *snapshot.Cache) *calsync.Service {
	w.t.Helper()
	keys, err := seal.Ensure(filepath.Join(w.t.TempDir(), "secret.key"))
	w.must(err)
	return &calsync.Service{
		DB: db, Cache: cache, Keys: keys,
		Client: safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Interval: calsync.DefaultInterval,
		Now: w.clock.Now, Log: slog.New(slog.DiscardHandler),
	}
}

func window(text string) slots.Window {
	w, err := slots.ParseWindow(text)
	if err != nil {
		panic(err)
	}
	return w
}

// office returns a workspace that is open every day from nine to five in Paris, an hour ahead of UTC in winter.
func office() *slotd.Workspace {
	weekly := map[time.Weekday][]slots.Window{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		weekly[day] = []slots.Window{window("09:00-17:00")}
	}
	return &slotd.Workspace{
		Slug: "acme", Name: "Acme", TimeZone: "Europe/Paris", Host: slotd.Host{Name: "Ada", Email: "ada@acme.example"},
		Schedules: map[string]slotd.Schedule{"default": {Weekly: weekly}},
		EventTypes: []slotd.EventType{
			{Slug: "intro", Title: "Intro call", DurationMinutes: 30, Location: slotd.Location{Type: slotd.Video},
				Schedule: "default", BookingWindowDays: 30, RemindersMinutesBefore: []int{60}},
			{Slug: "visit", Title: "Visit", DurationMinutes: 60,
				Location: slotd.Location{Type: slotd.InPerson, Text: "1 Main Street"}, Schedule: "default",
				BufferBeforeMinutes: 15, BufferAfterMinutes: 30, SlotIntervalMinutes: 15, BookingWindowDays: 30,
				RemindersMinutesBefore: []int{1440, 60}},
		},
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// apply writes the world's workspace as another process would.
func (w *world) apply() {
	w.t.Helper()
	if problems := workspace.Validate(w.file); len(problems) > 0 {
		w.t.Fatalf("the test's workspace is wrong: %v", problems)
	}
	_, err := workspace.Put(background, w.other, workspace.Change{Desired: w.file, Now: w.clock.Now()})
	w.must(err)
}

func (w *world) config() *snapshot.Config {
	w.t.Helper()
	c, err := snapshot.LoadConfig(background, w.other.Read(), "acme")
	w.must(err)
	return c
}

func (w *world) eventType(slug string) *slotd.EventType {
	for i := range w.file.EventTypes {
		if w.file.EventTypes[i].Slug == slug {
			return &w.file.EventTypes[i]
		}
	}
	w.t.Fatalf("no event type %s", slug)
	return nil
}

var guest = slotd.Attendee{Name: "Grace Guest", Email: "grace@guest.example", TimeZone: "Asia/Tokyo"}

func (w *world) create(slug string, start time.Time) (*slotd.Booking, error) {
	return w.Create(background, w.actor,
		booking.Request{EventType: slug, StartsAt: start, Attendee: guest, Notes: "private words"})
}

func (w *world) mustCreate(slug string, start time.Time) *slotd.Booking {
	w.t.Helper()
	b, err := w.create(slug, start)
	w.must(err)
	return b
}

func (w *world) mustMove(b *slotd.Booking, start time.Time) *slotd.Booking {
	w.t.Helper()
	moved, err := w.Reschedule(background, w.actor, b.ID, start)
	w.must(err)
	return moved
}

// row returns the booking's row in the database. stored returns it as a booking.
func (w *world) row(b *slotd.Booking) sqlcgen.Booking {
	w.t.Helper()
	row, err := w.other.Read().Booking(background,
		sqlcgen.BookingParams{WorkspaceID: w.actor.WorkspaceID, ID: b.ID.String()})
	w.must(err)
	return row
}

func (w *world) stored(b *slotd.Booking) *slotd.Booking {
	w.t.Helper()
	found, err := booking.FromRow(w.row(b))
	w.must(err)
	return found
}

func (w *world) inTx(do func(tx *store.Tx) error) {
	w.t.Helper()
	w.must(w.DB.InTx(background, func(_ context.Context, tx *store.Tx) error { return do(tx) }))
}

func wantCode(t testing.TB, err error, code slotd.Code) {
	t.Helper()
	var e *slotd.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
}

// at returns an instant of the Monday in UTC: "09:30", or of a later day: "+1 09:30".
func at(text string) time.Time {
	day := 0
	if strings.HasPrefix(text, "+") {
		fmt.Sscanf(text, "+%d ", &day)
		_, text, _ = strings.Cut(text, " ")
	}
	clock, err := time.Parse("15:04", text)
	if err != nil {
		panic(err)
	}
	return time.Date(2027, 2, 1+day, clock.Hour(), clock.Minute(), 0, 0, time.UTC)
}

// checkClaims checks that the claims are exactly the live bookings, widened by the buffers they were booked with, and
// that no two overlap.
func (w *world) checkClaims(fatalf func(string, ...any)) {
	lines := func(query string) (list []string) {
		rows, err := w.raw.Query(query, w.actor.WorkspaceID)
		w.must(err)
		defer rows.Close()
		for rows.Next() {
			var id string
			var host, eventType, start, from, until int64
			w.must(rows.Scan(&id, &host, &eventType, &start, &from, &until))
			list = append(list, fmt.Sprintln(from, until, start, host, eventType, id))
		}
		w.must(rows.Err())
		return list
	}
	claims := lines(`SELECT booking_id, host_id, event_type_id, starts_at, from_at, until_at
		FROM claims WHERE workspace_id = $1 ORDER BY from_at`)
	live := lines(`SELECT id, host_id, event_type_id, starts_at, starts_at - buffer_before_minutes * 60000,
		ends_at + buffer_after_minutes * 60000
		FROM bookings WHERE workspace_id = $1 AND state IN ('held', 'confirmed')
		ORDER BY starts_at - buffer_before_minutes * 60000`)
	if !slices.Equal(claims, live) {
		fatalf("claims %v\nlive bookings %v", claims, live)
	}
	last := int64(0)
	for _, line := range claims {
		var from, until int64
		fmt.Sscan(line, &from, &until)
		if from < last {
			fatalf("claims overlap: %v", claims)
		}
		last = until
	}
}
