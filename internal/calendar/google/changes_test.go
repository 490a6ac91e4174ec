package google_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/google"
)

func TestChanges_FirstEverythingThenDifferences(t *testing.T) {
	w := newWorld(t)
	w.Put("primary", meeting("a", "10"))
	w.Put("primary", meeting("b", "11"))
	if c := w.sync(); !c.Complete || len(c.Items) != 2 {
		t.Errorf("the first read: %+v", c)
	}
	if c := w.sync(); c.Complete || len(c.Items)+len(c.Gone) != 0 {
		t.Errorf("nothing happened: %+v", c)
	}
	w.Put("primary", meeting("b", "12"))
	w.Put("primary", meeting("c", "13"))
	w.Remove("primary", "a")
	if c := w.sync(); c.Complete || len(c.Items) != 2 || len(c.Gone) != 1 {
		t.Errorf("three changes: %+v", c)
	}
	w.WantKept(map[string]string{
		"b": "UID:b@google.com\nDTSTART:20300108T120000Z\nDTEND:20300108T125900Z",
		"c": "UID:c@google.com\nDTSTART:20300108T130000Z\nDTEND:20300108T135900Z",
	})
}

func TestChanges_TagsChangeWithTheEvent(t *testing.T) {
	w := newWorld(t)
	w.Put("primary", meeting("a", "10"))
	w.sync()
	first := w.Kept["a"].Tag
	w.Put("primary", meeting("a", "11"))
	w.sync()
	if first == "" || w.Kept["a"].Tag == first {
		t.Errorf("%q, then %q", first, w.Kept["a"].Tag)
	}
}

func TestChanges_Pages(t *testing.T) {
	w := newWorld(t)
	w.PageSize = 2
	for i := range 7 {
		w.Put("primary", meeting(fmt.Sprint("e", i), "10"))
	}
	w.sync()
	if len(w.Kept) != 7 || w.Requests() != 4 {
		t.Errorf("%d events in %d requests", len(w.Kept), w.Requests())
	}
	for i := range 5 {
		w.Remove("primary", fmt.Sprint("e", i))
	}
	w.sync()
	w.WantIDs("e5", "e6")
}

// The event is on the first page before the change and on the last one after it.
func TestChanges_AnEventThatChangesDuringTheReadIsReadOnce(t *testing.T) {
	w := newWorld(t)
	w.PageSize = 1
	w.Put("primary", meeting("a", "10"))
	w.Put("primary", meeting("b", "10"))
	w.BeforeNext(func() {})
	w.BeforeNext(func() { w.Put("primary", meeting("a", "15")) })
	if c := w.sync(); len(c.Items) != 2 || !strings.Contains(w.Kept["a"].Text, "20300108T150000Z") {
		t.Errorf("%+v", c)
	}
}

func TestChanges_AnEventThatIsDeletedDuringTheReadIsGone(t *testing.T) {
	w := newWorld(t)
	w.PageSize = 1
	w.sync()
	w.Put("primary", meeting("a", "10"))
	w.Put("primary", meeting("b", "10"))
	w.BeforeNext(func() {})
	w.BeforeNext(func() { w.Remove("primary", "a") })
	if c := w.sync(); len(c.Items) != 1 || len(c.Gone) != 1 {
		t.Errorf("%+v", c)
	}
	w.WantIDs("b")
}

func TestChanges_WhatHappensDuringAWholeReadIsInTheNext(t *testing.T) {
	w := newWorld(t)
	w.PageSize = 1
	w.Put("primary", meeting("a", "10"))
	w.Put("primary", meeting("b", "10"))
	w.BeforeNext(func() {})
	w.BeforeNext(func() { w.Remove("primary", "a") })
	w.sync()
	w.sync()
	w.WantIDs("b")
}

func TestChanges_AnExpiredSyncTokenReadsEverythingInTheSameCall(t *testing.T) {
	w := newWorld(t)
	w.Put("primary", meeting("a", "10"))
	w.Put("primary", meeting("b", "10"))
	w.sync()
	w.Remove("primary", "a")
	w.ExpireSyncToken()
	if c := w.sync(); !c.Complete {
		t.Errorf("%+v", c)
	}
	w.WantIDs("b")
	if c := w.sync(); c.Complete {
		t.Error("and the next read is whole as well")
	}
}

func TestChanges_OldEventsAreLeftOut(t *testing.T) {
	w := newWorld(t)
	w.clock.Set(time.Date(2030, 1, 9, 0, 0, 0, 0, time.UTC))
	w.Put("primary", meeting("past", "10"))
	w.Put("primary", meeting("series", "10", event{"recurrence": []string{"RRULE:FREQ=DAILY"}}))
	w.Reader.From = w.clock.Now()
	w.calendar = google.New(w.Client, w.URL, "", w.Tokens, w.Reader)
	w.Tokens.Expire()
	w.sync()
	w.WantIDs("series")
}

