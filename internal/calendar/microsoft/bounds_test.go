package microsoft_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
)

// allocated returns how much work takes from the heap, released or not. Less is live at any one time.
func allocated(work func()) (mebibytes uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

func (w *world) page(items string) string {
	return `{"value":[` + items + `],"@odata.deltaLink":"` + w.URL + `/v1.0/me"}`
}

// eventWith returns an event with these fields.
func eventWith(fields string) string {
	return `{"id":"a","@odata.etag":"1","start":{"dateTime":"2030-01-08T10:00:00","timeZone":"UTC"},"end":{"dateTime":"2030-01-08T11:00:00","timeZone":"UTC"},` + fields + `}`
}

func TestChanges_AnEventHasItsBounds(t *testing.T) {
	w := newWorld(t)
	name := strings.Repeat("x", 1025)
	for _, fields := range []string{
		`"id":"` + name + `"`, `"iCalUId":"` + name + `"`, `"@odata.etag":"` + name + `"`,
		`"transactionId":"` + name + `"`, `"seriesMasterId":"` + name + `"`,
		`"seriesMasterId":"` + name[:1000] + `","@odata.etag":"` + name[:1000] + `"`, `"id":"\u0000"`,
		`"iCalUId":"\u0000"`, `"@odata.etag":"\u0000"`,
		`"start":{"dateTime":"2030-01-08T10:00:00","timeZone":"\u0000"}`, `"subject":"` + "\xff" + `"`,
		`"body":"` + strings.Repeat("x", 1<<20) + `"`,
	} {
		w.AnswerNext(w.page(eventWith(fields)))
		_, err := w.calendar.Changes(t.Context(), "", nil)
		if e := cloudtest.WantKind(t, err, calendar.Unusable); !strings.Contains(e.Message, "too long") {
			t.Errorf("%.60s: %s", fields, e)
		}
	}
	w.AnswerNext(w.page(eventWith(`"iCalUId":"` + name[1:] + `","body":"` + strings.Repeat("x", 900<<10) + `"`)))
	if _, err := w.calendar.Changes(t.Context(), "", nil); err != nil {
		t.Errorf("at the bounds: %v", err)
	}
}

func TestChanges_ALinkHasItsBounds(t *testing.T) {
	w := newWorld(t)
	for _, link := range []string{w.URL + "/" + strings.Repeat("x", 33<<10), w.URL + "/?" + "\\u0000"} {
		w.AnswerNext(`{"value":[],"@odata.deltaLink":"` + link + `"}`)
		_, err := w.calendar.Changes(t.Context(), "", nil)
		cloudtest.WantKind(t, err, calendar.Unusable)
	}
}

// Joined, the two links form one of our addresses, but only the first would be followed.
func TestChanges_TwoLinksAreNone(t *testing.T) {
	w := newWorld(t)
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(other.Close)
	host := strings.TrimPrefix(w.URL, "http://")
	for _, links := range [][2]string{{"http:", "//" + host + "/v1.0/me"}, {w.URL, "/v1.0/me"},
		{other.URL, w.URL + "/"}, {w.URL + "/", other.URL}, {other.URL + "/", "/../"}} {
		w.AnswerNext(`{"value":[],"@odata.nextLink":"` + links[0] + `","@odata.deltaLink":"` + links[1] + `"}`)
		before := w.Requests()
		_, err := w.calendar.Changes(t.Context(), "", nil)
		cloudtest.WantKind(t, err, calendar.Unusable)
		if reached || w.Requests() != before+1 {
			t.Errorf("%q was followed", links)
		}
	}
}

func TestChanges_ABombTakesLittleMemory(t *testing.T) {
	w := newWorld(t)
	for name, items := range map[string]string{
		"many events": strings.Repeat("{},", 5<<20) + "{}",
		"a long UID":  eventWith(`"iCalUId":"` + strings.Repeat("x", 15<<20) + `"`),
	} {
		w.AnswerNext(w.page(items))
		used := allocated(func() {
			_, err := w.calendar.Changes(t.Context(), "", nil)
			cloudtest.WantKind(t, err, calendar.Unusable)
		})
		if used > 200 { // the fake and the body take half of it
			t.Errorf("%s: %d MiB", name, used)
		}
	}
}

func TestPut_AnAnswerHasItsBounds(t *testing.T) {
	w := newWorld(t)
	for _, fields := range []string{`"id":"` + strings.Repeat("x", 1025) + `"`, `"@odata.etag":"\u0000"`,
		`"body":"` + strings.Repeat("x", 2<<20) + `"`} {
		w.AnswerNext(eventWith(fields))
		_, err := w.calendar.Put(t.Context(), cloudtest.Booking(10, 0), calendar.EntryRef{ID: "a", Tag: "1"})
		cloudtest.WantKind(t, err, calendar.Unusable)
	}
}
