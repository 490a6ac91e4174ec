package cloudtest

import (
	"context"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/calendar/oauth"
	"slotd/internal/lib/safehttp"
)

// Copy is a calendar as slotd would store it.
type Copy struct {
	Client *safehttp.Client
	Tokens *oauth.Source
	Reader ical.Reader
	Cursor string
	Kept   map[string]calendar.Item

	t *testing.T
}

// NewCopy returns an empty copy: nothing has been read yet. Its range is two months from now.
func NewCopy(t *testing.T, kind, url string, grant *oauth2.Token, now func() time.Time) *Copy {
	c := &Copy{
		Client: safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
		Reader: ical.Reader{Zone: time.UTC, Location: time.LoadLocation, From: now(), Until: now().AddDate(0, 2, 0)},
		Kept:   map[string]calendar.Item{},
		t:      t,
	}
	app := oauth.App{Kind: kind, ClientID: ClientID, ClientSecret: ClientSecret, Base: url}
	c.Tokens = app.Source(c.Client, grant, now, func(context.Context, *oauth2.Token) error { return nil })
	return c
}

// Sync reads the changes and stores them.
func (c *Copy) Sync(from calendar.Provider) calendar.Changes {
	c.t.Helper()
	tags := map[string]string{}
	for id, item := range c.Kept {
		tags[id] = item.Tag
	}
	changes, err := from.Changes(c.t.Context(), c.Cursor, tags)
	if err != nil {
		c.t.Fatal(err)
	}
	c.Cursor = changes.Cursor
	if changes.Complete {
		clear(c.Kept)
	}
	for _, item := range changes.Items {
		c.Kept[item.ID] = item
	}
	for _, id := range changes.Gone {
		delete(c.Kept, id)
	}
	return changes
}

// MustPut writes an entry.
func (c *Copy) MustPut(into calendar.Writer, e calendar.Entry, last calendar.EntryRef) calendar.EntryRef {
	c.t.Helper()
	ref, err := into.Put(c.t.Context(), e, last)
	if err != nil || ref.ID == "" || ref.Tag == "" {
		c.t.Fatalf("got %+v, %v", ref, err)
	}
	return ref
}

// WantKept compares the copy with the lines of its events, by id.
func (c *Copy) WantKept(want map[string]string) {
	c.t.Helper()
	got := map[string]string{}
	for id, item := range c.Kept {
		text := strings.ReplaceAll(item.Text, "\r\n", "\n")
		text = strings.TrimPrefix(text, "BEGIN:VCALENDAR\nBEGIN:VEVENT\n")
		got[id] = strings.TrimSuffix(text, "\nEND:VEVENT\nEND:VCALENDAR\n")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Error(diff)
	}
}

// WantIDs compares the ids of the stored items.
func (c *Copy) WantIDs(want ...string) {
	c.t.Helper()
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(c.Kept)); !slices.Equal(got, want) {
		c.t.Errorf("kept %v, want %v", got, want)
	}
}

// WantBusy expands the whole copy as one text, as slotd does: the parts of a series are separate items but belong to
// it.
func (c *Copy) WantBusy(want ...string) {
	c.t.Helper()
	var text strings.Builder
	for _, id := range slices.Sorted(maps.Keys(c.Kept)) {
		text.WriteString(c.Kept[id].Text)
	}
	x := ical.NewExpansion(c.Reader)
	x.Add(text.String())
	events, warnings, err := x.Events()
	if err != nil || len(warnings) > 0 {
		c.t.Fatalf("%v, %q", err, warnings)
	}
	var got []string
	for _, e := range events {
		got = append(got, e.Start.Format("01-02 15:04")+"/"+e.End.Format("01-02 15:04"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Error(diff)
	}
}

// WantKind checks that err is a *calendar.Error of the kind.
func WantKind(t *testing.T, err error, kind calendar.Kind) *calendar.Error {
	t.Helper()
	var e *calendar.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Fatalf("got %v, want kind %d", err, kind)
	}
	return e
}
