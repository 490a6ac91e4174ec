package calsync

import (
	"net/url"
	"testing"
	"time"

	"slotd"
	"slotd/internal/calendar/oauth"
	"slotd/internal/links"
)

// asks makes the calendar one at Google, and returns the state that its owner goes there with.
func (w *world) asks() (state string) {
	w.t.Helper()
	w.file.Calendars = []slotd.Calendar{{Name: "club", Type: slotd.Google, StaleAfterMinutes: 15}}
	w.apply()
	var err error
	w.Links, err = links.Load(background, w.DB, w.clock.Now())
	w.must(err)
	w.BaseURL = "https://book.example"
	w.Apps = map[slotd.CalendarType]oauth.App{slotd.Google: {Kind: oauth.Google, ClientID: "id", ClientSecret: "secret"}}
	c := w.config()
	link, err := w.ConsentURL(background, c.WorkspaceID, &c.Calendars[0])
	w.must(err)
	u, err := url.Parse(link)
	w.must(err)
	return u.Query().Get("state")
}

func (w *world) wantAsked(state string, want bool) {
	w.t.Helper()
	_, cal, err := w.Asked(background, state)
	if want && (err != nil || cal.Name != "club") || !want && !slotd.Is(err, slotd.Unauthorized) {
		w.t.Errorf("got %v, %v", cal, err)
	}
}

func TestConsent_AStateIsGoodForOneSuccess(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		state := w.asks()
		w.wantAsked(state, true)
		workspaceID, id := w.key("club")
		w.must(w.keepConsent(background, workspaceID, id, []byte("sealed")))
		w.wantAsked(state, false)
	})
}

func TestConsent_AStateIsGoodForAnHour(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		state := w.asks()
		w.clock.Move(time.Hour - time.Second)
		w.wantAsked(state, true)
		w.clock.Move(2 * time.Second)
		w.wantAsked(state, false)
		w.wantAsked(state[:len(state)-1]+"A", false)
		w.wantAsked("", false)
	})
}
