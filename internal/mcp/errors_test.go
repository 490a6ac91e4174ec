package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"slotd/internal/web/webtest"

	"slotd"
)

// extraKeys lists the keys that a code adds to code and message.
var extraKeys = map[slotd.Code][]string{
	slotd.SlotUnavailable: {"alternatives", "booking_id"}, slotd.PaymentRequired: {"booking_url"},
	slotd.RateLimited: {"retry_after_seconds"}, slotd.Internal: {"id"},
}

var factsOf = map[slotd.Code]slotd.Facts{
	slotd.SlotUnavailable: {Alternatives: []time.Time{monday}, BookingID: "b"},
	slotd.PaymentRequired: {BookingURL: "u", Price: &slotd.Price{AmountCents: 100, Currency: "eur"}},
	slotd.RateLimited:     {RetryAfter: 1500 * time.Millisecond},
	slotd.Internal:        {ID: "i"},
}

func TestEveryCode_HasItsAnswer(t *testing.T) {
	w := lite(t)
	if len(sentences) != len(slotd.Codes) {
		t.Errorf("%d codes here, %d there", len(sentences), len(slotd.Codes))
	}
	for _, code := range slotd.Codes {
		if sentences[code] == nil {
			t.Errorf("this door lacks %s", code)
			continue
		}
		got := w.fail(slotd.NewError(code, factsOf[code])).Tool(string(code)).Fails(code, extraKeys[code]...)
		if message := got["message"].(string); len(message) < 20 || strings.Contains(message, "%!") {
			t.Errorf("%s: %v", code, got)
		}
		if code == slotd.RateLimited && got["retry_after_seconds"] != 2.0 {
			t.Errorf("%v", got)
		}
		if w.outcomesOf(code) != 1 {
			t.Errorf("%s is not counted", code)
		}
	}
}

func (w *world) outcomesOf(code slotd.Code) int64 {
	for outcome, n := range w.Outcomes() {
		if outcome == (Outcome{"cancel_booking", string(code)}) {
			return n.Load()
		}
	}
	return -1
}

// fail returns the response of a tool that fails with the error.
func (w *world) fail(err error) webtest.Answer {
	c := &call{h: w.Handler, r: httptest.NewRequest("POST", "/", nil), tool: "cancel_booking"}
	status := c.failTool(err)
	return webtest.Answer{T: w.T, Status: status, Body: string(c.out)}
}

func TestUncodedError_IsInternalWithAnIDThatTheLogHas(t *testing.T) {
	w := lite(t)
	got := w.fail(errors.New("disk on fire")).Tool("").Fails(slotd.Internal, "id")
	id := got["id"].(string)
	if log := w.World.Log.String(); id == "" || !strings.Contains(log, id) || !strings.Contains(log, "disk on fire") {
		t.Errorf("log: %s", w.World.Log)
	}
	if strings.Contains(got["message"].(string), "disk") {
		t.Errorf("the client learns what broke: %v", got)
	}
}

// A client that hangs up is no fault of the server. What breaks for another reason is, whether the client waits or not.
func TestInternal_LogsNoErrorIfTheClientWentAway(t *testing.T) {
	w := lite(t)
	gone, leave := context.WithCancel(background)
	leave()
	for _, c := range []struct {
		about string
		ctx   context.Context
		err   error
		lines int
	}{
		{"the client went away", gone, fmt.Errorf("read: %w", context.Canceled), 0},
		{"the client went away, and the disk broke", gone, errors.New("disk on fire"), 1},
		{"somebody else canceled", background, context.Canceled, 1},
	} {
		w.World.Log.Reset()
		(&call{h: w.Handler, r: httptest.NewRequest("POST", "/", nil).WithContext(c.ctx)}).internal(c.err)
		if n := strings.Count(w.World.Log.String(), "level=ERROR"); n != c.lines {
			t.Errorf("%s: %d errors in the log, want %d: %s", c.about, n, c.lines, w.World.Log)
		}
	}
}

func TestBrokenDatabase_IsInternalForEveryTool(t *testing.T) {
	w := lite(t)
	w.DB.Close()
	for tool, arguments := range map[string]string{
		"list_public_event_types": `{"workspace":"acme"}`,
		"get_availability":        `{"workspace":"acme","event_type":"intro"}`,
		"create_booking":          webtest.BookingArguments("intro", at("02-02 10:00"), "g@example.com"),
	} {
		e := w.call(tool, arguments).Fails(slotd.Internal, "id")
		if !strings.Contains(w.World.Log.String(), e["id"].(string)) {
			t.Errorf("%s: the log lacks the id", tool)
		}
	}
	w.cancel(nowhere).Fails(slotd.Internal, "id")
	w.post(listTools).wantResult(t)
	if strings.Contains(w.World.Log.String(), "example.com") || strings.Contains(w.World.Log.String(), w.token) {
		t.Errorf("personal data in the log: %s", w.World.Log)
	}
}

const nowhere = "0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e"

