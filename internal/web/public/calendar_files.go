// Package public is what the server shows to guests. It reads through the verbs of booking and
// decides nothing about bookings itself.
package public

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/invite"
	"slotd/internal/limit"
	"slotd/internal/links"
	"slotd/internal/mail"
)

// CalendarFiles gives a booking out as an .ics file, to whoever has the link of its attendee or its
// host.
type CalendarFiles struct {
	Booking *booking.Service
	Reads   *limit.Limiter[netip.Addr] // nil: no limit
	Proxies limit.Proxies
	Log     *slog.Logger
}

// shownFor is how long after its end a booking can be read through its links.
const shownFor = 30 * 24 * time.Hour

// Attendee is the file for the attendee's calendar.
func (f *CalendarFiles) Attendee(w http.ResponseWriter, r *http.Request) {
	f.serve(w, r, links.Calendar, mail.ToAttendee)
}

// Host is the file for the host's.
func (f *CalendarFiles) Host(w http.ResponseWriter, r *http.Request) {
	f.serve(w, r, links.HostCalendar, mail.ToHost)
}

func (f *CalendarFiles) serve(w http.ResponseWriter, r *http.Request, purpose links.Purpose, to mail.Recipient) {
	private(w.Header())
	if wait := f.Reads.Take(f.Proxies.Client(r), f.Booking.Now()); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(wait)))
		http.Error(w, "Too many requests. Please try again in a moment.", http.StatusTooManyRequests)
		return
	}
	file, err := f.file(r.Context(), purpose, to, r.PathValue("token"))
	switch {
	case err != nil:
		f.Log.Error("a calendar file cannot be made", "error", err)
		http.Error(w, "Something went wrong here. Please try again.", http.StatusInternalServerError)
	case file == nil:
		http.Error(w, "There is no such booking, or it is long over.", http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="invite.ics"`)
		w.Write(file)
	}
}

// file is nil if the link leads to nothing that may be shown.
func (f *CalendarFiles) file(ctx context.Context, purpose links.Purpose, to mail.Recipient, token string) ([]byte, error) {
	workspaceID, id, ok := f.Booking.Links.Verify(purpose, token)
	if !ok {
		return nil, nil
	}
	b, err := booking.Load(ctx, f.Booking.DB.Read(), workspaceID, id)
	if err != nil || b == nil || f.Booking.Now().After(b.EndsAt.Add(shownFor)) {
		return nil, err
	}
	p, err := f.Booking.Shelf.WorkspaceByID(ctx, workspaceID)
	if err != nil {
		return nil, fmt.Errorf("load the workspace of booking %s: %w", id, err)
	}
	what, method := mail.Booked, invite.Publish
	if b.State == slotd.Canceled {
		what, method = mail.Canceled, invite.Cancel
	}
	n := f.Booking.Notice(p, b, what, to)
	n.At = f.Booking.Now()
	return mail.Calendar(n, method), nil
}

// private keeps what only the link's holder may see out of caches, search engines and other sites.
func private(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
}
