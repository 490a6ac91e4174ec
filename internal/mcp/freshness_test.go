package mcp

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/zone"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/web/webtest"
)

// computed returns get_availability's result computed from the database alone, without any cache.
func (w *world) computed(slug string, start zone.Date, days int) object {
	w.T.Helper()
	var result Availability
	w.Must(w.DB.InReadTx(background, func(q *sqlcgen.Queries) error {
		config, err := snapshot.LoadConfig(background, q, "acme")
		if err != nil {
			return err
		}
		all := slots.Span{Start: monday.AddDate(-1, 0, 0), End: monday.AddDate(2, 0, 0)}
		claims, err := snapshot.LoadClaims(background, q, config, all)
		if err != nil {
			return err
		}
		e := config.EventTypeBySlug(slug)
		result = Availability{EventType: e, Start: start, Days: days, BookingURL: w.Booking.URL("acme", slug)}
		result.Fill(config.Query(e, claims, nil, w.Clock.Now()))
		return nil
	}))
	return webtest.ParseJSON(w.T, string(result.AppendJSON(nil)))
}

// history is a random sequence of changes to a workspace, made through two processes.
type history struct {
	*world
	random   *rand.Rand
	handlers [2]*Handler
	bookings []string
	step     int
}

// callVia calls a tool in one of the processes.
func (h *history) callVia(handler *Handler, tool, arguments string) object {
	h.T.Helper()
	w := *h.world
	w.Handler = handler
	r := w.direct(h.T, webtest.ToolCall(tool, arguments), "Authorization", "Bearer "+h.token).Tool(arguments)
	if r.Failure != nil {
		if code := r.Failure["code"]; code != "slot_unavailable" && code != "booking_canceled" &&
			code != "booking_past" {
			h.T.Fatalf("%s %s: %s", tool, arguments, r.Text)
		}
	}
	return r.Structured
}

func (h *history) start() string {
	return slotd.Instant(monday.AddDate(0, 0,
		h.random.IntN(5)).Add(time.Hour + time.Duration(h.random.IntN(16))*30*time.Minute))
}

// next makes one random change in one of the two processes and returns its description.
func (h *history) next() string {
	h.step++
	process := h.random.IntN(2)
	handler := h.handlers[process]
	switch kind := h.random.IntN(10); {
	case kind < 5 || len(h.bookings) == 0:
		slug := []string{"intro", "office", "dense"}[h.random.IntN(3)]
		if created := h.callVia(handler, "create_booking",
			webtest.BookingArguments(slug, h.start(), fmt.Sprintf("g%d@example.com", h.step))); created != nil {
			h.bookings = append(h.bookings, created["booking_id"].(string))
		}
		return fmt.Sprint("create in ", process)
	case kind < 7:
		h.callVia(handler, "reschedule_booking",
			fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, h.bookings[h.random.IntN(len(h.bookings))], h.start()))
		return fmt.Sprint("move in ", process)
	case kind < 8:
		h.callVia(handler, "cancel_booking",
			fmt.Sprintf(`{"booking_id":%q}`, h.bookings[h.random.IntN(len(h.bookings))]))
		return fmt.Sprint("cancel in ", process)
	case kind < 9:
		rules := fmt.Sprintf("slug: intro, buffer_before_minutes: %d, buffer_after_minutes: %d, "+
			"minimum_notice_minutes: %d, max_per_day: %d,", h.random.IntN(3)*10, h.random.IntN(4)*400,
			h.random.IntN(3)*60, 1+h.random.IntN(6))
		there := *h.World
		there.Writer = handler.Tokens.DB
		there.Apply(strings.Replace(acme, "slug: intro,", rules, 1))
		return fmt.Sprint("apply in ", process)
	default:
		h.Clock.Advance(time.Duration(h.random.IntN(90)) * time.Minute)
		return "time passes"
	}
}

