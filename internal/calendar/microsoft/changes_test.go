package microsoft_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/microsoft"
)

func TestChanges_FirstEverythingThenDifferences(t *testing.T) {
	w := newWorld(t)
	w.Put("", meeting("a", "10"))
	w.Put("", meeting("b", "11"))
	if c := w.sync(); !c.Complete || len(c.Items) != 2 {
		t.Errorf("the first read: %+v", c)
	}
	if c := w.sync(); c.Complete || len(c.Items)+len(c.Gone) != 0 {
		t.Errorf("nothing happened: %+v", c)
	}
	w.Put("", meeting("b", "12"))
	w.Put("", meeting("c", "13"))
	w.Remove("", "a")
	if c := w.sync(); c.Complete || len(c.Items) != 2 || len(c.Gone) != 1 {
		t.Errorf("three changes: %+v", c)
	}
	w.WantKept(map[string]string{
		"b": "UID:uid-b\nDTSTART:20300108T120000Z\nDTEND:20300108T125900Z",
		"c": "UID:uid-c\nDTSTART:20300108T130000Z\nDTEND:20300108T135900Z",
	})
}

func TestChanges_Pages(t *testing.T) {
	w := newWorld(t)
	w.PageSize = 2
	for i := range 7 {
		w.Put("", meeting(fmt.Sprint("e", i), "10"))
	}
	w.sync()
	if len(w.Kept) != 7 || w.Requests() != 4 {
		t.Errorf("%d events in %d requests", len(w.Kept), w.Requests())
	}
	for i := range 5 {
		w.Remove("", fmt.Sprint("e", i))
	}
	w.sync()
	w.WantIDs("e5", "e6")
}

func TestChanges_AnEventThatIsDeletedDuringTheReadIsGone(t *testing.T) {
	w := newWorld(t)
	w.PageSize = 1
	w.sync()
	w.Put("", meeting("a", "10"))
	w.Put("", meeting("b", "10"))
	w.BeforeNext(func() {})
	w.BeforeNext(func() { w.Remove("", "a") })
	if c := w.sync(); len(c.Items) != 1 || len(c.Gone) != 1 {
		t.Errorf("%+v", c)
	}
	w.WantIDs("b")
}

func TestChanges_AnExpiredStateReadsEverythingInTheSameCall(t *testing.T) {
	for name, expire := range map[string]func(*world){
		"410":             func(w *world) { w.ExpireSyncToken() },
		"410, no code":    func(w *world) { w.RefuseNext(http.StatusGone, "") },
		"an older code":   func(w *world) { w.RefuseNext(http.StatusBadRequest, "SyncStateNotFound") },
		"resync required": func(w *world) { w.RefuseNext(http.StatusBadRequest, "resyncRequired") },
		"a foreign cursor": func(w *world) {
			w.Cursor = "2031-01-01T00:00:00Z " +
				"https://elsewhere.example/v1.0/me/calendarView/delta"
		},
		"no cursor of ours": func(w *world) { w.Cursor = "x" },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.Put("", meeting("a", "10"))
			w.Put("", meeting("b", "10"))
			w.sync()
			w.Remove("", "a")
			expire(w)
			if c := w.sync(); !c.Complete {
				t.Errorf("%+v", c)
			}
			w.WantIDs("b")
			if c := w.sync(); c.Complete {
				t.Error("and the next read is whole as well")
			}
		})
	}
}

// The end of a view cannot be moved. A view reaches a day further than requested; after that day a full read is
// necessary.
func TestChanges_TheViewMovesOnceADay(t *testing.T) {
	w := newWorld(t)
	late := w.Reader.Until.Add(25 * time.Hour)
	w.Put("", meeting("late", "10",
		event{"start": utc(late.Format("2006-01-02T15:04:05")),
			"end": utc(late.Add(time.Hour).Format("2006-01-02T15:04:05"))}))
	w.sync()
	w.WantIDs()
	for _, step := range []struct {
		pass  time.Duration
		whole bool
	}{{23 * time.Hour, false}, {time.Hour, false}, {time.Minute, true}, {23 * time.Hour, false}} {
		w.Reader.Until = w.Reader.Until.Add(step.pass)
		w.calendar = microsoft.New(w.Client, w.URL, "", w.Tokens, w.Reader)
		if c := w.sync(); c.Complete != step.whole {
			t.Errorf("until %s: whole is %v", w.Reader.Until, c.Complete)
		}
	}
	w.WantIDs("late")
}

func TestChanges_TheTokenGoesNowhereElse(t *testing.T) {
	w := newWorld(t)
	for _, link := range []string{"https://elsewhere.example/v1.0/me",
		"http://me@" + strings.TrimPrefix(w.URL, "http://"), ":", "/v1.0/me"} {
		for _, name := range []string{"nextLink", "deltaLink"} {
			w.AnswerNext(fmt.Sprintf(`{"value":[],"@odata.%s":%q}`, name, link))
			before := w.Requests()
			_, err := w.calendar.Changes(t.Context(), "", nil)
			cloudtest.WantKind(t, err, calendar.Unusable)
			if w.Requests() != before+1 {
				t.Errorf("%s was followed", link)
			}
		}
	}
}

func TestChanges_AnotherCalendar(t *testing.T) {
	w := newWorld(t)
	const id = "AAMk/team=="
	w.AddCalendar(id)
	w.Put(id, meeting("a", "10"))
	w.calendar = microsoft.New(w.Client, w.URL, id, w.Tokens, w.Reader)
	w.sync()
	w.WantIDs("a")
}

func TestChanges_WhatIsNoCalendarIsNeverAnEmptyOne(t *testing.T) {
	w := newWorld(t)
	w.Put("", meeting("a", "10"))
	end := `"@odata.deltaLink":"` + w.URL + `/v1.0/me/calendarView/delta?$deltatoken=x"`
	for name, body := range map[string]string{
		"HTML":            "<html><body>Sign in</body></html>",
		"nothing":         " ",
		"an empty object": "{}",
		"a list":          "[]",
		"no events":       "{" + end + "}",
		"no end":          `{"value":[]}`,
		"no id":           `{"value":[{"subject":"x"}],` + end + "}",
		"no times":        `{"value":[{"id":"x"}],` + end + "}",
		"odd times":       `{"value":[{"id":"x","start":{"dateTime":"soon","timeZone":"UTC"},"end":{"dateTime":"later","timeZone":"UTC"}}],` + end + "}",
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
		w.Put("", meeting(fmt.Sprint("e", i), "10"))
	}
	_, err := w.calendar.Changes(t.Context(), "", nil)
	cloudtest.WantKind(t, err, calendar.Unusable)
	if w.Requests() != 100 {
		t.Errorf("%d requests", w.Requests())
	}
	w.AnswerNext(`{"value":[` + strings.Repeat("{},", 20_000) + `{}],"@odata.deltaLink":"` + w.URL + `/v1.0/me"}`)
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
	gone := microsoft.New(w.Client, w.URL, "gone", w.Tokens, w.Reader)
	_, err := gone.Changes(t.Context(), "", nil)
	if e := cloudtest.WantKind(t, err, calendar.Unusable); e.Advice != calendar.CheckAccess {
		t.Error(e)
	}
}