func TestChanges_AnotherCalendar(t *testing.T) {
	w := newWorld(t)
	const id = "team#x@group.calendar.google.com"
	w.AddCalendar(id)
	w.Put(id, meeting("a", "10"))
	w.calendar = google.New(w.Client, w.URL, id, w.Tokens, w.Reader)
	w.sync()
	w.WantIDs("a")
}

func TestChanges_WhatIsNoCalendarIsNeverAnEmptyOne(t *testing.T) {
	w := newWorld(t)
	w.Put("primary", meeting("a", "10"))
	for name, body := range map[string]string{
		"HTML":            "<html><body>Sign in</body></html>",
		"nothing":         " ",
		"an empty object": "{}",
		"a list":          "[]",
		"something else":  `{"kind":"drive#file","nextSyncToken":"7"}`,
		"no end":          `{"kind":"calendar#events","items":[]}`,
		"no id":           `{"kind":"calendar#events","items":[{"iCalUID":"x"}],"nextSyncToken":"7"}`,
		"no times":        `{"kind":"calendar#events","items":[{"id":"x","iCalUID":"x"}],"nextSyncToken":"7"}`,
		"odd times":       `{"kind":"calendar#events","items":[{"id":"x","start":{"date":"soon"},"end":{"date":"2030-01-01"}}],"nextSyncToken":"7"}`,
		"a smuggled line": `{"kind":"calendar#events","items":[{"id":"x","start":{"date":"2030-01-01"},"end":{"date":"2030-01-01"},"recurrence":["RRULE:FREQ=DAILY\nSTATUS:CANCELLED"]}],"nextSyncToken":"7"}`,
		"some other line": `{"kind":"calendar#events","items":[{"id":"x","start":{"date":"2030-01-01"},"end":{"date":"2030-01-01"},"recurrence":["STATUS:CANCELLED"]}],"nextSyncToken":"7"}`,
	} {
		w.AnswerNext(body)
		if _, err := w.calendar.Changes(t.Context(), "", nil); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			cloudtest.WantKind(t, err, calendar.Unusable)
		}
	}
	w.MalformNext()
	_, err := w.calendar.Changes(t.Context(), "", nil)
	cloudtest.WantKind(t, err, calendar.Unusable)
}

func TestChanges_EndlessListsEnd(t *testing.T) {
	w := newWorld(t)
	w.PageSize = 1
	for i := range 101 {
		w.Put("primary", meeting(fmt.Sprint("e", i), "10"))
	}
	_, err := w.calendar.Changes(t.Context(), "", nil)
	cloudtest.WantKind(t, err, calendar.Unusable)
	if w.Requests() != 100 {
		t.Errorf("%d requests", w.Requests())
	}
	w.AnswerNext(`{"kind":"calendar#events","items":[` + strings.Repeat("{},", 20_000) + `{}],"nextSyncToken":"7"}`)
	_, err = w.calendar.Changes(t.Context(), "", nil)
	if e := cloudtest.WantKind(t, err, calendar.Unusable); !strings.Contains(e.Message, "20,000") {
		t.Error(e)
	}
}

func TestChanges_TroubleIsNoChange(t *testing.T) {
	w := newWorld(t)
	w.Throttle(1, 30*time.Second)
	_, err := w.calendar.Changes(t.Context(), "", nil)
	if e := cloudtest.WantKind(t, err, calendar.Unreachable); e.RetryAfter != 30*time.Second {
		t.Errorf("wait %s", e.RetryAfter)
	}
	w.FailNext(1, http.StatusInternalServerError)
	_, err = w.calendar.Changes(t.Context(), "", nil)
	cloudtest.WantKind(t, err, calendar.Unreachable)

	w.ExpireAccessToken()
	if _, err := w.calendar.Changes(t.Context(), "", nil); err != nil {
		t.Errorf("after one renewal: %v", err)
	}
	w.RevokeGrant()
	_, err = w.calendar.Changes(t.Context(), "", nil)
	cloudtest.WantKind(t, err, calendar.Revoked)
}

func TestChanges_ACalendarThatIsGoneSaysWhatToDo(t *testing.T) {
	w := newWorld(t)
	gone := google.New(w.Client, w.URL, "gone", w.Tokens, w.Reader)
	_, err := gone.Changes(t.Context(), "", nil)
	if e := cloudtest.WantKind(t, err, calendar.Unusable); e.Advice != calendar.CheckAccess {
		t.Error(e)
	}
}
