package booking

import (
	"context"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/mail"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
)

// BenchmarkTransaction compares a booking's transaction with its jobs (two mails, two reminders) and without,
// alternating on one database.
func BenchmarkTransaction(b *testing.B) {
	for name, target := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "postgres": testdb.Postgres} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, target(b))
			w.file.EventTypes = w.file.EventTypes[:1]
			e := &w.file.EventTypes[0]
			e.DurationMinutes, e.BookingWindowDays, e.RemindersMinutesBefore = 1, 730, []int{1440, 60}
			w.apply()
			p, err := w.cache.Workspace(background, "acme")
			w.Must(err)
			var with, without time.Duration
			next := at("+5 08:00")
			for b.Loop() {
				for _, withMails := range []bool{true, false} {
					if next = next.Add(time.Minute); next.Hour() >= 15 {
						next = next.Add(17 * time.Hour)
					}
					began := time.Now()
					w.book(p, next, withMails)
					if withMails {
						with += time.Since(began)
					} else {
						without += time.Since(began)
					}
				}
			}
			b.ReportMetric(float64(with.Microseconds())/float64(b.N), "µs/with")
			b.ReportMetric(float64(without.Microseconds())/float64(b.N), "µs/without")
			b.ReportMetric(float64(with)/float64(without), "ratio")
		})
	}
}

// book does what Create does under the host's lock.
func (w *world) book(p *snapshot.Snapshot, start time.Time, withMails bool) {
	w.T.Helper()
	w.Must(w.db.InHostTx(background, p.WorkspaceID, p.HostID, func(ctx context.Context, tx *store.Tx) error {
		c, err := loadInTx(ctx, tx, p, w.now())
		w.Must(err)
		e := c.EventTypeBySlug("intro")
		reason, _, err := c.check(ctx, e, start, w.now(), nil, nil)
		w.Must(err)
		if reason != slots.Free {
			w.T.Fatalf("%v is not free: %v", start, reason)
		}
		n, err := w.newBooking(c.Config, e,
			Request{StartsAt: start, Attendee: slotd.Attendee{Name: "Guest", Email: "guest@example.com",
				TimeZone: "UTC"}}, w.atOnce(), w.now())
		w.Must(err)
		w.Must(insertBooking(ctx, tx, w.actor, c.Config, n, slotd.ByBooking))
		if withMails {
			w.Must(enqueueMails(ctx, tx, c.WorkspaceID, n, mail.Booked, time.Time{}, w.now()))
		}
		_, err = tx.BumpVersion(ctx, c.WorkspaceID)
		return err
	}))
}
