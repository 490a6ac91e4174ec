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

	"slotd/test/harness"
)

// timeline is a deployment whose program only runs at certain times.
type timeline struct {
	*deployment
	server *harness.Server
}

// restartAt restarts the program at another time and waits until everything that is due is done.
func (d *timeline) restartAt(t *testing.T, at time.Time) {
	t.Helper()
	d.server.Kill()
	d.SetClock(at)
	d.server = d.Serve(t)
	d.awaitIdle(t)
}

// wantReminders compares the ids with those of all reminders in the outbox.
func (d *timeline) wantReminders(t *testing.T, want ...string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.Data, "outbox", "*.reminder.*.eml"))
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
		t.Errorf("reminders at %v (- missing, + too many):\n%s", d.Now(), diff)
	}
}

func reminder(b toolResult, sequence, minutes int) string {
	return fmt.Sprintf("%s.%d.reminder.attendee.%d", b.BookingID, sequence, minutes)
}

func TestReminders_ByClock(t *testing.T) {
	t.Parallel()
	deployed := onSQLite(t, allDay)
	d := &timeline{deployed, deployed.Serve(t)}
	start := time.Now().Add(48 * time.Hour).Truncate(time.Hour)
	unchanged := d.mustCreate(t, d.server, start, 1)
	moved := d.mustCreate(t, d.server, start.Add(time.Hour), 2)
	canceled := d.mustCreate(t, d.server, start.Add(2*time.Hour), 3)
	missed := d.mustCreate(t, d.server, start.Add(30*time.Minute), 4)
	d.awaitIdle(t)
	d.wantReminders(t)

	want := []string{reminder(unchanged, 0, 1440)}
	d.restartAt(t, start.Add(-24*time.Hour+time.Minute))
	d.wantReminders(t, want...)
	d.checkFile(t, want[0])

	later := start.Add(25 * time.Hour)
	d.mustCall(t, d.server, "reschedule_booking",
		fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, moved.BookingID, later.UTC().Format(time.RFC3339)))
	d.mustCall(t, d.server, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, canceled.BookingID))
	want = append(want, reminder(missed, 0, 1440), reminder(unchanged, 0, 60))
	d.restartAt(t, start.Add(-time.Hour+time.Minute))
	d.wantReminders(t, want...)

	want = append(want, reminder(moved, 1, 1440)) // but not those that were due while the program was stopped
	d.restartAt(t, later.Add(-24*time.Hour+time.Minute))
	d.wantReminders(t, want...)

	want = append(want, reminder(moved, 1, 60))
	d.restartAt(t, later.Add(-time.Hour+time.Minute))
	d.wantReminders(t, want...)

	d.restartAt(t, later.Add(24*time.Hour))
	d.wantReminders(t, want...)
	if remaining := d.jobs(t); len(remaining) > 0 {
		t.Errorf("left behind: %+v", remaining)
	}
}

// checkFile checks that a reminder is a complete mail to the attendee, without an invite.
func (d *timeline) checkFile(t *testing.T, id string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.Data, "outbox", id+".eml"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := parseMail(text)
	if err != nil || !strings.Contains(m.header.Get("To"), guest(1)) || !strings.HasPrefix(m.messageID, "<"+id+"@") ||
		m.subject == "" || m.invite != (invite{}) {
		t.Errorf("%v in\n%s", err, text)
	}
}
