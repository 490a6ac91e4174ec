package caldav

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/davtest"
	"slotd/internal/calendar/ical"
	"slotd/internal/lib/safehttp"
)

var (
	loopback = safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	reader   = ical.Reader{Zone: time.UTC, Location: time.LoadLocation}
)

// eachServer runs the test on every real server.
func eachServer(t *testing.T, test func(t *testing.T, s davtest.Server)) {
	t.Run("radicale", func(t *testing.T) { t.Parallel(); test(t, davtest.Radicale(t)) })
	t.Run("xandikos", func(t *testing.T) { t.Parallel(); test(t, davtest.Xandikos(t)) })
}

func account(s davtest.Server, url string) Account { return Account{url, s.Username, s.Password} }

func component(name, uid, start string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//test\r\nBEGIN:" + name + "\r\nUID:" + uid +
		"\r\nDTSTAMP:20270101T000000Z\r\n" +
		"DTSTART:" + start + "\r\nDURATION:PT1H\r\nSUMMARY:Secret of " + uid + "\r\nEND:" + name +
		"\r\nEND:VCALENDAR\r\n"
}

func event(uid, start string) string { return component("VEVENT", uid, start) }

// follower reads a calendar repeatedly, as package calsync does.
type follower struct {
	calendar *Calendar
	cursor   string
	items    map[string]calendar.Item
}

func follow(c *Calendar) *follower { return &follower{calendar: c, items: map[string]calendar.Item{}} }

func (f *follower) read(t *testing.T) calendar.Changes {
	t.Helper()
	known := map[string]string{}
	for id, item := range f.items {
		known[id] = item.Tag
	}
	got, err := f.calendar.Changes(t.Context(), f.cursor, known)
	if err != nil {
		t.Fatal(err)
	}
	if got.Complete {
		clear(f.items)
	}
	for _, item := range got.Items {
		f.items[item.ID] = item
	}
	for _, id := range got.Gone {
		delete(f.items, id)
	}
	f.cursor = got.Cursor
	return got
}

// starts returns the names and start times of the stored items, such as "one.ics 1000".
func (f *follower) starts() string {
	var all []string
	for id, item := range f.items {
		_, after, _ := strings.Cut(item.Text, "DTSTART:20270110T")
		all = append(all, fmt.Sprintf("%s %.4s", fileName(id), after))
	}
	return sorted(all)
}

func (f *follower) want(t *testing.T, want ...string) {
	t.Helper()
	f.read(t)
	if got := f.starts(); got != sorted(want) {
		t.Errorf("got %s, want %s", got, sorted(want))
	}
}

// wantError checks that the error is for the owner, of that kind, with those words and no secret.
func wantError(t *testing.T, err error, kind calendar.Kind, words string) {
	t.Helper()
	var got *calendar.Error
	if !errors.As(err, &got) {
		t.Fatalf("got %v, want a calendar.Error", err)
	}
	if !strings.HasSuffix(got.Message, ".") || strings.Contains(got.Message, "%!") || got.Advice == calendar.NoAdvice {
		t.Errorf("not a whole sentence, or without advice: %+v", got)
	}
	if got.Kind != kind || !strings.Contains(got.Message, words) {
		t.Errorf("got kind %d, %q; want kind %d with %q", got.Kind, got.Message, kind, words)
	}
	for _, secret := range []string{"correct horse", "s3cret", "hidden", "Secret"} {
		if strings.Contains(got.Message, secret) {
			t.Errorf("%q tells %q", got.Message, secret)
		}
	}
}

func mustPut(t *testing.T, c *Calendar, e calendar.Entry, last calendar.EntryRef) calendar.EntryRef {
	t.Helper()
	ref, err := c.Put(context.Background(), e, last)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}
