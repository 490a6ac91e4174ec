package microsoft_test

import (
	"context"
	"errors"
	"maps"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/microsoft"
	"slotd/internal/calendar/oauth"
	"slotd/internal/safehttp"
	"slotd/internal/testdb"
)

type event = cloudtest.Event

// world is a calendar at Microsoft, and the copy of it that is kept here.
type world struct {
	*cloudtest.Microsoft
	t      *testing.T
	clock  *testdb.Clock
	client *safehttp.Client
	tokens *oauth.Source
	reader calendar.Reader
	ours   *microsoft.Calendar

	cursor string
	kept   map[string]calendar.Item
}

func newWorld(t *testing.T) *world {
	clock := testdb.NewClock(time.Date(2030, 1, 7, 9, 0, 0, 0, time.UTC))
	w := &world{
		Microsoft: cloudtest.NewMicrosoft(t, clock.Now),
		t:         t,
		clock:     clock,
		client:    safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
		reader: calendar.Reader{
			Zone: time.UTC, Location: time.LoadLocation,
			From: clock.Now(), Until: clock.Now().AddDate(0, 2, 0),
		},
		kept: map[string]calendar.Item{},
	}
	app := oauth.App{Kind: oauth.Microsoft, ClientID: cloudtest.ClientID, ClientSecret: cloudtest.ClientSecret, Base: w.URL}
	w.tokens = app.Source(w.client, w.Grant(), clock.Now, func(context.Context, *oauth2.Token) error { return nil })
	w.ours = microsoft.New(w.client, w.URL, "", w.tokens, w.reader)
	return w
}

// sync reads what is new and keeps it, as the callers do.
func (w *world) sync() calendar.Changes {
	w.t.Helper()
	tags := map[string]string{}
	for id, item := range w.kept {
		tags[id] = item.Tag
	}
	changes, err := w.ours.Changes(w.t.Context(), w.cursor, tags)
	if err != nil {
		w.t.Fatal(err)
	}
	w.cursor = changes.Cursor
	if changes.Whole {
		clear(w.kept)
	}
	for _, item := range changes.Items {
		w.kept[item.ID] = item
	}
	for _, id := range changes.Gone {
		delete(w.kept, id)
	}
	return changes
}

// wantKept compares the copy with the lines of its events, by their ids.
func (w *world) wantKept(want map[string]string) {
	w.t.Helper()
	got := map[string]string{}
	for id, item := range w.kept {
		text := strings.ReplaceAll(item.Text, "\r\n", "\n")
		text = strings.TrimPrefix(text, "BEGIN:VCALENDAR\nBEGIN:VEVENT\n")
		got[id] = strings.TrimSuffix(text, "\nEND:VEVENT\nEND:VCALENDAR\n")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Error(diff)
	}
}

func (w *world) wantIDs(ids ...string) {
	w.t.Helper()
	want, got := map[string]bool{}, map[string]bool{}
	for _, id := range ids {
		want[id] = true
	}
	for id := range w.kept {
		got[id] = true
	}
	if !maps.Equal(want, got) {
		w.t.Errorf("kept %v, want %v", got, want)
	}
}

func wantKind(t *testing.T, err error, kind calendar.Kind) *calendar.Error {
	t.Helper()
	var e *calendar.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Fatalf("got %v, want kind %d", err, kind)
	}
	return e
}

// meeting takes an hour from the given one on 8 January.
func meeting(id, hour string, more ...event) event {
	e := event{
		"id": id, "subject": "Secret plans", "showAs": "busy", "iCalUId": "uid-" + id,
		"start": utc("2030-01-08T" + hour + ":00:00"), "end": utc("2030-01-08T" + hour + ":59:00"),
	}
	for _, m := range more {
		maps.Copy(e, m)
	}
	return e
}

func utc(wall string) event { return event{"dateTime": wall + ".0000000", "timeZone": "UTC"} }
