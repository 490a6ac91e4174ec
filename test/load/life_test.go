package load

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A booking's whole life, seen from the mail server and from the outbox: one mail each to attendee and host for every
// change, one UID, a rising sequence, and nothing when a change is repeated.
func TestLife_IsMailedOnce(t *testing.T) {
	t.Parallel()
	t.Run("smtp", func(t *testing.T) {
		t.Parallel()
		eachDeployment(t, allDay, func(t *testing.T, d *deployment) {
			t.Parallel()
			mails := startMailServer(t)
			d.sendThrough(mails)
			checkLife(t, d, mails.received)
		})
	})
	t.Run("outbox", func(t *testing.T) {
		t.Parallel()
		eachDeployment(t, allDay, func(t *testing.T, d *deployment) {
			t.Parallel()
			checkLife(t, d, func() []receivedMail { return d.outbox(t) })
		})
	})
}

func checkLife(t *testing.T, d *deployment, mails func() []receivedMail) {
	t.Helper()
	s := d.Serve(t)
	start := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 3)
	b := d.mustCreate(t, s, start, 1)
	want := []string{"REQUEST 0 ada@acme.example", "REQUEST 0 " + guest(1)}
	check := func() {
		t.Helper()
		d.awaitIdle(t)
		var got []string
		for _, m := range mails() {
			got = append(got, fmt.Sprintf("%s %d %s", m.invite.method, m.invite.sequence, m.recipient()))
			if m.booking() != b.BookingID {
				t.Errorf("the mail %q is about %q", m.subject, m.booking())
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("mails (- missing, + too many):\n%s", diff)
		}
	}
	check()
	move := fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, b.BookingID, start.Add(time.Hour).Format(time.RFC3339))
	want = append(want, "REQUEST 1 ada@acme.example", "REQUEST 1 "+guest(1))
	for range 2 {
		d.mustCall(t, s, "reschedule_booking", move)
		check()
	}
	want = append(want, "CANCEL 2 ada@acme.example", "CANCEL 2 "+guest(1))
	for range 2 {
		d.mustCall(t, s, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, b.BookingID))
		check()
	}
	if remaining := d.jobs(t); len(remaining) > 0 {
		t.Errorf("left behind: %+v", remaining)
	}
}

// recipient returns the recipient of the envelope, or of the header if there is no envelope.
func (r receivedMail) recipient() string {
	if r.to != "" {
		return r.to
	}
	list, err := r.header.AddressList("To")
	if err != nil || len(list) != 1 {
		return r.header.Get("To")
	}
	return list[0].Address
}

func (d *deployment) outbox(t *testing.T) (all []receivedMail) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.Data, "outbox", "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := parseMail(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, m)
	}
	return all
}
