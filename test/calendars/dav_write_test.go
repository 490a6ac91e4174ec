package calendars

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/calendar/davtest"
	"slotd/internal/store/testdb"
	"slotd/test/await"
	"slotd/test/harness"
)

// calendarEvent is an event as python3-caldav reads it.
type calendarEvent struct {
	UID, Start, End, Method string
	Attendee                bool
}

// python is Debian's Python, for which its packages are installed. The first one on the PATH may be another.
const python = "/usr/bin/python3"

func needPython(t *testing.T) {
	t.Helper()
	if out, err := exec.Command(python, "-c", "import caldav").CombinedOutput(); err != nil {
		t.Log(string(out))
		testdb.SkipOrFailInCI(t, "python3-caldav", err)
	}
}

// readCalendar reads the calendar with an independent client.
func readCalendar(t *testing.T, dav davtest.Server) (events []calendarEvent) {
	t.Helper()
	cmd := exec.Command(python, "testdata/events.py", dav.Calendar, dav.Username, dav.Password)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3-caldav: %v", err)
	}
	if err := json.Unmarshal(out, &events); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return events
}

// entryOf returns the one event that a booking of an hour must appear as.
func entryOf(booking, day, from, until string) []calendarEvent {
	return []calendarEvent{{UID: booking + "@slotd", Start: day + "T" + from + ":00+00:00",
		End: day + "T" + until + ":00+00:00"}}
}

func TestDAV_BookingsAreWrittenMovedAndDeleted(t *testing.T) {
	for name, begin := range realServers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachDatabase(t, func(t *testing.T, d deployment, servers int) {
				needPython(t)
				dav := begin(t)
				acme := d.office(t, "acme", davAccount(dav.URL))
				d.sync(t)
				all := d.startServers(t, servers)
				first, last := all[0], all[servers-1]

				b := must(t)(acme.create(first, "call", "01-15T09"))
				wantShown(t, dav, entryOf(b.BookingID, "2030-01-15", "09:00", "10:00"))
				must(t)(acme.move(last, b.BookingID, "01-22T10"))
				wantShown(t, dav, entryOf(b.BookingID, "2030-01-22", "10:00", "11:00"))
				d.sync(t) // the written event must not count as busy as well
				eventuallyOpen(t, acme, last, "01-22T10")
				must(t)(acme.cancel(first, b.BookingID))
				wantShown(t, dav, []calendarEvent{})
				d.sync(t)
				eventuallyOpen(t, acme, last)
			})
		})
	}
}

// wantShown waits until the calendar shows the event, and checks that it shows exactly that.
func wantShown(t *testing.T, dav davtest.Server, want []calendarEvent) {
	t.Helper()
	var got []calendarEvent
	await.True(t, "the calendar shows the booking as it is", func() bool {
		got = readCalendar(t, dav)
		return len(got) == len(want) && (len(want) == 0 || got[0].Start == want[0].Start)
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the calendar shows something else (-want +got):\n%s", diff)
	}
}

// eventuallyOpen waits for the open slots, because a listing by another server may lag behind a write.
func eventuallyOpen(t *testing.T, o office, s *harness.Server, taken ...string) {
	t.Helper()
	want := without(twoWeeks(), taken...)
	await.True(t, "the open slots are right", func() bool { return cmp.Equal(want, o.open(t, s)) })
}
