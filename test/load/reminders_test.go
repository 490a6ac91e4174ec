package load

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// diary is a deployment whose program is only running now and then.
type diary struct {
	*deployment
	server *server
}

// turnTo ends the program and starts it at another time, until all that is due is done.
func (d *diary) turnTo(t *testing.T, at time.Time) {
	t.Helper()
	d.server.kill()
	d.ahead = time.Until(at)
	d.server = d.start(t)
	d.rest(t)
}

// wantReminders compares with all that lie in the outbox, named by the mail's ID.
func (d *diary) wantReminders(t *testing.T, want ...string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.data(), "outbox", "*.reminder.*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, file := range files {
		got = append(got, strings.TrimSuffix(filepath.Base(file), ".eml"))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reminders at %v (- missing, + too many):\n%s", d.now(), diff)
	}
}

func reminder(b booked, sequence, minutes int) string {
	return fmt.Sprintf("%s.%d.reminder.attendee.%d", b.BookingID, sequence, minutes)
}

func TestReminders_ByClock(t *testing.T) {
	t.Parallel()
	deployed := onSQLite(t, allDay)
	d := &diary{deployed, deployed.start(t)}
	start := time.Now().Add(48 * time.Hour).Truncate(time.Hour)
	kept := d.mustCreate(t, d.server, start, 1)
	moved := d.mustCreate(t, d.server, start.Add(time.Hour), 2)
	canceled := d.mustCreate(t, d.server, start.Add(2*time.Hour), 3)
	missed := d.mustCreate(t, d.server, start.Add(30*time.Minute), 4)
	d.rest(t)
	d.wantReminders(t)

	want := []string{reminder(kept, 0, 1440)}
	d.turnTo(t, start.Add(-24*time.Hour+time.Minute))
	d.wantReminders(t, want...)
	d.checkFile(t, want[0])

	later := start.Add(25 * time.Hour)
	d.mustCall(t, d.server, "reschedule_booking",
		fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, moved.BookingID, later.UTC().Format(time.RFC3339)))
	d.mustCall(t, d.server, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, canceled.BookingID))
	want = append(want, reminder(missed, 0, 1440), reminder(kept, 0, 60))
	d.turnTo(t, start.Add(-time.Hour+time.Minute))
	d.wantReminders(t, want...)

	want = append(want, reminder(moved, 1, 1440)) // and none to who was to be reminded while we slept
	d.turnTo(t, later.Add(-24*time.Hour+time.Minute))
	d.wantReminders(t, want...)

	want = append(want, reminder(moved, 1, 60))
	d.turnTo(t, later.Add(-time.Hour+time.Minute))
	d.wantReminders(t, want...)

	d.turnTo(t, later.Add(24*time.Hour))
	d.wantReminders(t, want...)
	if left := d.jobs(t); len(left) > 0 {
		t.Errorf("left behind: %+v", left)
	}
}

// checkFile: a reminder is a complete mail to the attendee, without an invite.
func (d *diary) checkFile(t *testing.T, id string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.data(), "outbox", id+".eml"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := read(text)
	if err != nil || !strings.Contains(m.header.Get("To"), guest(1)) || !strings.HasPrefix(m.messageID, "<"+id+"@") ||
		m.subject == "" || m.invite != (invite{}) {
		t.Errorf("%v in\n%s", err, text)
	}
}
