package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"
)

const (
	calendarEvents = 5000
	calendarReads  = 5
)

// calendar measures how long the commands take to read a large calendar, beside one that reads none.
func (b *bench) calendar() error {
	changes := 0
	feed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, changes))
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(largeCalendar(changes)))
	}))
	b.cleanups = append(b.cleanups, feed.Close)
	dir := b.tempDir()
	b.command(workspaceFile("bench")+"calendars: [{name: club, type: ics, url: "+feed.URL+"/club.ics}]\n",
		"apply", "-f", "-", "--data", dir)
	run := func(command string) (output string, took time.Duration) {
		args := []string{"calendar", command, "--workspace", "bench", "--data", dir}
		if command != "list" {
			args = append(args, "--allow-networks", "127.0.0.1/32")
		}
		began := time.Now()
		output = b.command("", args...)
		return output, time.Since(began)
	}
	rows := []struct {
		name, command string
		took          []time.Duration
	}{{"read and kept", "sync", nil}, {"unchanged", "sync", nil}, {"a command that reads none", "list", nil}}
	for changes = range calendarReads {
		for i := range rows {
			_, took := run(rows[i].command)
			rows[i].took = append(rows[i].took, took)
		}
	}
	tested, _ := run("test")
	fmt.Fprintf(b.out, "a calendar of %d events, half of them weekly: %s\n", calendarEvents, tested)
	for _, r := range rows {
		slices.Sort(r.took)
		fmt.Fprintf(b.out, "%-46s %9v in the median of %d\n", "  "+r.name,
			r.took[calendarReads/2].Round(time.Millisecond), calendarReads)
	}
	fmt.Fprintln(b.out)
	return nil
}

// largeCalendar returns a calendar whose first event has another time after each change.
func largeCalendar(changes int) string {
	const stamp = "20060102T150405Z"
	var all strings.Builder
	all.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//bench\r\n")
	for n := range calendarEvents {
		from := firstDay().AddDate(0, 0, n%500).Add(6 * time.Hour)
		if n == 0 {
			from = from.Add(time.Duration(changes) * time.Minute)
		}
		fmt.Fprintf(&all, "BEGIN:VEVENT\r\nUID:%d\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:%s\r\nDTEND:%s\r\n", n,
			from.Format(stamp), from.Add(time.Hour).Format(stamp))
		if n%2 == 0 {
			all.WriteString("RRULE:FREQ=WEEKLY\r\n")
		}
		all.WriteString("END:VEVENT\r\n")
	}
	return all.String() + "END:VCALENDAR\r\n"
}
