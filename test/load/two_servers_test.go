package load

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"slotd/test/await"
	"slotd/test/harness"
)

// pair is two servers on one database. Each has its own mail server, which shows who sent a mail.
type pair struct {
	*deployment
	mails [2]*mailServer
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{deployment: onPostgres(t, allDay)}
	for i := range p.mails {
		p.mails[i] = startMailServer(t)
	}
	return p
}

// serve starts one of the two servers. Its clock is ahead of the deployment's by that much.
func (p *pair) serve(t *testing.T, i int, ahead time.Duration) *harness.Server {
	t.Helper()
	p.sendThrough(p.mails[i])
	p.AdvanceClock(ahead)
	defer p.AdvanceClock(-ahead)
	return p.Serve(t)
}

// book books a slot, another one for each n.
func (p *pair) book(t *testing.T, s *harness.Server, n int) (booking string) {
	t.Helper()
	return p.mustCreate(t, s, nextDay(10).Add(time.Duration(n)*10*time.Minute), n).BookingID
}

// sentBoth reports whether one of the two servers has sent both mails about a booking: to the attendee and the host.
func (p *pair) sentBoth(i int, booking string) bool { return p.sent(i, booking) == 2 }

// sent returns how many mails about a booking one of the two servers has sent.
func (p *pair) sent(i int, booking string) (n int) {
	for _, m := range p.mails[i].received() {
		if m.booking() == booking {
			n++
		}
	}
	return n
}

func TestRace_TwoServersSendEachMailOnce(t *testing.T) {
	t.Parallel()
	const clients, each = 20, 10
	p := newPair(t)
	servers := []*harness.Server{p.serve(t, 0, 0), p.serve(t, 1, 0)}
	holds := []*hold{newHold(t, p.mails[0], afterData), newHold(t, p.mails[1], afterData)}
	first := nextDay(2)
	var done sync.WaitGroup
	for c := range clients {
		done.Go(func() {
			client := newClient()
			defer client.CloseIdleConnections()
			for _, s := range servers {
				if err := connect(client, s.URL); err != nil {
					t.Errorf("client %d: %v", c, err)
				}
			}
			for i := range each {
				n := c*each + i
				p.bookSurely(t, client, servers[n%2], first.Add(time.Duration(n)*10*time.Minute), n)
			}
		})
	}
	for _, h := range holds { // neither sends a mail before both have one to send
		h.await(t)
	}
	for _, h := range holds {
		h.end()
	}
	done.Wait()
	p.awaitIdle(t)
	p.wantEachOnce(t, clients*each)
	wantNoneBroken(t, servers)
	if shares := []int{len(p.mails[0].received()), len(p.mails[1].received())}; slices.Min(shares) == 0 {
		t.Errorf("one server did nothing: %d", shares)
	} else {
		t.Logf("the servers sent %d mails", shares)
	}
}

// bookSurely books a slot that nobody else wants. If a try had no outcome, the slot may be taken.
func (p *pair) bookSurely(t *testing.T, client *http.Client, s *harness.Server, start time.Time, n int) {
	t.Helper()
	var unknown atomic.Int64
	b, err := createPatiently(client, s.URL, p.token, start, n, &unknown)
	if err != nil || b.BookingID == "" && (b.Error.Code != "slot_unavailable" || unknown.Load() == 0) {
		t.Errorf("booking %d: %+v, %v", n, b, err)
	}
}

// wantEachOnce checks that no mail was sent twice, that every attendee has one, and that the host has as many as an
// address gets in an hour while the others wait.
func (p *pair) wantEachOnce(t *testing.T, bookings int) {
	t.Helper()
	counts := map[string]int{} // by Message-ID
	byHost := map[bool]int{}
	for _, m := range slices.Concat(p.mails[0].received(), p.mails[1].received()) {
		counts[m.messageID]++
		byHost[m.toHost()]++
	}
	for id, n := range counts {
		if n > 1 {
			t.Errorf("mail %s was sent %d times", id, n)
		}
	}
	remaining := waiting(p.changeJobs(t))
	if byHost[false] != bookings || byHost[true] != mailsPerHour || byHost[true]+remaining != bookings {
		t.Errorf("of %d bookings, %d attendees have a mail, the host has %d, and %d wait", bookings, byHost[false],
			byHost[true], remaining)
	}
}

// The killed server's clock is behind, so that for the other one its lease ends soon, while it runs.
func TestRace_OneServerTakesOverFromTheDead(t *testing.T) {
	t.Parallel()
	const remaining = 8 * time.Second
	p := newPair(t)
	stuck := newHold(t, p.mails[0], afterData)
	dying := p.serve(t, 0, remaining-lease)
	p.serve(t, 1, 0)
	var booking string
	n := 0
	await.True(t, "the dying server has a mail", func() bool { // the other one may be faster now and then
		booking = p.book(t, dying, n)
		n++
		await.True(t, "one of the two has the mails",
			func() bool { return len(stuck.reached) > 0 || p.sentBoth(1, booking) })
		return len(stuck.reached) > 0
	})
	dying.Kill()
	await.True(t, "the other server sends what the dead one had claimed", func() bool { return p.sentBoth(1, booking) })
	p.awaitIdle(t)
	if remaining := p.changeJobs(t); len(remaining) > 0 {
		t.Errorf("left behind: %+v", remaining)
	}
}

// The killed server's clock is an hour ahead, so that for the other one its lease does not end while the test runs.
func TestRace_AClaimedMailIsLeftAloneUntilTheLeaseEnds(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	stuck := newHold(t, p.mails[0], afterData)
	dying := p.serve(t, 0, time.Hour)
	other := p.serve(t, 1, 0)
	claimed := p.book(t, dying, 0)
	stuck.await(t)
	for n := 1; n <= 2; n++ {
		own := p.book(t, other, n)
		await.True(t, "the other server sends its own mails", func() bool { return p.sentBoth(1, own) })
		if p.sent(1, claimed) > 0 {
			t.Error("a mail was sent by a server that had no right to")
		}
		dying.Kill() // the second time, the other server looks for mails of a dead one
	}
	p.RestartLater(t, other, time.Hour+2*lease)
	await.True(t, "the other server sends what the dead one had claimed", func() bool { return p.sentBoth(1, claimed) })
	p.awaitIdle(t)
	if remaining := p.changeJobs(t); len(remaining) > 0 {
		t.Errorf("left behind: %+v", remaining)
	}
}

// nextDay returns midnight UTC some days ahead.
func nextDay(days int) time.Time {
	return time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, days)
}
