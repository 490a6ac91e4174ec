package microsoft_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/microsoft"
)

const uid = "0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e@slotd"

func booking(hour, sequence int) calendar.Entry {
	start := time.Date(2030, 1, 8, hour, 0, 0, 0, time.UTC)
	return calendar.Entry{
		UID: uid, Sequence: sequence, Start: start, End: start.Add(30 * time.Minute),
		Summary: "Intro call", Location: "Video call", Description: "Bob Lee, bob@example.com",
	}
}

// settle is what the callers do: again from the place that the calendar tells, at most a few times.
func settle(was calendar.Place, write func(calendar.Place) (calendar.Place, error)) (calendar.Place, error) {
	var err error
	for range 3 {
		if was, err = write(was); !errors.Is(err, calendar.ErrChanged) {
			break
		}
	}
	return was, err
}

func (w *world) mustPut(e calendar.Entry, was calendar.Place) calendar.Place {
	w.t.Helper()
	now, err := w.ours.Put(w.t.Context(), e, was)
	if err != nil || now.ID == "" || now.Tag == "" {
		w.t.Fatalf("got %+v, %v", now, err)
	}
	return now
}

// wantStarts compares the starts of all events that the calendar shows.
func (w *world) wantStarts(want ...string) {
	w.t.Helper()
	var got []string
	for _, e := range w.Events("") {
		start, _ := e["start"].(map[string]any)
		got = append(got, start["dateTime"].(string))
	}
	if len(got) != len(want) || len(want) > 0 && got[0] != want[0] {
		w.t.Errorf("the calendar shows %v, want %v", got, want)
	}
}

func TestPut_CreatesMovesAndDeletes(t *testing.T) {
	w := newWorld(t)
	place := w.mustPut(booking(10, 0), calendar.Place{})
	w.sync()
	w.wantKept(map[string]string{place.ID: "UID:" + uid + "\nDTSTART:20300108T100000Z\nDTEND:20300108T103000Z"})
	place = w.mustPut(booking(14, 1), place)
	w.sync()
	w.wantKept(map[string]string{place.ID: "UID:" + uid + "\nDTSTART:20300108T140000Z\nDTEND:20300108T143000Z"})
	if now, err := w.ours.Delete(t.Context(), uid, place); err != nil || now.ID != "" {
		t.Errorf("got %+v, %v", now, err)
	}
	w.sync()
	w.wantKept(map[string]string{})
}

func TestPut_KeepsWhatTheOwnerAdded(t *testing.T) {
	w := newWorld(t)
	place := w.mustPut(booking(10, 0), calendar.Place{})
	e := w.Events("")[place.ID]
	e["categories"] = "Red"
	w.Put("", e)
	if _, err := settle(place, func(p calendar.Place) (calendar.Place, error) { return w.ours.Put(t.Context(), booking(14, 1), p) }); err != nil {
		t.Fatal(err)
	}
	got := w.Events("")[place.ID]
	if body, _ := got["body"].(map[string]any); got["categories"] != "Red" || body["content"] != "Bob Lee, bob@example.com" {
		t.Errorf("%v", got)
	}
}

func TestPut_EndsAnAllDayEvent(t *testing.T) {
	w := newWorld(t)
	place := w.mustPut(booking(10, 0), calendar.Place{})
	e := w.Events("")[place.ID]
	e["isAllDay"], e["start"], e["end"] = true, utc("2030-01-08T00:00:00"), utc("2030-01-09T00:00:00")
	w.Put("", e)
	settle(place, func(p calendar.Place) (calendar.Place, error) { return w.ours.Put(t.Context(), booking(14, 1), p) })
	w.sync()
	w.wantKept(map[string]string{place.ID: "UID:" + uid + "\nDTSTART:20300108T140000Z\nDTEND:20300108T143000Z"})
}

func TestPut_ChangesNothingThatIsNotAsItWas(t *testing.T) {
	w := newWorld(t)
	first := w.mustPut(booking(10, 0), calendar.Place{})
	second := w.mustPut(booking(11, 1), first)

	for name, was := range map[string]calendar.Place{"an old tag": first, "no place": {}} {
		now, err := w.ours.Put(t.Context(), booking(14, 1), was)
		if !errors.Is(err, calendar.ErrChanged) || now != second {
			t.Errorf("%s: got %+v, %v, want %+v", name, now, err, second)
		}
	}
	now, err := w.ours.Delete(t.Context(), uid, first)
	if !errors.Is(err, calendar.ErrChanged) || now != second {
		t.Errorf("delete: got %+v, %v", now, err)
	}
	w.wantStarts("2030-01-08T11:00:00")
}

func TestPut_WhatTheOwnerDeletedIsNotThere(t *testing.T) {
	w := newWorld(t)
	place := w.mustPut(booking(10, 0), calendar.Place{})
	w.Remove("", place.ID)
	for name, was := range map[string]calendar.Place{"deleted": place, "never there": {ID: "nowhere", Tag: `W/"1"`}} {
		now, err := w.ours.Put(t.Context(), booking(14, 1), was)
		if !errors.Is(err, calendar.ErrChanged) || now.ID != "" {
			t.Errorf("%s: got %+v, %v", name, now, err)
		}
		if now, err = w.ours.Delete(t.Context(), uid, was); err != nil || now.ID != "" {
			t.Errorf("%s: delete: got %+v, %v", name, now, err)
		}
	}
	w.wantStarts()
	w.mustPut(booking(14, 1), calendar.Place{})
	w.wantStarts("2030-01-08T14:00:00")
}