func TestNotFound(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.call("list_public_event_types", `{"workspace":"nobody"}`).Fails(slotd.WorkspaceNotFound)
		w.call("get_availability", `{"workspace":"nobody","event_type":"intro"}`).Fails(slotd.WorkspaceNotFound)
		for _, slug := range []string{"nothing", "secret"} {
			w.availability(slug, "").Fails(slotd.EventTypeNotFound)
			w.create(slug, at("02-02 10:00")).Fails(slotd.EventTypeNotFound)
		}
		w.move(nowhere, at("02-02 10:00")).Fails(slotd.BookingNotFound)
		w.cancel(nowhere).Fails(slotd.BookingNotFound)
		id := w.book("intro", at("02-02 10:00"))
		theirs := "Bearer " + w.services.Token("other")
		w.move(id, at("02-02 11:00"), "Authorization", theirs).Fails(slotd.BookingNotFound)
		w.cancel(id, "Authorization", theirs).Fails(slotd.BookingNotFound)
		w.create("office", at("02-02 10:00"), "Authorization", theirs).Fails(slotd.EventTypeNotFound)
		if _, err := w.Raw.Exec("UPDATE bookings SET state = 'held'"); err != nil {
			t.Fatal(err)
		}
		w.move(id, at("02-02 11:00")).Fails(slotd.BookingNotFound)
		w.cancel(id).Fails(slotd.BookingNotFound)
	})
}

func TestPaidEventType_IsBookedOnItsPage(t *testing.T) {
	w := lite(t)
	e := w.create("paid", at("02-02 10:00")).Fails(slotd.PaymentRequired, "booking_url")
	if e["booking_url"] != "https://book.example/acme/paid?slot=2027-02-02T10:00:00.000Z" {
		t.Errorf("%v", e)
	}
	w.create("paid", "2050-01-01T00:00:00Z").Fails(slotd.PaymentRequired, "booking_url") // checked before the slot
}

func TestSlotUnavailable_OffersTheNearestInTimeOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.book("intro", at("02-02 10:00"))
		w.book("intro", at("02-02 10:30"))
		other := webtest.BookingArguments("intro", at("02-02 10:00"), "someone@example.com")
		e := w.call("create_booking", other).Fails(slotd.SlotUnavailable, "alternatives")
		wantStrings(t, e["alternatives"], []string{at("02-02 09:00"), at("02-02 09:30"), at("02-02 11:00")})
		for _, start := range []string{at("02-02 10:07"), at("02-06 12:00"), at("02-01 07:00"), "2000-01-01T00:00Z",
			"2100-12-31T23:59:59.999Z", "2027-02-02T12:00:00.001Z"} {
			e := w.create("intro", start).Fails(slotd.SlotUnavailable, "alternatives")
			if n := len(e["alternatives"].([]any)); n != 3 {
				t.Errorf("%s: %d alternatives", start, n)
			}
		}
		e = w.create("intro", "2000-01-01T00:00Z").Fails(slotd.SlotUnavailable, "alternatives")
		wantStrings(t, e["alternatives"], []string{at("02-01 09:00"), at("02-01 09:30"), at("02-01 10:00")})
		for _, alternative := range e["alternatives"].([]any) {
			w.create("intro", alternative.(string)).OK()
		}
	})
}

func TestSlotUnavailable_NamesTheSameAttendeesBooking(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.book("intro", at("02-02 10:00"))
		for _, email := range []string{"grace@example.com", "GRACE@example.COM"} {
			e := w.call("create_booking", webtest.BookingArguments("intro", at("02-02 10:00"),
				email)).Fails(slotd.SlotUnavailable, "alternatives", "booking_id")
			if e["booking_id"] != id {
				t.Errorf("%v", e)
			}
		}
		w.call("create_booking", webtest.BookingArguments("intro", at("02-02 10:00"),
			"bob@example.com")).Fails(slotd.SlotUnavailable, "alternatives")
		w.create("fresh", at("02-02 10:00")).Fails(slotd.SlotUnavailable, "alternatives") // another event type
		second := w.book("intro", at("02-02 12:00"))
		w.move(second, at("02-02 10:00")).Fails(slotd.SlotUnavailable, "alternatives")
	})
}

// An unreadable calendar is not an empty one.
func TestUnreadCalendar_OffersNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Apply(acme + "calendars: [{name: club, type: ics, url: \"https://club.example/club.ics\"}]\n")
		w.passSecond()
		w.availability("intro", "").Fails(slotd.CalendarUnavailable)
		w.Apply(acme)
		w.passSecond()
		w.availability("intro", "").OK()
	})
}

func TestFullCalendar_HasNoAlternatives(t *testing.T) {
	w := lite(t)
	w.Apply(strings.Replace(acme, "slug: intro, title: Intro call,",
		"slug: intro, title: Intro call, minimum_notice_minutes: 525600, booking_window_days: 1,", 1))
	e := w.create("intro", at("02-02 10:00")).Fails(slotd.SlotUnavailable, "alternatives")
	if list, ok := e["alternatives"].([]any); !ok || len(list) != 0 {
		t.Errorf("%v", e)
	}
}
