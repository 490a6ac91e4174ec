package booking

import (
	"context"
	"flag"
	"testing"
	"time"

	"slotd"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

func TestMain(m *testing.M) {
	flag.Set("rapid.checks", "12") // each commits to a disk; a flag on the command line still wins
	testdb.Main(m)
}

var (
	background = context.Background()
	monday     = worlds.Monday
	guest      = worlds.Guest
	at         = worlds.At
	wantCode   = worlds.WantCode
)

// world is one server. Configurations come from another process.
type world struct {
	*worlds.World
	*Service
	actor Actor
	file  *slotd.Workspace
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target)) })
}

func newWorld(t testing.TB, target string) *world {
	t.Helper()
	w := &world{World: worlds.New(t, target), file: worlds.Office()}
	w.Writer = w.Open()
	w.Service = New(Config{DB: w.DB, Cache: w.Cache, Links: w.Links, Now: w.Clock.Now, BaseURL: worlds.BaseURL,
		VideoURL: worlds.VideoURL, HoldFor: DefaultHold})
	w.apply()
	w.actor = Token(w.WorkspaceID("acme"), "tok_1", "")
	return w
}

// secondServer returns another server on the same database.
func (w *world) secondServer() *Service {
	w.T.Helper()
	s := *w.Service
	s.db, s.cache = w.Writer, w.NewCache(w.Writer)
	if s.calendars != nil {
		s.calendars = w.Calendars(s.db, s.cache)
	}
	return &s
}

// apply writes the world's workspace as another process would.
func (w *world) apply() {
	w.T.Helper()
	w.Put(w.file)
}

func (w *world) eventType(slug string) *slotd.EventType { return worlds.EventType(w.file, slug) }

func (w *world) create(slug string, start time.Time) (*slotd.Booking, error) {
	return w.Create(background, w.actor, requestOf(slug, start))
}

func requestOf(slug string, start time.Time) Request {
	return Request{EventType: slug, StartsAt: start, Attendee: guest, Notes: "private words"}
}

func (w *world) mustCreate(slug string, start time.Time) *slotd.Booking {
	w.T.Helper()
	b, err := w.create(slug, start)
	w.Must(err)
	return b
}

func (w *world) mustMove(b *slotd.Booking, start time.Time) *slotd.Booking {
	w.T.Helper()
	moved, err := w.Reschedule(background, w.actor, b.ID, start)
	w.Must(err)
	return moved
}

// stored returns the booking as the database has it.
func (w *world) stored(b *slotd.Booking) *slotd.Booking {
	w.T.Helper()
	found, err := FromRow(w.Row(w.actor.WorkspaceID, b))
	w.Must(err)
	return found
}

func (w *world) history(b *slotd.Booking) []sqlcgen.BookingEventsRow {
	w.T.Helper()
	rows, err := w.Writer.Read().BookingEvents(background,
		sqlcgen.BookingEventsParams{WorkspaceID: w.actor.WorkspaceID, BookingID: b.ID.String()})
	w.Must(err)
	return rows
}