func TestDelete_WithoutAPlaceFindsTheEvent(t *testing.T) {
	w := newWorld(t)
	if _, err := w.ours.Delete(t.Context(), uid, calendar.Place{}); err != nil {
		t.Errorf("nothing there: %v", err)
	}
	w.mustPut(booking(10, 0), calendar.Place{})
	_, err := settle(calendar.Place{}, func(p calendar.Place) (calendar.Place, error) { return w.ours.Delete(t.Context(), uid, p) })
	if err != nil {
		t.Error(err)
	}
	w.wantStarts()
}

// The service did it, and its answer was lost.
func TestWrites_ARetryAfterALostAnswerDoesNothingTwice(t *testing.T) {
	for name, lose := range map[string]func(*world){
		"lost": func(w *world) { w.LoseNext() },
		"cut":  func(w *world) { w.MalformNext() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			put := func(e calendar.Entry) func(calendar.Place) (calendar.Place, error) {
				return func(p calendar.Place) (calendar.Place, error) { return w.ours.Put(t.Context(), e, p) }
			}
			w.BeforeNext(func() {}) // the search for an event that may be there
			lose(w)
			if _, err := put(booking(10, 0))(calendar.Place{}); err == nil {
				t.Fatal("the answer came")
			}
			place, err := settle(calendar.Place{}, put(booking(10, 0)))
			if err != nil {
				t.Fatal(err)
			}
			w.wantStarts("2030-01-08T10:00:00")

			lose(w)
			if _, err := put(booking(14, 1))(place); err == nil {
				t.Fatal("the answer came")
			}
			if place, err = settle(place, put(booking(14, 1))); err != nil {
				t.Fatal(err)
			}
			w.wantStarts("2030-01-08T14:00:00")

			w.LoseNext()
			if _, err := w.ours.Delete(t.Context(), uid, place); err == nil {
				t.Fatal("the answer came")
			}
			if _, err := w.ours.Delete(t.Context(), uid, place); err != nil {
				t.Error(err)
			}
			w.wantStarts()
		})
	}
}

func TestPut_TwoWritersAtOnceMakeOneEvent(t *testing.T) {
	w := newWorld(t)
	var all sync.WaitGroup
	for hour := 10; hour < 14; hour++ {
		all.Go(func() {
			_, err := settle(calendar.Place{}, func(p calendar.Place) (calendar.Place, error) {
				return w.ours.Put(t.Context(), booking(hour, 0), p)
			})
			if err != nil && !errors.Is(err, calendar.ErrChanged) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(w.Events("")); n != 1 {
		t.Errorf("%d events", n)
	}
}

// The other writer comes between the search and the creation.
func TestPut_AQuickerWriterIsNotOverwritten(t *testing.T) {
	w := newWorld(t)
	var other calendar.Place
	w.BeforeNext(func() {})
	w.BeforeNext(func() { other = w.mustPut(booking(11, 1), calendar.Place{}) })
	now, err := w.ours.Put(t.Context(), booking(10, 0), calendar.Place{})
	if !errors.Is(err, calendar.ErrChanged) || now != other {
		t.Errorf("got %+v, %v, want %+v", now, err, other)
	}
	w.wantStarts("2030-01-08T11:00:00")
}

func TestPut_AConflictWithNothingIsNoSuccess(t *testing.T) {
	w := newWorld(t)
	w.BeforeNext(func() {})
	w.FailNext(1, http.StatusConflict)
	_, err := w.ours.Put(t.Context(), booking(10, 0), calendar.Place{})
	wantKind(t, err, calendar.Unusable)
}

func TestWrites_NoCalendar(t *testing.T) {
	w := newWorld(t)
	gone := microsoft.New(w.client, w.URL, "gone", w.tokens, w.reader)
	_, err := gone.Put(t.Context(), booking(10, 0), calendar.Place{})
	wantKind(t, err, calendar.Unusable)
	_, err = gone.Delete(t.Context(), uid, calendar.Place{})
	wantKind(t, err, calendar.Unusable)
}

func TestWrites_AnswersThatAreNoEvent(t *testing.T) {
	w := newWorld(t)
	place := w.mustPut(booking(10, 0), calendar.Place{})
	for _, body := range []string{"{}", "<html>", "[]"} {
		w.AnswerNext(body)
		_, err := w.ours.Put(t.Context(), booking(10, 0), calendar.Place{})
		wantKind(t, err, calendar.Unusable)
		w.AnswerNext(body)
		_, err = w.ours.Put(t.Context(), booking(10, 0), place)
		wantKind(t, err, calendar.Unusable)
	}
}

func TestWrites_PassTheTroubleOn(t *testing.T) {
	w := newWorld(t)
	place := w.mustPut(booking(10, 0), calendar.Place{})
	w.Throttle(1, time.Minute)
	_, err := w.ours.Put(t.Context(), booking(11, 1), place)
	if e := wantKind(t, err, calendar.Unreachable); e.RetryAfter != time.Minute {
		t.Errorf("wait %s", e.RetryAfter)
	}
	w.RefuseNext(http.StatusForbidden, "ErrorAccessDenied")
	_, err = w.ours.Delete(t.Context(), uid, place)
	wantKind(t, err, calendar.Refused)
}
