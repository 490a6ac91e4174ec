package records

import (
	"context"
	"testing"

	"slotd"
	"slotd/internal/booking/bookingtest"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var (
	background = context.Background()
	monday     = worlds.Monday
	guest      = worlds.Guest
	at         = worlds.At
	wantCode   = worlds.WantCode
)

// world is a server with a booking service that fills its records. Configurations come from another process.
type world struct {
	*bookingtest.World
	*Service
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target)) })
}

func newWorld(t testing.TB, target string) *world {
	t.Helper()
	base := worlds.New(t, target)
	base.Writer = base.Open()
	return &world{bookingtest.Start(base, worlds.Office()),
		&Service{DB: base.DB, Cache: base.Cache, Now: base.Clock.Now}}
}

// eachPaid is like each, with an event type that costs money.
func eachPaid(t *testing.T, test func(t *testing.T, w *world)) {
	each(t, func(t *testing.T, w *world) {
		w.addLesson()
		test(t, w)
	})
}

// addLesson adds the event type "lesson", which costs money.
func (w *world) addLesson() {
	w.T.Helper()
	w.File.EventTypes = append(w.File.EventTypes, worlds.Lesson())
	w.PutFile()
}

// connect makes a feed the host's calendar. It has not been read yet.
func (w *world) connect() *worlds.Feed {
	w.T.Helper()
	f := worlds.NewFeed(w.T)
	w.File.Calendars = []slotd.Calendar{f.Calendar()}
	w.PutFile()
	return f
}

func (w *world) inTx(do func(tx *store.Tx) error) {
	w.T.Helper()
	w.Must(w.DB.InTx(background, func(_ context.Context, tx *store.Tx) error { return do(tx) }))
}
