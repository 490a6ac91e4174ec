package worker

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
)

var histories = flag.Int("histories", 1500, "how many random lives of bookings TestHistories plays")

// life is one booking in the model, with the reminders that are still due.
type life struct {
	booking *slotd.Booking
	start   time.Time
	pending map[int]time.Time // by minutes before the start
	over    bool
}

// history runs many lives at once on one clock and compares the reminders that are sent with the expected ones.
type history struct {
	*world
	random *rand.Rand
	lives  []*life
	sent   int
}

// Every reminder of a confirmed booking is sent once, in the first run at or after its time and before the start. No
// reminder is sent for a time that the booking was moved away from, or for a canceled booking.
func TestHistories_RemindersAreNeitherMissingNorStale(t *testing.T) {
	const seed = 7
	if testing.Short() {
		*histories = min(*histories, 150)
	}
	w := newWorld(t, testdb.SQLite(t))
	mailer := w.mailer(w.box)
	silent := func(context.Context, *jobs.Job) (func(context.Context, *store.Tx) error, error) { return nil, nil }
	w.runner = w.newRunner(jobs.Mail,
		map[string]jobs.Handler{booking.NoticeJob: silent, booking.ReminderJob: mailer.SendNotice})
	h := &history{world: w, random: rand.New(rand.NewPCG(seed, seed))}
	for n := 0; n < *histories || len(h.lives) > 0; {
		switch dice := h.random.IntN(10); {
		case dice < 4 && n < *histories:
			h.begin(n)
			n++
		case dice < 6 && len(h.lives) > 0:
			h.moveOne()
		case dice < 7 && len(h.lives) > 0:
			h.cancelOne()
		default:
			h.advance()
		}
	}
	if h.sent < *histories/3 {
		t.Errorf("only %d reminders in %d lives: the test tests nothing", h.sent, *histories)
	}
	t.Logf("%d lives, %d reminders", *histories, h.sent)
}

// slot returns a start between two minutes and three days from now. Half of them are near, where the time of some
// reminders has already passed.
func (h *history) slot() time.Time {
	ahead := time.Duration(2+h.random.IntN(120)) * time.Minute
	if h.random.IntN(2) == 0 {
		ahead = time.Duration(h.random.IntN(3*24*60)+2) * time.Minute
	}
	return h.now().Truncate(time.Minute).Add(ahead)
}

func (h *history) begin(n int) {
	start := h.slot()
	b, err := h.Create(background, h.Actor, booking.Request{
		EventType: "quick", StartsAt: start,
		Attendee: slotd.Attendee{Name: "Guest", Email: fmt.Sprintf("guest%d@guest.example", n), TimeZone: "UTC"},
	})
	if slotd.Is(err, slotd.SlotUnavailable) {
		return // taken by another life
	}
	h.Must(err)
	l := &life{booking: b}
	l.move(start, h.now())
	h.lives = append(h.lives, l)
}

func (l *life) move(start, now time.Time) {
	l.start, l.pending = start, map[int]time.Time{}
	for _, m := range l.booking.Reminders {
		if at := start.Add(-time.Duration(m) * time.Minute); !at.Before(now) {
			l.pending[m] = at
		}
	}
}

func (h *history) randomLife() *life { return h.lives[h.random.IntN(len(h.lives))] }

func (h *history) moveOne() {
	l, start := h.randomLife(), h.slot()
	_, err := h.Reschedule(background, h.Actor, l.booking.ID, start)
	if slotd.Is(err, slotd.SlotUnavailable) || slotd.Is(err, slotd.BookingPast) ||
		slotd.Is(err, slotd.BookingCanceled) {
		return
	}
	h.Must(err)
	if !start.Equal(l.start) {
		l.move(start, h.now())
	}
}

func (h *history) cancelOne() {
	l := h.randomLife()
	_, err := h.Cancel(background, h.Actor, l.booking.ID, "")
	if slotd.Is(err, slotd.BookingPast) {
		return
	}
	h.Must(err)
	l.over = true
}

// advance moves the clock, a little or a lot, and checks the mails.
func (h *history) advance() {
	step := time.Duration(h.random.IntN(20*60)) * time.Second
	if h.random.IntN(8) == 0 {
		step = time.Duration(h.random.IntN(30)) * time.Hour
	}
	h.runAt(h.now().Add(step))
	want := map[string]bool{}
	for _, l := range h.lives {
		for m, at := range l.pending {
			if at.After(h.now()) {
				continue
			}
			delete(l.pending, m)
			if !l.over && h.now().Before(l.start) {
				want[fmt.Sprintf("%s.%d", l.booking.ID, m)] = true
			}
		}
	}
	h.compare(want)
	h.lives = slices.DeleteFunc(h.lives, func(l *life) bool { return l.over || !h.now().Before(l.start) })
}

func (h *history) compare(want map[string]bool) {
	got := map[string]bool{}
	for _, m := range h.box.Empty() {
		parts := strings.Split(m.ID, ".") // booking, sequence, reminder, attendee, minutes
		name := parts[0] + "." + parts[len(parts)-1]
		if got[name] {
			h.T.Errorf("the reminder %s came twice", name)
		}
		got[name] = true
	}
	h.sent += len(got)
	if !maps.Equal(got, want) {
		h.T.Fatalf("at %v the reminders %v came, and should have been %v", h.now(), slices.Sorted(maps.Keys(got)),
			slices.Sorted(maps.Keys(want)))
	}
}
