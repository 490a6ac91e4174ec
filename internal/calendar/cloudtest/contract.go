package cloudtest

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd/internal/calendar"
)

// Fake is the set of methods that control either service.
type Fake interface {
	Events(calendar string) map[string]Event
	Remove(calendar, id string)
	LoseNext()
	MalformNext()
	BeforeNext(func())
	AnswerNext(body string)
	FailNext(n, status int)
	RefuseNext(status int, reason string)
	Throttle(n int, retryAfter time.Duration)
}

// Cloud is a service, the id of its first calendar, the provider that writes to it, and a stored copy of it.
type Cloud struct {
	Fake
	First   string
	Ours    calendar.Writer
	Missing calendar.Writer // writes to a calendar that does not exist
	Copy    *Copy
	t       *testing.T
}

// contract tests what every provider guarantees about its writes.
type contract struct{ newCloud func(t *testing.T) *Cloud }

// KeepsTheContract tests a provider against the guarantees of calendar.Writer. See ConcurrentWritersMakeOneEvent, too.
func KeepsTheContract(t *testing.T, newCloud func(t *testing.T) *Cloud) {
	c := contract{newCloud}
	for name, test := range map[string]func(*testing.T){
		"createsMovesAndDeletes":                 c.createsMovesAndDeletes,
		"noCalendar":                             c.noCalendar,
		"whatEndsDuringAConflictIsNotThere":      c.whatEndsDuringAConflictIsNotThere,
		"changesNothingThatIsNotAsItWas":         c.changesNothingThatIsNotAsItWas,
		"whatTheOwnerDeletedIsNotThere":          c.whatTheOwnerDeletedIsNotThere,
		"deleteWithoutAReferenceFindsTheEvent":   c.deleteWithoutAReferenceFindsTheEvent,
		"aRetryAfterALostAnswerDoesNothingTwice": c.aRetryAfterALostAnswerDoesNothingTwice,
		"aQuickerWriterIsNotOverwritten":         c.aQuickerWriterIsNotOverwritten,
		"aConflictIsLookedUp":                    c.aConflictIsLookedUp,
		"aConflictWithNothingIsNoSuccess":        c.aConflictWithNothingIsNoSuccess,
		"answersThatAreNoEvent":                  c.answersThatAreNoEvent,
		"passesTheTroubleOn":                     c.passesTheTroubleOn,
	} {
		t.Run(name, test)
	}
}

func (c contract) start(t *testing.T) *Cloud {
	w := c.newCloud(t)
	w.t = t
	return w
}

// UID is the UID of Booking.
const UID = "0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e@slotd"

// Booking returns a booking that starts at the given hour on 8 January 2030.
func Booking(hour, sequence int) calendar.Entry {
	start := time.Date(2030, 1, 8, hour, 0, 0, 0, time.UTC)
	return calendar.Entry{
		UID: UID, Sequence: sequence, Start: start, End: start.Add(30 * time.Minute),
		Summary: "Intro call", Location: "Video call", Description: "Bob Lee, bob@example.com",
	}
}

// Settle does what callers do: it retries a few times, each time from the reference that the calendar returned.
func Settle(last calendar.EntryRef, write func(calendar.EntryRef) (calendar.EntryRef, error)) (calendar.EntryRef,
	error) {
	var err error
	for range 3 {
		if last, err = write(last); !errors.Is(err, calendar.ErrChanged) {
			break
		}
	}
	return last, err
}

func (w *Cloud) mustPut(e calendar.Entry, last calendar.EntryRef) calendar.EntryRef {
	w.t.Helper()
	ref, err := w.Ours.Put(w.t.Context(), e, last)
	if err != nil || ref.ID == "" || ref.Tag == "" {
		w.t.Fatalf("got %+v, %v", ref, err)
	}
	return ref
}

