package booking

import (
	"slices"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/test/worlds"
)

// eachConnected is like each, with a calendar that has been read.
func eachConnected(t *testing.T, test func(t *testing.T, w *world, f *worlds.Feed)) {
	each(t, func(t *testing.T, w *world) {
		f := w.connect()
		w.ReadCalendars("acme")
		test(t, w, f)
	})
}

// connect makes a feed the host's calendar. It has not been read yet.
func (w *world) connect() *worlds.Feed {
	w.T.Helper()
	f := worlds.NewFeed(w.T)
	w.calendars = w.Calendars(w.db, w.cache)
	w.file.Calendars = []slotd.Calendar{f.Calendar()}
	w.apply()
	return f
}

// listed returns the open slots of the week, as a server lists them.
func (w *world) listed(s *Service, slug string) ([]time.Time, error) {
	w.T.Helper()
	p, err := s.cache.Latest(background, w.actor.WorkspaceID)
	w.Must(err)
	q, err := s.Query(p, p.EventTypeBySlug(slug), nil)
	if err != nil {
		return nil, err
	}
	open, _ := slots.Open(q, slots.Span{Start: at("00:00"), End: at("+7 00:00")})
	return open, nil
}

func (w *world) offers(s *Service, slug string, start time.Time) bool {
	w.T.Helper()
	open, err := w.listed(s, slug)
	w.Must(err)
	return slices.ContainsFunc(open, start.Equal)
}

// wantListed checks whether the start is among the listed slots.
func (w *world) wantListed(about string, s *Service, start time.Time, want bool) {
	w.T.Helper()
	if w.offers(s, "intro", start) != want {
		w.T.Errorf("%s: %s is listed: %v, want %v", about, slotd.Instant(start), !want, want)
	}
}

// reason returns the engine's answer about a start.
func (w *world) reason(slug string, start time.Time) slots.Reason {
	w.T.Helper()
	p, err := w.cache.Latest(background, w.actor.WorkspaceID)
	w.Must(err)
	return slots.Check(w.query(p, p.EventTypeBySlug(slug), nil), start)
}