func TestAvailability_IsNeverStale(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		seed := uint64(time.Now().UnixNano())
		h := &history{world: w, random: rand.New(rand.NewPCG(seed, 1)),
			handlers: [2]*Handler{w.Handler, w.newHandler(w.Open())}}
		steps := 150
		if w.DB.IsPostgres() {
			steps = 50
		}
		for range steps {
			did := h.next()
			h.passSecond()
			for i, handler := range h.handlers {
				slug := []string{"intro", "office", "dense"}[h.random.IntN(3)]
				start, days := zone.UTCDate(monday)+zone.Date(h.random.IntN(5)), 1+h.random.IntN(3)
				got := h.callVia(handler, "get_availability",
					fmt.Sprintf(`{"workspace":"acme","event_type":%q,"start_date":%q,"days":%d}`, slug, start, days))
				if want := h.computed(slug, start, days); !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d, step %d, %s, read in %d: %s from %s for %d days\ngot  %v\nwant %v", seed, h.step,
						did, i, slug, start, days, got, want)
				}
			}
		}
	})
}

// TestSlots_ThatAreListedCanBeBooked also checks that a booked slot is no longer listed in the same process.
func TestSlots_ThatAreListedCanBeBooked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 16 {
			slots := w.availability("intro", `,"start_date":"2027-02-02","days":1`).OK()["slots"].([]any)
			if len(slots) == 0 {
				t.Fatal("no more slots")
			}
			slot := slots[len(slots)/2].(string)
			w.book("intro", slot)
			for _, still := range w.availability("intro", `,"start_date":"2027-02-02","days":1`).OK()["slots"].([]any) {
				if still == slot {
					t.Fatalf("%s is still listed", slot)
				}
			}
		}
		if n := w.availability("intro", `,"start_date":"2027-02-02","days":1`).OK()["slot_count"]; n != 0.0 {
			t.Errorf("%v slots left", n)
		}
	})
}

// TestRace_FirstRequestsOfANewServer sends many requests to a server that has just started and has not loaded the
// workspace yet.
func TestRace_FirstRequestsOfANewServer(t *testing.T) {
	w := lite(t)
	body := webtest.ToolCall("get_availability", `{"workspace":"acme","event_type":"intro"}`)
	want := w.post(body).Body
	for round := range 60 {
		fresh := *w
		fresh.Handler = New(&Handler{Booking: w.Booking, Tokens: w.Tokens, Origins: w.Origins, Now: w.Now,
			Log: w.Handler.Log}, "v1.2.3")
		cache, err := snapshot.NewCache(background, w.DB, w.Clock.Now)
		w.Must(err)
		fresh.Handler.Cache = cache
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				if got := fresh.direct(t, body).Body; got != want {
					t.Errorf("round %d: %.300s", round, got)
				}
			})
		}
		all.Wait()
		cache.Close()
		if t.Failed() {
			t.Fatalf("log: %.1500s", w.World.Log)
		}
	}
}

// TestRace_OneSlotGoesToOneOfMany lets many clients book the same slot on two servers.
func TestRace_OneSlotGoesToOneOfMany(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second := *w
		second.Handler = w.newHandler(w.Open())
		servers := []*world{w, &second}
		var mu sync.Mutex
		booked, refused := 0, 0
		var all sync.WaitGroup
		for i := range 24 {
			all.Go(func() {
				email := fmt.Sprintf("g%d@example.com", i)
				body := webtest.ToolCall("create_booking",
					webtest.BookingArguments("intro", at("02-02 10:00"), email))
				text := servers[i%2].direct(t, body, "Authorization", "Bearer "+w.token).Body
				mu.Lock()
				defer mu.Unlock()
				switch {
				case strings.Contains(text, `"booked":true`):
					booked++
				case strings.Contains(text, "slot_unavailable"):
					refused++
				default:
					t.Errorf("%s", text)
				}
			})
		}
		all.Wait()
		if booked != 1 || refused != 23 {
			t.Errorf("%d booked, %d refused", booked, refused)
		}
	})
}
