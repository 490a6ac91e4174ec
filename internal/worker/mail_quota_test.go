package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

func TestQuota_ThirtyAnHourToOneAddressAndNoneLost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const bookings = 100
		for i := range bookings {
			w.create("quick", monday.AddDate(0, 0, 30).Add(time.Duration(i)*time.Minute),
				fmt.Sprintf("guest%d@guest.example", i))
		}
		sent := map[string][]time.Time{}
		for range 4 * 60 {
			w.runAt(w.now().Add(time.Minute))
			for _, m := range w.box.Empty() {
				sent[m.To] = append(sent[m.To], w.now())
			}
		}
		host := sent["ada@acme.example"]
		if len(host) != bookings || len(sent) != bookings+1 {
			t.Fatalf("%d mails to the host, %d addresses", len(host), len(sent))
		}
		for i := mailsPerHour; i < len(host); i++ {
			if gap := host[i].Sub(host[i-mailsPerHour]); gap < time.Hour {
				t.Fatalf("more than %d mails within %v", mailsPerHour, gap)
			}
		}
		if last := host[len(host)-1].Sub(monday); last > 3*time.Hour+2*time.Minute {
			t.Errorf("the last mail came after %v: the turns are not used", last)
		}
	})
}

// The quota also holds after an outage. Mails that failed again and again have not used it up, but they are not all
// sent at once either.
func TestQuota_HoldsAfterAnOutage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range 40 {
			w.create("quick", monday.AddDate(0, 0, 30).Add(time.Duration(i)*time.Minute),
				fmt.Sprintf("guest%d@guest.example", i))
		}
		w.box.Fail(errors.New("down"))
		for range 12 {
			w.runAt(w.now().Add(5 * time.Minute))
		}
		w.box.Fail(nil)
		var host []time.Time
		for range 3 * 60 {
			w.runAt(w.now().Add(time.Minute))
			for _, m := range w.box.Empty() {
				if m.To == "ada@acme.example" {
					host = append(host, w.now())
				}
			}
		}
		if len(host) != 40 {
			t.Fatalf("%d mails to the host", len(host))
		}
		for i := mailsPerHour; i < len(host); i++ {
			if host[i].Sub(host[i-mailsPerHour]) < time.Hour {
				t.Fatal("too many mails in one hour")
			}
		}
	})
}

// Failed attempts during an outage do not use up the hour's quota.
func TestQuota_FailedAttemptsDoNotCount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		book := func(from, to int) {
			for i := from; i < to; i++ {
				w.create("quick", monday.AddDate(0, 0, 30).Add(time.Duration(i)*time.Minute),
					fmt.Sprintf("guest%d@guest.example", i))
			}
		}
		book(0, 12)
		w.run()
		w.box.Empty()
		w.box.Fail(errors.New("down"))
		book(12, 52)
		w.run()
		w.box.Fail(nil)
		w.runAt(monday.Add(20 * time.Minute))
		if host := w.mailsTo("ada@acme.example"); host != mailsPerHour-12 {
			t.Errorf("%d mails to the host after the outage, want %d", host, mailsPerHour-12)
		}
	})
}

// A reservation by a server whose clock is ahead of ours counts, too. One that is dated far ahead does not: a server with
// a wrong clock must not stop the mails.
func TestQuota_CountsReservationsOfAClockThatIsAhead(t *testing.T) {
	for name, c := range map[string]struct {
		ahead  time.Duration
		counts bool
	}{
		"1 ms":               {time.Millisecond, true},
		"as far as allowed":  {clockSkew, true},
		"beyond the allowed": {clockSkew + time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				w.reserveAll("ada@acme.example", monday.Add(c.ahead))
				w.create("quick", monday.AddDate(0, 0, 30), "guest@guest.example")
				w.run()
				if sent := w.mailsTo("ada@acme.example"); (sent == 0) != c.counts {
					t.Fatalf("%d mails to the host", sent)
				}
				if c.counts {
					w.runAt(monday.Add(c.ahead + time.Hour))
					if sent := w.mailsTo("ada@acme.example"); sent != 1 {
						t.Errorf("%d mails to the host once the quota is free again", sent)
					}
				}
			})
		})
	}
}

// reserveAll reserves the whole quota of an address.
func (w *world) reserveAll(address string, at time.Time) {
	w.T.Helper()
	w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		for i := range mailsPerHour {
			j := &jobs.Job{WorkspaceID: w.Actor.WorkspaceID, Booking: uuid.New(), ID: fmt.Sprint(i)}
			hash := w.Links.Pseudonym(w.Actor.WorkspaceID, address)
			if err := writeQuota(ctx, tx, j, hash, at, 0); err != nil {
				return err
			}
		}
		return nil
	}))
}

// mailsTo counts the mails to an address since the last look.
func (w *world) mailsTo(address string) (n int) {
	for _, m := range w.box.Empty() {
		if m.To == address {
			n++
		}
	}
	return n
}

// Many servers reserve quota for one address at the same moment. Without the lock, more than thirty would get it.
func TestRace_ManyServersKeepToTheQuota(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mailer := w.mailer(w.box)
		address := w.Links.Pseudonym(w.Actor.WorkspaceID, "ada@acme.example")
		var reserved atomic.Int64
		var all sync.WaitGroup
		for i := range 3 * mailsPerHour {
			all.Go(func() {
				j := &jobs.Job{WorkspaceID: w.Actor.WorkspaceID, Booking: uuid.New(), ID: fmt.Sprint(i)}
				if err := mailer.reserveQuota(background, j, address); err == nil {
					reserved.Add(1)
				}
			})
		}
		all.Wait()
		if got := reserved.Load(); got != mailsPerHour {
			t.Errorf("%d mails have their turn now, want %d", got, mailsPerHour)
		}
	})
}

// slowBox is a mailbox that takes 900 ms for each mail.
type slowBox struct {
	worlds.Mailbox
	w *world
}

func (b *slowBox) Send(ctx context.Context, m mail.Message) (string, error) {
	b.w.Clock.Set(b.w.now().Add(900 * time.Millisecond))
	return b.Mailbox.Send(ctx, m)
}

// Quota that is used a little late must not waste the next hour's.
func TestQuota_NoneIsWastedByASlowServer(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	box := &slowBox{w: w}
	w.deliverTo(box)
	const bookings = 100
	for i := range bookings {
		w.create("quick", monday.AddDate(0, 0, 30).Add(time.Duration(i)*time.Minute),
			fmt.Sprintf("guest%d@guest.example", i))
	}
	var host []time.Time
	for w.now().Before(monday.Add(4 * time.Hour)) {
		w.runAt(w.now().Add(37 * time.Second))
		for _, m := range box.Empty() {
			if m.To == "ada@acme.example" {
				host = append(host, w.now())
			}
		}
	}
	if len(host) != bookings {
		t.Fatalf("%d mails to the host", len(host))
	}
	if last := host[bookings-1].Sub(monday); last > 3*time.Hour+10*time.Minute {
		t.Errorf("the last mail came after %v", last)
	}
}
