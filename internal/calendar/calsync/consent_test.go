package calsync

import (
	"net/url"
	"testing"
	"time"

	"slotd"
	"slotd/internal/calendar/oauth"
	"slotd/internal/identity/links"
	"slotd/internal/store/sqlcgen"
)

// connectGoogle makes the calendar a Google calendar, and returns the state of its consent link.
func (w *world) connectGoogle() (state string) {
	w.t.Helper()
	w.file.Calendars = []slotd.Calendar{{Name: "club", Type: slotd.Google, StaleAfterMinutes: 15}}
	w.apply()
	var err error
	w.Links, err = links.Load(background, w.DB, w.clock.Now())
	w.must(err)
	w.BaseURL = "https://book.example"
	w.Apps = map[slotd.CalendarType]oauth.App{slotd.Google: {Kind: oauth.Google, ClientID: "id",
		ClientSecret: "secret"}}
	c := w.config()
	link, err := w.ConsentURL(background, c.WorkspaceID, &c.Calendars[0])
	w.must(err)
	u, err := url.Parse(link)
	w.must(err)
	return u.Query().Get("state")
}

func (w *world) wantPending(state string, want bool) {
	w.t.Helper()
	_, cal, err := w.PendingConsent(background, state)
	if want && (err != nil || cal.Name != "club") || !want && !slotd.Is(err, slotd.Unauthorized) {
		w.t.Errorf("got %v, %v", cal, err)
	}
}

func TestConsent_AStateIsGoodForOneSuccess(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		state := w.connectGoogle()
		w.wantPending(state, true)
		workspaceID, cal, err := w.PendingConsent(background, state)
		w.must(err)
		w.must(w.saveConsent(background, workspaceID, cal, []byte("sealed"), "192.0.2.7"))
		w.wantPending(state, false)
		rows, err := w.DB.Read().ActivityBefore(background,
			sqlcgen.ActivityBeforeParams{WorkspaceID: workspaceID, At: 1 << 60, Limit: 10})
		w.must(err)
		if len(rows) != 1 || rows[0].Kind != "calendar.agreed" || rows[0].Actor != "consent" ||
			rows[0].Detail != "club" || rows[0].Address != "192.0.2.7" {
			t.Errorf("noted %+v", rows)
		}
	})
}

func TestConsent_AStateIsGoodForAnHour(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		state := w.connectGoogle()
		w.clock.Advance(time.Hour - time.Second)
		w.wantPending(state, true)
		w.clock.Advance(2 * time.Second)
		w.wantPending(state, false)
		w.wantPending(state[:len(state)-1]+"A", false)
		w.wantPending("", false)
	})
}
