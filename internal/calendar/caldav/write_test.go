package caldav

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/calendar"
	"slotd/internal/calendar/davtest"
	"slotd/internal/store/testdb"
)

const (
	bookingName = "0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e.ics"
	bookingUID  = "0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e@slotd"
)

func entry(start string) calendar.Entry {
	return calendar.Entry{UID: bookingUID, ICS: []byte(event(bookingUID, start))}
}

type listed struct{ UID, Start, Summary string }

// wantListed reads the calendar with another client.
func wantListed(t *testing.T, s davtest.Server, want ...listed) {
	t.Helper()
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import caldav").Run(); err != nil {
		testdb.SkipOrFailInCI(t, "python3-caldav", err)
	}
	cmd := exec.Command(python, "testdata/events.py", s.Calendar, s.Username, s.Password)
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3-caldav: %v\n%s", err, problem.String())
	}
	var got []listed
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append([]listed{}, want...), got); diff != "" {
		t.Error(diff)
	}
}

func TestWrite_ABookingsLife(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		for _, address := range []string{s.Calendar, s.URL} { // one calendar, and an account with one
			c := New(loopback, account(s, address), reader)
			ref := mustPut(t, c, entry("20270110T100000Z"), calendar.EntryRef{})
			wantListed(t, s, listed{bookingUID, "2027-01-10T10:00:00+00:00", "Secret of " + bookingUID})
			ref = mustPut(t, c, entry("20270110T140000Z"), ref)
			wantListed(t, s, listed{bookingUID, "2027-01-10T14:00:00+00:00", "Secret of " + bookingUID})
			if _, err := c.Delete(t.Context(), bookingUID, ref); err != nil {
				t.Fatal(err)
			}
			wantListed(t, s)
			if _, err := c.Delete(t.Context(), bookingUID, ref); err != nil {
				t.Errorf("the second time: %v", err)
			}
			if _, err := c.Delete(t.Context(), bookingUID, calendar.EntryRef{}); err != nil {
				t.Errorf("without a reference: %v", err)
			}
		}
	})
}

func TestPut_TwiceWithoutAReferenceChangesNothing(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		c := New(loopback, account(s, s.Calendar), reader)
		first := mustPut(t, c, entry("20270110T100000Z"), calendar.EntryRef{})
		again, err := c.Put(t.Context(), entry("20270110T140000Z"), calendar.EntryRef{})
		if err != calendar.ErrChanged || again != first {
			t.Errorf("got %v, %v; want %v and ErrChanged", again, err, first)
		}
		wantListed(t, s, listed{bookingUID, "2027-01-10T10:00:00+00:00", "Secret of " + bookingUID})
	})
}

func TestPut_LeavesWhatTheOwnerChanged(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		c := New(loopback, account(s, s.Calendar), reader)
		first := mustPut(t, c, entry("20270110T100000Z"), calendar.EntryRef{})
		s.Put(t, bookingName, event(bookingUID, "20270110T160000Z"))

		current, err := c.Put(t.Context(), entry("20270110T140000Z"), first)
		if err != calendar.ErrChanged || current.ID != first.ID || current.Tag == first.Tag {
			t.Fatalf("got %v, %v", current, err)
		}
		if deleted, err := c.Delete(t.Context(), bookingUID, first); err != calendar.ErrChanged || deleted != current {
			t.Errorf("delete: got %v, %v", deleted, err)
		}
		wantListed(t, s, listed{bookingUID, "2027-01-10T16:00:00+00:00", "Secret of " + bookingUID})

		mustPut(t, c, entry("20270110T140000Z"), current) // after reading the reference again
		wantListed(t, s, listed{bookingUID, "2027-01-10T14:00:00+00:00", "Secret of " + bookingUID})
	})
}

func TestPut_SaysThatTheOwnerDeletedIt(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		c := New(loopback, account(s, s.Calendar), reader)
		first := mustPut(t, c, entry("20270110T100000Z"), calendar.EntryRef{})
		s.Delete(t, bookingName)
		if current, err := c.Put(t.Context(), entry("20270110T140000Z"), first); err != calendar.ErrChanged ||
			current != (calendar.EntryRef{}) {
			t.Errorf("got %v, %v", current, err)
		}
		wantListed(t, s)
	})
}

func TestWrite_FindsTheEntryUnderAnotherName(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		s.Put(t, "moved.ics", event(bookingUID, "20270110T100000Z"))
		s.Put(t, "other.ics", event("x"+bookingUID, "20270110T100000Z")) // contains the UID as a part
		c := New(loopback, account(s, s.Calendar), reader)
		ref, err := c.Put(t.Context(), entry("20270110T140000Z"), calendar.EntryRef{})
		if err != calendar.ErrChanged || fileName(ref.ID) != "moved.ics" {
			t.Fatalf("got %v, %v", ref, err)
		}
		mustPut(t, c, entry("20270110T140000Z"), ref)
		if _, err := c.Delete(t.Context(), bookingUID, calendar.EntryRef{}); err != nil {
			t.Fatal(err)
		}
		wantListed(t, s, listed{"x" + bookingUID, "2027-01-10T10:00:00+00:00", "Secret of x" + bookingUID})
	})
}

func TestPut_AsksWhichOfSeveralCalendars(t *testing.T) {
	eachServer(t, func(t *testing.T, s davtest.Server) {
		other := s.MakeCalendar(t, "home")
		_, err := New(loopback, account(s, s.URL), reader).Put(t.Context(), entry("20270110T100000Z"),
			calendar.EntryRef{})
		wantError(t, err, calendar.Unusable, "several calendars")
		if !strings.Contains(err.Error(), s.Calendar) || !strings.Contains(err.Error(), other) {
			t.Errorf("%v does not name them", err)
		}
	})
}