// wantStarts compares the starts of all events in the calendar.
func (w *Cloud) wantStarts(want ...string) {
	w.t.Helper()
	var got []string
	for _, e := range w.Events(w.First) {
		start, _ := e["start"].(map[string]any)
		got = append(got, start["dateTime"].(string))
	}
	if len(got) != len(want) || len(want) > 0 && !strings.HasPrefix(got[0], want[0]) {
		w.t.Errorf("the calendar shows %v, want %v", got, want)
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

func (c contract) createsMovesAndDeletes(t *testing.T) {
	w := c.start(t)
	wantCopy := func(want map[string]string) {
		t.Helper()
		w.Copy.Sync(w.Ours)
		w.Copy.WantKept(want)
	}
	ref := w.mustPut(Booking(10, 0), calendar.EntryRef{})
	wantCopy(map[string]string{ref.ID: "UID:" + UID + "\nDTSTART:20300108T100000Z\nDTEND:20300108T103000Z"})
	ref = w.mustPut(Booking(14, 1), ref)
	wantCopy(map[string]string{ref.ID: "UID:" + UID + "\nDTSTART:20300108T140000Z\nDTEND:20300108T143000Z"})
	if now, err := w.Ours.Delete(t.Context(), UID, ref); err != nil || now.ID != "" {
		t.Errorf("got %+v, %v", now, err)
	}
	wantCopy(map[string]string{})
}

func (c contract) noCalendar(t *testing.T) {
	w := c.start(t)
	_, putErr := w.Missing.Put(t.Context(), Booking(10, 0), calendar.EntryRef{})
	_, deleteErr := w.Missing.Delete(t.Context(), UID, calendar.EntryRef{})
	w.BeforeNext(func() {}) // the search succeeds, the calendar is deleted then
	w.FailNext(1, http.StatusNotFound)
	_, createErr := w.Ours.Put(t.Context(), Booking(10, 0), calendar.EntryRef{})
	for _, err := range []error{putErr, deleteErr, createErr} {
		if e := wantKind(t, err, calendar.Unusable); e.Advice != calendar.CheckAccess {
			t.Error(e)
		}
	}
}

// Somebody changes the event before the write, and deletes it before we look which tag it has now.
func (c contract) whatEndsDuringAConflictIsNotThere(t *testing.T) {
	w := c.start(t)
	ref := w.mustPut(Booking(10, 0), calendar.EntryRef{})
	for _, gone := range []int{http.StatusNotFound, http.StatusGone} {
		w.FailNext(1, http.StatusPreconditionFailed)
		w.FailNext(1, gone)
		current, err := w.Ours.Put(t.Context(), Booking(14, 1), ref)
		if !errors.Is(err, calendar.ErrChanged) || current.ID != "" {
			t.Errorf("%d: got %+v, %v", gone, current, err)
		}
		w.FailNext(1, http.StatusPreconditionFailed)
		w.FailNext(1, gone)
		if current, err = w.Ours.Delete(t.Context(), UID, ref); err != nil || current.ID != "" {
			t.Errorf("%d: delete: got %+v, %v", gone, current, err)
		}
	}
}

func (c contract) changesNothingThatIsNotAsItWas(t *testing.T) {
	w := c.start(t)
	first := w.mustPut(Booking(10, 0), calendar.EntryRef{})
	second := w.mustPut(Booking(11, 1), first)

	for name, last := range map[string]calendar.EntryRef{"an old tag": first, "no reference": {}} {
		current, err := w.Ours.Put(t.Context(), Booking(14, 1), last)
		if !errors.Is(err, calendar.ErrChanged) || current != second {
			t.Errorf("%s: got %+v, %v, want %+v", name, current, err, second)
		}
	}
	current, err := w.Ours.Delete(t.Context(), UID, first)
	if !errors.Is(err, calendar.ErrChanged) || current != second {
		t.Errorf("delete: got %+v, %v", current, err)
	}
	w.wantStarts("2030-01-08T11:00:00")
}

func (c contract) whatTheOwnerDeletedIsNotThere(t *testing.T) {
	w := c.start(t)
	ref := w.mustPut(Booking(10, 0), calendar.EntryRef{})
	w.Remove(w.First, ref.ID)
	for name, last := range map[string]calendar.EntryRef{"deleted": ref, "never there": {ID: "nowhere", Tag: `"1"`}} {
		current, err := w.Ours.Put(t.Context(), Booking(14, 1), last)
		if !errors.Is(err, calendar.ErrChanged) || current.ID != "" {
			t.Errorf("%s: got %+v, %v", name, current, err)
		}
		if current, err = w.Ours.Delete(t.Context(), UID, last); err != nil || current.ID != "" {
			t.Errorf("%s: delete: got %+v, %v", name, current, err)
		}
	}
	w.wantStarts()
	w.mustPut(Booking(14, 1), calendar.EntryRef{})
	w.wantStarts("2030-01-08T14:00:00")
}

func (c contract) deleteWithoutAReferenceFindsTheEvent(t *testing.T) {
	w := c.start(t)
	if _, err := w.Ours.Delete(t.Context(), UID, calendar.EntryRef{}); err != nil {
		t.Errorf("nothing there: %v", err)
	}
	w.mustPut(Booking(10, 0), calendar.EntryRef{})
	_, err := Settle(calendar.EntryRef{},
		func(p calendar.EntryRef) (calendar.EntryRef, error) { return w.Ours.Delete(t.Context(), UID, p) })
	if err != nil {
		t.Error(err)
	}
	w.wantStarts()
}

// The service made the change, but its response was lost.
func (c contract) aRetryAfterALostAnswerDoesNothingTwice(t *testing.T) {
	for name, lose := range map[string]func(*Cloud){
		"lost": func(w *Cloud) { w.LoseNext() },
		"cut":  func(w *Cloud) { w.MalformNext() },
	} {
		t.Run(name, func(t *testing.T) {
			w := c.start(t)
			put := func(e calendar.Entry) func(calendar.EntryRef) (calendar.EntryRef, error) {
				return func(p calendar.EntryRef) (calendar.EntryRef, error) { return w.Ours.Put(t.Context(), e, p) }
			}
			w.BeforeNext(func() {}) // the search for an existing event
			lose(w)
			if _, err := put(Booking(10, 0))(calendar.EntryRef{}); err == nil {
				t.Fatal("the answer came")
			}
			ref, err := Settle(calendar.EntryRef{}, put(Booking(10, 0)))
			if err != nil {
				t.Fatal(err)
			}
			w.wantStarts("2030-01-08T10:00:00")

			lose(w)
			if _, err := put(Booking(14, 1))(ref); err == nil {
				t.Fatal("the answer came")
			}
			if ref, err = Settle(ref, put(Booking(14, 1))); err != nil {
				t.Fatal(err)
			}
			w.wantStarts("2030-01-08T14:00:00")

			w.LoseNext()
			if _, err := w.Ours.Delete(t.Context(), UID, ref); err == nil {
				t.Fatal("the answer came")
			}
			if _, err := w.Ours.Delete(t.Context(), UID, ref); err != nil {
				t.Error(err)
			}
			w.wantStarts()
		})
	}
}

// ConcurrentWritersMakeOneEvent is the part of the contract that is a race: call it from a test that is named so.
func ConcurrentWritersMakeOneEvent(t *testing.T, newCloud func(t *testing.T) *Cloud) {
	w := contract{newCloud}.start(t)
	var all sync.WaitGroup
	for hour := 10; hour < 14; hour++ {
		all.Go(func() {
			_, err := Settle(calendar.EntryRef{}, func(p calendar.EntryRef) (calendar.EntryRef, error) {
				return w.Ours.Put(t.Context(), Booking(hour, 0), p)
			})
			if err != nil && !errors.Is(err, calendar.ErrChanged) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(w.Events(w.First)); n != 1 {
		t.Errorf("%d events", n)
	}
}

// The other writer comes between the search and the creation.
func (c contract) aQuickerWriterIsNotOverwritten(t *testing.T) {
	w := c.start(t)
	var other calendar.EntryRef
	w.BeforeNext(func() {})
	w.BeforeNext(func() { other = w.mustPut(Booking(11, 1), calendar.EntryRef{}) })
	current, err := w.Ours.Put(t.Context(), Booking(10, 0), calendar.EntryRef{})
	if !errors.Is(err, calendar.ErrChanged) || current != other {
		t.Errorf("got %+v, %v, want %+v", current, err, other)
	}
	w.wantStarts("2030-01-08T11:00:00")
}

// The search is answered with neither service's event, although there is one.
func (c contract) aConflictIsLookedUp(t *testing.T) {
	w := c.start(t)
	other := w.mustPut(Booking(11, 1), calendar.EntryRef{})
	w.AnswerNext(`{"kind": "calendar#events", "items": [], "value": []}`)
	w.FailNext(1, http.StatusConflict)
	current, err := w.Ours.Put(t.Context(), Booking(10, 0), calendar.EntryRef{})
	if !errors.Is(err, calendar.ErrChanged) || current != other {
		t.Errorf("got %+v, %v, want %+v", current, err, other)
	}
}

func (c contract) aConflictWithNothingIsNoSuccess(t *testing.T) {
	w := c.start(t)
	w.BeforeNext(func() {})
	w.FailNext(1, http.StatusConflict)
	_, err := w.Ours.Put(t.Context(), Booking(10, 0), calendar.EntryRef{})
	wantKind(t, err, calendar.Unusable)
}

func (c contract) answersThatAreNoEvent(t *testing.T) {
	w := c.start(t)
	ref := w.mustPut(Booking(10, 0), calendar.EntryRef{})
	for _, body := range []string{"{}", "<html>", "[]"} {
		w.AnswerNext(body)
		_, err := w.Ours.Put(t.Context(), Booking(10, 0), calendar.EntryRef{})
		wantKind(t, err, calendar.Unusable)
		w.AnswerNext(body)
		_, err = w.Ours.Put(t.Context(), Booking(10, 0), ref)
		wantKind(t, err, calendar.Unusable)
	}
}

func (c contract) passesTheTroubleOn(t *testing.T) {
	w := c.start(t)
	ref := w.mustPut(Booking(10, 0), calendar.EntryRef{})
	w.Throttle(1, time.Minute)
	_, err := w.Ours.Put(t.Context(), Booking(11, 1), ref)
	if e := wantKind(t, err, calendar.Unreachable); e.RetryAfter != time.Minute {
		t.Errorf("wait %s", e.RetryAfter)
	}
	w.RefuseNext(http.StatusForbidden, "ErrorAccessDenied")
	_, err = w.Ours.Delete(t.Context(), UID, ref)
	wantKind(t, err, calendar.Refused)
}
