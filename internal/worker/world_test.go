package worker

import (
	"context"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/booking/bookingtest"
	"slotd/internal/booking/records"
	"slotd/internal/calendar/calsync"
	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var (
	background = context.Background()
	monday     = worlds.Monday
	mailFrom   = netmail.Address{Address: "slotd@book.example"}
)

// world is a server with a mailbox.
type world struct {
	*bookingtest.World
	box       *worlds.Mailbox
	runner    *jobs.Runner
	now       func() time.Time
	calendars *calsync.Service  // nil: no calendar is connected
	erased    func([]uuid.UUID) // nil: nothing is stored outside the database
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		w := newWorld(t, target)
		w.deliverTo(w.box)
		test(t, w)
	})
}

func newWorld(t testing.TB, target string) *world {
	t.Helper()
	base := worlds.New(t, target)
	w := &world{World: bookingtest.Start(base, office()), box: &worlds.Mailbox{}, now: base.Clock.Now}
	w.newService()
	return w
}

// newService replaces the booking service with one that has the world's current clock and calendars.
func (w *world) newService() {
	w.Service = bookingtest.New(w.World.World, func(c *booking.Config) {
		c.Calendars, c.Now, c.MailFrom = w.calendars, w.now, mailFrom
	})
}

// newRunner returns a runner of one queue. It reads the world's clock itself: a test may replace now by one that fails.
func (w *world) newRunner(queue jobs.Queue, handlers map[string]jobs.Handler) *jobs.Runner {
	return jobs.New(w.DB, queue, handlers, w.Clock.Now, slog.New(slog.DiscardHandler))
}

func (w *world) mailer(sender delivery.Sender) *Mailer {
	return &Mailer{Booking: w.Service, DB: w.DB, Cache: w.Cache, Links: w.Links, Now: w.now,
		BaseURL: worlds.BaseURL, Sender: sender, MailFrom: mailFrom, Erased: w.erased}
}

func (w *world) records() *records.Service {
	return &records.Service{DB: w.DB, Cache: w.Cache, Now: w.now, Erased: w.erased}
}

// deliverTo replaces the mail runner with one that has another sender.
func (w *world) deliverTo(sender delivery.Sender) { w.runMailer(w.mailer(sender)) }

// runMailer replaces the mail runner.
func (w *world) runMailer(m *Mailer) {
	w.runner = w.newRunner(jobs.Mail,
		map[string]jobs.Handler{booking.NoticeJob: m.SendNotice, booking.ReminderJob: m.SendNotice,
			booking.OwnerMailJob: m.SendPaymentMail, calsync.OwnerMailJob: m.SendCalendarMail})
}

// office returns a workspace that is always open.
func office() *slotd.Workspace {
	w := worlds.Office()
	w.Schedules["default"] = slotd.Schedule{Weekly: worlds.EveryDay("00:00-24:00")}
	intro := w.EventTypes[0]
	intro.BookingWindowDays, intro.RemindersMinutesBefore = 700, []int{1440, 60}
	quick := intro
	quick.Slug, quick.Title, quick.DurationMinutes = "quick", "Quick call", 1
	quick.RemindersMinutesBefore = []int{1440, 60, 5}
	w.EventTypes = []slotd.EventType{intro, quick}
	return w
}

func (w *world) create(slug string, start time.Time, email string) *slotd.Booking {
	w.T.Helper()
	b, err := w.Create(background, w.Actor, booking.Request{EventType: slug, StartsAt: start,
		Attendee: guestAt(email), Notes: "the first line\nthe second"})
	w.Must(err)
	return b
}

// guestAt returns the guest with another address.
func guestAt(email string) slotd.Attendee {
	guest := worlds.Guest
	guest.Email = email
	return guest
}

// run runs the due mail jobs.
func (w *world) run() {
	w.T.Helper()
	w.Must(w.runner.RunDue(background))
}

// runAt sets the clock and runs the due mail jobs.
func (w *world) runAt(now time.Time) {
	w.T.Helper()
	w.Clock.Set(now)
	w.run()
}

// wantMails checks that exactly these mails were sent since the last check, and returns them.
func (w *world) wantMails(b *slotd.Booking, names ...string) []mail.Message {
	w.T.Helper()
	got := w.box.Empty()
	var ids []string
	for _, m := range got {
		ids = append(ids, strings.TrimPrefix(m.ID, b.ID.String()+"."))
	}
	if fmt.Sprint(ids) != fmt.Sprint(names) {
		w.T.Fatalf("got the mails %v, want %v", ids, names)
	}
	return got
}

// pending returns the jobs that are not done: those of these kinds, or all.
func (w *world) pending(kinds ...string) []jobs.Entry {
	w.T.Helper()
	entries, err := jobs.List(background, w.DB, false, 1000)
	w.Must(err)
	return slices.DeleteFunc(entries,
		func(e jobs.Entry) bool { return len(kinds) > 0 && !slices.Contains(kinds, e.Kind) })
}

// skipIfShort skips a slow test, in which weeks pass.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("weeks pass: run it without -short")
	}
}
