package worlds

// ReadCalendars does what the sync jobs of a workspace do.
func (w *World) ReadCalendars(slug string) {
	w.T.Helper()
	reader, c := w.Calendars(w.DB, w.Cache), w.Config(slug)
	for _, cal := range c.Calendars {
		w.Must(reader.Read(background, c.WorkspaceID, cal.ID))
	}
}
