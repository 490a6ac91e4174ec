package owner

import (
	"strings"
	"testing"
	"time"

	"slotd/internal/web/owner/bookings"
	"slotd/internal/web/owner/eventtypes"
	"slotd/internal/web/owner/page"

	"slotd"
)

// The pages say that nobody can book exactly when that is true.
func TestPaused_IsSaidWhereBookingsAndEventTypesAre(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		feed, ada := newICSServer(t, "", ""), w.ada()
		booked := bookings.BookingPath(w.book("intro", monday.AddDate(0, 0, 1).Add(2*time.Hour), "Grace"))
		ada.connectFeed("Club <b>", feed)
		for _, step := range []struct {
			after time.Duration
			stale bool
		}{{0, false}, {15 * time.Minute, false}, {time.Millisecond, true}} {
			w.Clock.Advance(step.after)
			for _, path := range []string{page.BookingsPath, page.BookingsPath + "?view=day", eventtypes.EventTypesPath,
				booked} {
				p := ada.get(path).says(200)
				said := strings.Contains(p.Text(),
					"Bookings are paused: the calendar Club <b> hasn't been read since ")
				if said != step.stale || strings.Contains(p.Body, "<b>") {
					t.Errorf("%s after %v: %s", path, step.after, p.Text())
				}
			}
			if got := w.isUnavailable("acme"); got != step.stale {
				t.Errorf("guests are refused: %t", got)
			}
		}
		if p := w.bo().get(page.BookingsPath); strings.Contains(p.Text(), "Bookings are paused") {
			t.Error("bo is told of acme's calendar")
		}
	})
}

// isUnavailable reports whether guests cannot book because a calendar cannot be read.
func (w *world) isUnavailable(slug string) bool {
	w.T.Helper()
	p, err := w.Site.Cache.Latest(background, w.id(slug))
	w.Must(err)
	_, err = w.Booking.Query(p, p.EventTypeBySlug("intro"), nil)
	return slotd.Is(err, slotd.CalendarUnavailable)
}

func TestPaused_NamesAllThatAreTheReason(t *testing.T) {
	w := lite(t)
	withGoogle(w)
	ada := w.ada()
	ada.submit("/settings/calendars/new/google", "name", "Work")
	ada.get(eventtypes.EventTypesPath).says(200, "the calendar Work can't be read. Open Calendars")
	ada.submit("/settings/calendars/new/google", "name", "Home")
	ada.get(eventtypes.EventTypesPath).says(200, "the calendars Work and Home can't be read. Open Calendars")
}
