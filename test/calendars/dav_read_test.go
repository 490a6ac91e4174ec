package calendars

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entry is an item of a calendar and the slots that it makes busy.
type entry struct {
	name, text string
	takes      []string
}

// series is an event every Monday and Wednesday at 9 in Berlin; the first Wednesday is excluded, the second Monday is
// moved to 11, the second Wednesday is canceled.
var series = entry{"series.ics", item(
	"BEGIN:VEVENT", "UID:series", "DTSTAMP:20300101T000000Z", "SUMMARY:Team",
	"DTSTART;TZID=Europe/Berlin:20300114T090000",
	"DTEND;TZID=Europe/Berlin:20300114T100000", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE",
	"EXDATE;TZID=Europe/Berlin:20300116T090000", "END:VEVENT",
	"BEGIN:VEVENT", "UID:series", "DTSTAMP:20300101T000000Z", "SUMMARY:Team",
	"RECURRENCE-ID;TZID=Europe/Berlin:20300121T090000",
	"DTSTART;TZID=Europe/Berlin:20300121T110000", "DTEND;TZID=Europe/Berlin:20300121T120000", "END:VEVENT",
	"BEGIN:VEVENT", "UID:series", "DTSTAMP:20300101T000000Z", "SUMMARY:Team",
	"RECURRENCE-ID;TZID=Europe/Berlin:20300123T090000",
	"DTSTART;TZID=Europe/Berlin:20300123T090000", "DTEND;TZID=Europe/Berlin:20300123T100000", "STATUS:CANCELLED",
	"END:VEVENT",
), []string{"01-14T08", "01-21T10"}}

var singles = []entry{
	{"day.ics", event("day", "DTSTART;VALUE=DATE:20300115", "DTEND;VALUE=DATE:20300116"),
		[]string{"01-15T08", "01-15T09", "01-15T10"}},
	// A custom zone, 5 h 45 min ahead: 14:45 there is 09:00 in UTC.
	{"foreign.ics", item(
		"BEGIN:VTIMEZONE", "TZID:/example.org/Branch office", "BEGIN:STANDARD", "DTSTART:19700101T000000",
		"TZOFFSETFROM:+0545", "TZOFFSETTO:+0545",
		"END:STANDARD", "END:VTIMEZONE",
		"BEGIN:VEVENT", "UID:foreign", "DTSTAMP:20300101T000000Z", "SUMMARY:Branch",
		`DTSTART;TZID="/example.org/Branch office":20300117T144500`,
		`DTEND;TZID="/example.org/Branch office":20300117T154500`, "END:VEVENT",
	), []string{"01-17T09"}},
	// New York by its Windows name: 4:00 there is 09:00 in UTC.
	{"windows.ics", event("windows", "DTSTART;TZID=Eastern Standard Time:20300118T040000", "DURATION:PT1H30M"),
		[]string{"01-18T09", "01-18T10"}},
	{"floating.ics", event("floating", "DTSTART:20300124T100000", "DTEND:20300124T110000"), []string{"01-24T09"}},
	{"free.ics", event("free", "DTSTART:20300125T080000Z", "DTEND:20300125T110000Z", "TRANSP:TRANSPARENT"), nil},
}

func TestDAV_SlotsFollowTheCalendar(t *testing.T) {
	for name, begin := range realServers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dav, d := begin(t), onSQLite(t)
			found := d.untilItWorks(t, "calendar", "find", "--url", dav.URL, "--username", dav.Username,
				"--password-env", "DAV_PASSWORD")
			if !strings.HasPrefix(found, dav.Calendar) || !strings.HasSuffix(found, "writable") ||
				strings.Count(found, "\n") != 0 {
				t.Errorf("calendar find says: %s", found)
			}
			acme := d.office(t, "acme", davAccount(dav.URL))
			d.sync(t)
			s := d.Serve(t)
			var taken []string
			for _, e := range append(singles, series) {
				dav.Put(t, e.name, e.text)
				taken = append(taken, e.takes...)
				d.sync(t)
				wantOpen(t, "with "+e.name, acme.open(t, s), taken)
			}
			for _, e := range append(singles, series) {
				dav.Delete(t, e.name)
				taken = without(taken, e.takes...)
				d.sync(t)
				wantOpen(t, "without "+e.name, acme.open(t, s), taken)
			}
			if l := d.listLine(t, "acme"); l.State != "ok" || l.Warning != "" || l.Busy != 0 {
				t.Errorf("the calendar is %+v", l)
			}
		})
	}
}

func wantOpen(t *testing.T, when string, got, taken []string) {
	t.Helper()
	if diff := cmp.Diff(without(twoWeeks(), taken...), got); diff != "" {
		t.Errorf("%s, the open slots are others (-want +got):\n%s", when, diff)
	}
}

// All calendars of an account count.
func TestDAV_AllCalendarsOfAnAccount(t *testing.T) {
	t.Parallel()
	dav, d := realServers["radicale"](t), onSQLite(t)
	second := dav
	second.Calendar = dav.MakeCalendar(t, "private")
	dav.Put(t, series.name, series.text)
	second.Put(t, singles[0].name, singles[0].text)
	acme := d.office(t, "acme", davAccount(dav.URL))
	d.sync(t)
	wantOpen(t, "with two calendars", acme.open(t, d.Serve(t)), slices.Concat(series.takes, singles[0].takes))
}
