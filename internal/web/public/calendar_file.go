package public

import (
	"slotd/internal/identity/links"
	"slotd/internal/mail"
	"slotd/internal/mail/invite"
	"slotd/internal/web/kit"
)

// attendeeFile sends the booking as an .ics file for the attendee's calendar.
func (v *visit) attendeeFile() error { return v.calendarFile(links.Calendar, mail.ToAttendee) }

// hostFile sends the booking as an .ics file for the host's calendar.
func (v *visit) hostFile() error { return v.calendarFile(links.HostCalendar, mail.ToHost) }

func (v *visit) calendarFile(purpose links.Purpose, to mail.Recipient) error {
	p, b, err := v.bookingByLink(v.r.Context(), purpose)
	if err != nil {
		return err
	}
	what, method := mail.Booked, invite.Publish
	if !b.State.TakesTime() {
		what, method = mail.Canceled, invite.Cancel
	}
	n := v.Booking.Notice(p, b, what, to)
	n.At = v.now
	h := v.w.Header()
	kit.KeepPrivate(h)
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="invite.ics"`)
	_, err = v.w.Write(mail.InviteFile(n, method))
	return err
}
