package load

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// pair is two servers on one database. Each has its own mail server, which shows who sent a mail.
type pair struct {
	deployments [2]*deployment
	mails       [2]*mailServer
}

func newPair(t *testing.T) *pair {
	d := onPostgres(t, allDay)
	p := &pair{}
	for i := range p.mails {
		p.mails[i] = startMailServer(t)
		own := *d
		own.smtp = p.mails[i].addr
		p.deployments[i] = &own
	}
	return p
}

func (p *pair) received() []receivedMail {
	return slices.Concat(p.mails[0].received(), p.mails[1].received())
}

func TestTwoServers_SendEachMailOnce(t *testing.T) {
	const clients, each = 20, 10
	p := newPair(t)
	servers := []*server{p.deployments[0].start(t), p.deployments[1].start(t)}
	first := nextDay(2)
	var done sync.WaitGroup
	for c := range clients {
		done.Go(func() {
			for i := range each {
				n := c*each + i
				b, err := create(http.DefaultClient, servers[n%2].url, p.deployments[0].token,
					first.Add(time.Duration(n)*10*time.Minute), n)
				if err != nil || b.BookingID == "" {
					t.Errorf("client %d: %+v, %v", c, b, err)
				}
			}
		})
	}
	done.Wait()
	p.deployments[0].awaitIdle(t)
	counts := map[string]int{} // by Message-ID
	byHost := map[bool]int{}
	for _, m := range p.received() {
		counts[m.messageID]++
		byHost[m.toHost()]++
	}
	for id, n := range counts {
		if n > 1 {
			t.Errorf("mail %s was sent %d times", id, n)
		}
	}
	remaining := waiting(p.deployments[0].changeJobs(t))
	if byHost[false] != clients*each || byHost[true] != mailsPerHour || byHost[true]+remaining != clients*each {
		t.Errorf("of %d bookings, %d attendees have a mail, the host has %d, and %d wait", clients*each, byHost[false],
			byHost[true], remaining)
	}
	shares := []int{len(p.mails[0].received()), len(p.mails[1].received())}
	if slices.Min(shares) == 0 {
		t.Errorf("one server did nothing: %d", shares)
	}
	t.Logf("the servers sent %d mails", shares)
}

// The killed server's clock is behind, so that for the other one its lease ends soon.
func TestTwoServers_OneTakesOverFromTheDead(t *testing.T) {
	t.Parallel()
	const remaining = 8 * time.Second
	p := newPair(t)
	p.deployments[0].clockOffset = remaining - lease
	stuck := newHold(t, p.mails[0], afterData)
	dying := p.deployments[0].start(t)
	p.deployments[1].start(t)
	for n := 0; len(stuck.reached) == 0; n++ { // the other server may be faster now and then
		p.deployments[0].mustCreate(t, dying, nextDay(10).Add(time.Duration(n)*10*time.Minute), n)
		eventually(t, "one of the two has the mails", func() bool {
			return len(stuck.reached) > 0 || len(p.mails[1].received()) == 2*(n+1)
		})
	}
	dying.kill()
	to := <-stuck.reached
	arrived := func() bool {
		return slices.ContainsFunc(p.mails[1].received(), func(m receivedMail) bool { return m.to == to })
	}
	if arrived() {
		t.Error("a mail was sent by a server that had no right to")
	}
	eventually(t, "the other server sends what the dead one had claimed", arrived)
	p.deployments[1].awaitIdle(t)
	if remaining := p.deployments[1].changeJobs(t); len(remaining) > 0 {
		t.Errorf("left behind: %+v", remaining)
	}
}

// nextDay returns midnight UTC some days ahead.
func nextDay(days int) time.Time {
	return time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, days)
}
