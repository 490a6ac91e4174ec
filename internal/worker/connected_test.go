package worker

import (
	"context"
	"slices"
	"testing"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/davtest"
	"slotd/internal/calendar/oauth"
	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
)

// connected is a world whose host has a Google calendar that bookings are written into.
type connected struct {
	*world
	google *cloudtest.Google
	reads  *jobs.Runner
	writes *jobs.Runner
}

func eachConnected(t *testing.T, test func(t *testing.T, w *connected)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newConnected(t, target)) })
}

func newConnected(t *testing.T, target string) *connected {
	t.Helper()
	w := &connected{world: newWorld(t, target)}
	w.google = cloudtest.NewGoogle(t, w.Clock.Now)
	w.calendars = w.Calendars(w.DB, w.Cache)
	w.calendars.Apps = map[slotd.CalendarType]oauth.App{slotd.Google: {Kind: oauth.Google,
		ClientID: cloudtest.ClientID, ClientSecret: cloudtest.ClientSecret, Base: w.google.URL}}
	w.newService()
	w.reads = w.newRunner(jobs.Calendar,
		map[string]jobs.Handler{workspace.SyncJob: (&Calendars{Sync: w.calendars}).Read})
	w.writes = w.newWriter()
	w.deliverTo(w.box)
	w.File.Calendars = []slotd.Calendar{{Name: "office", Type: slotd.Google, WriteBack: true,
		StaleAfterMinutes: 7 * 24 * 60}}
	w.PutFile()
	w.consent("office")
	return w
}

func (w *connected) writeBack() *WriteBack {
	return &WriteBack{Booking: w.Service, Sync: w.calendars, DB: w.DB, Cache: w.Cache, Now: w.now}
}

// newWriter returns a server's runner of write-back jobs.
func (w *connected) newWriter() *jobs.Runner {
	return w.newRunner(jobs.WriteBack, map[string]jobs.Handler{booking.WriteBackJob: w.writeBack().Write})
}

func (w *connected) calendar(name string) *slotd.Calendar {
	w.T.Helper()
	c := w.Config("acme")
	at := slices.IndexFunc(c.Calendars, func(cal slotd.Calendar) bool { return cal.Name == name })
	if at < 0 {
		w.T.Fatalf("no calendar %s", name)
	}
	return &c.Calendars[at]
}

// consent stores the owner's consent to a calendar.
func (w *connected) consent(name string) {
	w.T.Helper()
	cal := w.calendar(name)
	sealed, err := workspace.Credential{Token: w.google.Grant()}.Seal(w.Keys, w.Actor.WorkspaceID, cal)
	w.Must(err)
	w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.SealCalendar(ctx,
			sqlcgen.SealCalendarParams{WorkspaceID: w.Actor.WorkspaceID, ID: cal.ID, Sealed: sealed,
				Sealed_2: []byte{}})
		return err
	}))
}

func (w *connected) status(name string) calsync.Status {
	w.T.Helper()
	all, err := w.calendars.List(background, w.Config("acme"))
	w.Must(err)
	for _, s := range all {
		if s.Name == name {
			return s
		}
	}
	w.T.Fatalf("no calendar %s", name)
	return calsync.Status{}
}

// chooseSecond makes bookings be written into the Google calendar "second" from now on.
func (w *connected) chooseSecond() {
	w.T.Helper()
	w.File.Calendars[0].WriteBack = false
	w.File.Calendars = append(w.File.Calendars, slotd.Calendar{Name: "second", Type: slotd.Google, Calendar: "second",
		WriteBack: true, StaleAfterMinutes: 15})
	w.PutFile()
	w.consent("second")
}

// newOnRadicale returns a world whose bookings are written into a calendar of a real CalDAV server.
func newOnRadicale(t *testing.T) (*connected, davtest.Server) {
	t.Helper()
	radicale := davtest.Radicale(t)
	w := newConnected(t, testdb.SQLite(t))
	w.File.Calendars = []slotd.Calendar{{Name: "dav", Type: slotd.CalDAV, URL: radicale.Calendar,
		Username: radicale.Username, WriteBack: true, StaleAfterMinutes: 15}}
	w.PutWithPasswords(w.File, map[string]string{"dav": radicale.Password})
	return w, radicale
}
