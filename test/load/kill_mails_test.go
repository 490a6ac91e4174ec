package load

import (
	"strings"
	"testing"
	"time"

	"slotd/test/await"
)

// mailsPerHour is the server's limit of mails to one address in an hour.
const mailsPerHour = 30

// checkMails starts the program once more, after the leases of the killed ones have expired, and waits for the mails
// that they had not sent. The first one was started at that time of the deployment's clock.
func checkMails(t *testing.T, d *deployment, mails *mailServer, stored map[string]bool, startedAt time.Time) {
	t.Helper()
	killed := int(mails.life.Add(1)) - 1
	d.AdvanceClock(2 * lease)
	d.Serve(t)
	await.True(t, "each booking's attendee has a mail",
		func() bool { return len(mailsByBooking(mails, false)) >= len(stored) })
	attendees := mailsByBooking(mails, false)
	for id := range stored {
		if attendees[id] == 0 {
			t.Errorf("booking %s: its attendee has no mail", id)
		}
	}
	checkHost(t, d, mails, stored, startedAt)
	checkRepeats(t, mails.received(), stored, killed)
}

// mailsByBooking returns the number of mails about each booking, to the host or to the attendee.
func mailsByBooking(mails *mailServer, host bool) map[string]int {
	counts := map[string]int{}
	for _, m := range mails.received() {
		if m.toHost() == host {
			counts[m.booking()]++
		}
	}
	return counts
}

// checkHost reads the queue first: a mail that is no longer queued has been sent by then.
func checkHost(t *testing.T, d *deployment, mails *mailServer, stored map[string]bool, startedAt time.Time) {
	t.Helper()
	waiting := waitingForHost(t, d)
	sent := mailsByBooking(mails, true)
	hours := 1 + int(d.Now().Sub(startedAt)/time.Hour) // that have begun; usually one
	if len(sent) > hours*mailsPerHour {
		t.Errorf("%d mails went to one address in %d hours", len(sent), hours)
	}
	for id := range stored {
		if sent[id] == 0 && !waiting[id] {
			t.Errorf("booking %s: the host's mail has vanished", id)
		}
	}
}

// waitingForHost returns the bookings whose mail to the host is queued. It reads the table, because the command lists a
// thousand jobs at most.
func waitingForHost(t *testing.T, d *deployment) map[string]bool {
	t.Helper()
	rows, err := d.DB(t).Query(`SELECT id, booking_id FROM jobs WHERE failed_at = 0`)
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

// checkRepeats checks that a kill repeats one mail at most: the one that the server had sent but not yet recorded as
// sent. The repeated mail has the same Message-ID.
func checkRepeats(t *testing.T, all []receivedMail, stored map[string]bool, killed int) {
	t.Helper()
	ids := map[string]string{} // Message-ID, by recipient and booking
	last := map[string]int{}   // the life that sent it last, by Message-ID
	repeats := map[int]int{}   // number of mails sent again, by the life that was killed
	for _, m := range all {
		if !stored[m.booking()] {
			t.Errorf("a mail about a booking that is not there: %s", m.messageID)
		}
		key := m.to + " " + m.booking()
		if first, seen := ids[key]; seen && first != m.messageID {
			t.Errorf("two different mails about one booking: %s and %s", first, m.messageID)
		}
		ids[key] = m.messageID
		if life, repeated := last[m.messageID]; repeated {
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
