package load

import (
	"strings"
	"testing"
	"time"
)

// At most so many mails go to one address in an hour.
const mailsPerHour = 30

// checkMails starts the program once more, after the leases of those that were killed, and waits for
// what they left behind.
func checkMails(t *testing.T, d *deployment, mails *mailServer, stored map[string]bool) {
	t.Helper()
	killed := int(mails.life.Add(1)) - 1
	d.ahead = 2 * lease
	d.start(t)
	began := time.Now()
	eventually(t, "each booking's attendee has a mail", func() bool { return len(told(mails, false)) >= len(stored) })
	t.Logf("%d mails, the last of them %v after the last start", len(mails.received()), time.Since(began))
	attendees := told(mails, false)
	for id := range stored {
		if attendees[id] == 0 {
			t.Errorf("booking %s: its attendee has no mail", id)
		}
	}
	checkHost(t, d, mails, stored)
	checkRepeats(t, mails.received(), stored, killed)
}

// told counts the mails of each booking.
func told(mails *mailServer, host bool) map[string]int {
	counts := map[string]int{}
	for _, m := range mails.received() {
		if m.toHost() == host {
			counts[m.booking()]++
		}
	}
	return counts
}

// checkHost looks at the queue first: a mail that is no longer there has been sent by then.
func checkHost(t *testing.T, d *deployment, mails *mailServer, stored map[string]bool) {
	t.Helper()
	waiting := waitingForHost(t, d)
	sent := told(mails, true)
	if len(sent) > mailsPerHour {
		t.Errorf("%d mails went to one address within an hour", len(sent))
	}
	for id := range stored {
		if sent[id] == 0 && !waiting[id] {
			t.Errorf("booking %s: the host's mail has vanished", id)
		}
	}
}

// waitingForHost reads the table: the command lists a thousand jobs at most.
func waitingForHost(t *testing.T, d *deployment) map[string]bool {
	t.Helper()
	rows, err := d.open(t).Query(`SELECT id, booking_id FROM jobs WHERE failed_at = 0`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	waiting := map[string]bool{}
	for rows.Next() {
		var id, booking string
		if err := rows.Scan(&id, &booking); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(id, ".booked.host") {
			waiting[booking] = true
		}
	}
	return waiting
}

// checkRepeats: the one mail that a server had sent but not yet written off when it was killed is
// sent again, as the same mail.
func checkRepeats(t *testing.T, all []received, stored map[string]bool, killed int) {
	t.Helper()
	ids := map[string]string{} // Message-ID, by recipient and booking
	last := map[string]int{}   // the life that sent it last, by Message-ID
	repeats := map[int]int{}   // by the life that was killed
	for _, m := range all {
		if !stored[m.booking()] {
			t.Errorf("a mail about a booking that is not there: %s", m.messageID)
		}
		whom := m.to + " " + m.booking()
		if first, told := ids[whom]; told && first != m.messageID {
			t.Errorf("two different mails about one booking: %s and %s", first, m.messageID)
		}
		ids[whom] = m.messageID
		if life, again := last[m.messageID]; again {
			repeats[life]++
		}
		last[m.messageID] = m.life
	}
	for life, n := range repeats {
		if n > 1 || life > killed {
			t.Errorf("%d mails of life %d of %d were sent again, want one at most for each kill", n, life, killed)
		}
	}
	t.Logf("%d of %d kills made a mail go out twice", len(repeats), killed)
}
