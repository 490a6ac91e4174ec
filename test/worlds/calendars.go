package worlds

import "slotd/internal/calendar/calsync"

// ReadCalendars does what the sync jobs of a workspace do.
func (w *World) ReadCalendars(s *calsync.Service, slug string) {
	w.T.Helper()
	c := w.Config(slug)
	for _, cal := range c.Calendars {
		w.Must(s.Read(background, c.WorkspaceID, cal.ID))
	}
}
