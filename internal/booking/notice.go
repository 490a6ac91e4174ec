package booking

import (
	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/identity/links"
	"slotd/internal/mail"
)

// Notice returns the content of a mail or calendar file about a booking. Only notices to the attendee contain the
// attendee's links.
func (s *Service) Notice(p *snapshot.Snapshot, b *slotd.Booking, what mail.Kind, to mail.Recipient) *mail.Notice {
	n := &mail.Notice{
		Kind: what, To: to, Booking: b, Reason: reasonOf(b, what), From: s.mailFrom,
		Workspace: mail.Workspace{Name: p.Name, TimeZone: p.TimeZone, Host: p.Host, Accent: p.Look.Accent},
	}
	if to == mail.ToHost {
		n.CalendarURL = s.baseURL + s.links.Path(links.HostCalendar, p.WorkspaceID, b.ID)
		return n
	}
	n.CalendarURL = s.baseURL + s.links.Path(links.Calendar, p.WorkspaceID, b.ID)
	n.CancelURL, n.RescheduleURL = s.CancelURL(p.WorkspaceID, b.ID), s.RescheduleURL(p.WorkspaceID, b.ID)
	if e := p.EventTypeByID(b.EventTypeID); e != nil && e.Public() {
		n.BookingURL = s.URL(p.Slug, e.Slug)
	}
	return n
}

func reasonOf(b *slotd.Booking, what mail.Kind) string {
	switch what {
	case mail.Canceled:
		return b.CancelReason
	case mail.Rescheduled:
		return b.MoveReason
	}
	return ""
}
