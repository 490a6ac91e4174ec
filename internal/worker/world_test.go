package worker

import (
	"context"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity/links"
	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var background = context.Background()

// monday is when the clock starts: 2027-02-01 is a Monday.
var monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

// world is a server with a mailbox and a clock that the test moves.
type world struct {
	t      testing.TB
	clock  *testdb.Clock
	box    *mailbox
	runner *jobs.Runner
	actor  booking.Actor
	db     *store.DB
	cache  *snapshot.Cache
	links  *links.Signer
	now    func() time.Time

	calendars *calsync.Service  // nil: no calendar is connected
	erased    func([]uuid.UUID) // nil: nothing is stored outside the database
	*booking.Service
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
	w := &world{t: t, clock: testdb.NewClock(monday), box: &mailbox{}}
	db := testdb.Open(t, target)
	signer, err := links.Load(background, db, monday)
	w.must(err)
	cache, err := snapshot.NewCache(background, db, w.clock.Now)
	w.must(err)
	t.Cleanup(cache.Close)
	_, err = workspace.Put(background, db, workspace.Change{Desired: office(), Now: monday})
	w.must(err)
	p, err := cache.Workspace(background, "acme")
	w.must(err)
	w.actor = booking.Actor{WorkspaceID: p.WorkspaceID, Name: "token:tok_1"}
	w.db, w.cache, w.links, w.now = db, cache, signer, w.clock.Now
	w.newService()
	return w
}

var mailFrom = netmail.Address{Address: "slotd@book.example"}

// newService replaces the booking service with one that has the world's current clock and calendars.
func (w *world) newService() {
	w.Service = booking.New(booking.Config{
		DB: w.db, Cache: w.cache, Links: w.links, Calendars: w.calendars, Now: w.now, BaseURL: "https://book.example",
		VideoURL: "https://rooms.example/{room}", MailFrom: mailFrom, HoldFor: booking.DefaultHold,
	})
}

func (w *world) mailer(sender delivery.Sender) *Mailer {
	return &Mailer{Booking: w.Service, DB: w.db, Cache: w.cache, Links: w.links, Now: w.now,
		BaseURL: "https://book.example", Sender: sender, MailFrom: mailFrom, Erased: w.erased}
}

func (w *world) records() *records.Service {
	return &records.Service{DB: w.db, Cache: w.cache, Now: w.now, Erased: w.erased}
}

// deliverTo replaces the mail runner with one that has another sender.
func (w *world) deliverTo(sender delivery.Sender) {
	mailer := w.mailer(sender)
	w.runner = jobs.New(w.db, jobs.Mail,
		map[string]jobs.Handler{booking.NoticeJob: mailer.SendNotice, booking.ReminderJob: mailer.SendNotice}, w.now,
		slog.New(slog.DiscardHandler))
}

// office returns a workspace that is always open.
func office() *slotd.Workspace {
	weekly := map[time.Weekday][]slots.Window{}
	window, err := slots.ParseWindow("00:00-24:00")
	if err != nil {
		panic(err)
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		weekly[day] = []slots.Window{window}
	}
	return &slotd.Workspace{
		Slug: "acme", Name: "Acme", TimeZone: "Europe/Paris",
		Host:      slotd.Host{Name: "Ada Park", Email: "ada@acme.example"},
		Schedules: map[string]slotd.Schedule{"default": {Weekly: weekly}},
		EventTypes: []slotd.EventType{
			{Slug: "intro", Title: "Intro call", DurationMinutes: 30, Location: slotd.Location{Type: slotd.Video},
				Schedule: "default", BookingWindowDays: 700, RemindersMinutesBefore: []int{1440, 60}},
			{Slug: "quick", Title: "Quick call", DurationMinutes: 1, Location: slotd.Location{Type: slotd.Video},
				Schedule: "default", BookingWindowDays: 700, RemindersMinutesBefore: []int{1440, 60, 5}},
		},
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) create(slug string, start time.Time, email string) *slotd.Booking {
	w.t.Helper()
	b, err := w.Create(background, w.actor, booking.Request{
		EventType: slug, StartsAt: start, Notes: "the first line\nthe second",
		Attendee: slotd.Attendee{Name: "Grace Okafor", Email: email, TimeZone: "Asia/Tokyo"},
	})
	w.must(err)
	return b
}

func (w *world) move(b *slotd.Booking, start time.Time) {
	w.t.Helper()
	_, err := w.Reschedule(background, w.actor, b.ID, start)
	w.must(err)
}

func (w *world) cancel(b *slotd.Booking, reason string) {
	w.t.Helper()
	_, err := w.Cancel(background, w.actor, b.ID, reason)
	w.must(err)
}

// run runs the due mail jobs.
func (w *world) run() {
	w.t.Helper()
	w.must(w.runner.RunDue(background))
}

// runAt sets the clock and runs the due mail jobs.
func (w *world) runAt(now time.Time) {
	w.t.Helper()
	w.clock.Set(now)
	w.run()
}

// wantMails checks that exactly these mails were sent since the last check, and returns them.
func (w *world) wantMails(b *slotd.Booking, names ...string) []mail.Message {
	w.t.Helper()
	got := w.box.empty()
	var ids []string
	for _, m := range got {
		ids = append(ids, strings.TrimPrefix(m.ID, b.ID.String()+"."))
	}
	if fmt.Sprint(ids) != fmt.Sprint(names) {
		w.t.Fatalf("got the mails %v, want %v", ids, names)
	}
	return got
}

// mailbox is a sender that keeps the mails. It fails if fail is set.
type mailbox struct {
	mu    sync.Mutex
	mails []mail.Message
	fail  error
}

func (b *mailbox) Send(_ context.Context, m mail.Message) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return "", b.fail
	}
	b.mails = append(b.mails, m)
	return "250 ok", nil
}

func (b *mailbox) Close() error { return nil }

func (b *mailbox) empty() []mail.Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	mails := b.mails
	b.mails = nil
	return mails
}

// skipIfShort skips a slow test, in which weeks pass. It runs once, without the race detector.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("weeks pass: run it without -short")
	}
}
