package owner

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/web/owner/bookings"
)

// table parses a CSV file as a spreadsheet does, with a map for each row.
func table(t *testing.T, p *response) (rows []map[string]string) {
	t.Helper()
	if bytes.Contains(bytes.ReplaceAll([]byte(p.Body), []byte("\r\n"), nil), []byte("\n")) {
		t.Error("a line does not end in CRLF")
	}
	all, err := csv.NewReader(strings.NewReader(p.Body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, cell := range line {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

func TestExport_CSVHoldsTheListAndNoFormula(t *testing.T) {
	w := lite(t)
	names := []string{"=HYPERLINK(\"https://evil.example\")", "+1+1", "-2", "@SUM(A1)", "a, \"quoted\" name", "Zoë 🦊"}
	for i, name := range names {
		w.books("acme", onDay(i/2, []string{"09:00", "10:00"}[i%2]),
			slotd.Attendee{Name: name, Email: "g@guest.example", TimeZone: "Asia/Tokyo", Phone: "+81 3"},
			[]string{"\t=1", "two\nlines", "plain"}[i%3])
	}
	gone := w.pays(onDay(3, "09:00"))
	_, err := w.Booking.Cancel(background, booking.Attendee(w.id("acme")), gone.ID, "@home")
	w.Must(err)
	b := w.ada()
	p := b.get("/settings/bookings.csv").says(200)
	rows := table(t, p)
	if len(rows) != len(names) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, row := range rows {
		want := names[i]
		if strings.ContainsAny(want[:1], "=+-@") {
			want = "'" + want
		}
		if row["attendee_name"] != want || row["state"] != "confirmed" || row["attendee_time_zone"] != "Asia/Tokyo" ||
			row["join_url"] != "https://meet.example/ada" || row["phone"] != "'+81 3" {
			t.Errorf("%q", row)
		}
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
	if rows[0]["start"] != "2027-02-01T09:00:00Z" || rows[0]["end"] != "2027-02-01T09:30:00Z" ||
		rows[1]["notes"] != "two\nlines" {
		t.Errorf("%q", rows[:2])
	}
	canceled := table(t, b.get("/settings/bookings.csv?state=canceled").says(200))
	if len(canceled) != 1 || canceled[0]["price"] != "50.00" || canceled[0]["currency"] != "USD" ||
		canceled[0]["refunded"] != "0.00" || canceled[0]["cancel_reason"] != "'@home" {
		t.Errorf("%q", canceled)
	}
}

func TestExport_NoCellBecomesAFormulaWhereverASpreadsheetCuts(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "Zoë": "Zoë", "a-b; c=d, e@f": "a-b; c=d, e@f",
		"2027-02-01T09:00:00+01:00": "2027-02-01T09:00:00+01:00",
		"x;=cmd|' /C calc'!A0":      "x;'=cmd|' /C calc'!A0", "x; \"=1": "x; \"'=1", "x,+1": "x,'+1",
		"x\t@SUM(A1)": "x\t'@SUM(A1)", "x\n-2": "x\n'-2", "x\r\n\r\n=1": "x\r\n\r\n'=1",
		";=1;=2": ";'=1;'=2", ";;\"\"=1": ";;\"\"'=1", "=1;=2": "'=1;'=2", "x;\u00a0=1": "x;\u00a0'=1",
	} {
		if got := bookings.EscapeFormula(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

func TestExport_FilesAreNamedForWhatTheyHoldAndKeptByNobody(t *testing.T) {
	w := lite(t)
	b := w.ada()
	for path, name := range map[string]string{
		"/settings/bookings.csv":            "acme-upcoming-bookings.csv",
		"/settings/bookings.ics?state=past": "acme-past-bookings.ics",
		"/settings/bookings.csv?state=canceled&q=Gr%C3%A4ce%22%0D%0AX:y&from=2027-02-01": "acme-canceled-bookings-matching-grace-x-y-from-2027-02-01.csv",
		"/settings/bookings.ics?q=%E6%97%A5%E6%9C%AC":                                    "acme-upcoming-bookings-matching-a-search.ics",
	} {
		h := b.get(path).says(200).Header
		if got := h.Get("Content-Disposition"); got != `attachment; filename="`+name+`"` {
			t.Errorf("%s: %s", path, got)
		}
		if !strings.Contains(h.Get("Cache-Control"), "no-store") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

var folded = regexp.MustCompile("\r\n[ \t]")

func TestExport_ICSIsOneCalendarThatNothingTypedBreaks(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "09:00"),
		slotd.Attendee{Name: "Eve\\; SUMMARY:x, " + strings.Repeat("long ", 30), Email: "eve@guest.example",
			TimeZone: "UTC"}, "END:VEVENT\nEND:VCALENDAR\nSTATUS:CONFIRMED")
	second := w.books("acme", onDay(1, "10:00"), grace, "")
	b := w.ada()
	p := b.get("/settings/bookings.ics").says(200)
	if strings.Contains(strings.ReplaceAll(p.Body, "\r\n", ""), "\n") ||
		!strings.HasSuffix(p.Body, "END:VEVENT\r\nEND:VCALENDAR\r\n") {
		t.Errorf("not a file of CRLF lines: %q", p.Body)
	}
	lines := strings.Split(folded.ReplaceAllString(p.Body, ""), "\r\n")
	count := map[string]int{}
	for _, line := range lines {
		count[line]++
	}
	for line, want := range map[string]int{
		"BEGIN:VCALENDAR": 1, "END:VCALENDAR": 1, "BEGIN:VEVENT": 2, "END:VEVENT": 2, "STATUS:CONFIRMED": 2,
		"UID:" + at.ID.String() + "@slotd": 1,
		"DTSTART:20270202T090000Z":         1, "DTEND:20270202T093000Z": 1, "UID:" + second.ID.String() + "@slotd": 1,
	} {
		if count[line] != want {
			t.Errorf("%q stands there %d times, want %d:\n%s", line, count[line], want, p.Body)
		}
	}
	for _, line := range strings.Split(p.Body, "\r\n") {
		if len(line) > 75 {
			t.Errorf("a line of %d octets", len(line))
		}
	}
	b.submit(bookings.BookingPath(at)+"/cancel", "reason", "").leads(bookings.BookingPath(at) + "?saved=canceled")
	gone := b.get("/settings/bookings.ics?state=canceled").says(200)
	if strings.Count(gone.Body, "\r\nSTATUS:CANCELLED\r\n") != 1 ||
		strings.Contains(gone.Body, "\r\nSTATUS:CONFIRMED\r\n") {
		t.Errorf("a canceled booking: %s", gone.Body)
	}
}

func TestExport_OfNothingIsAnEmptyFile(t *testing.T) {
	w := lite(t)
	b := w.ada()
	if rows := table(t, b.get("/settings/bookings.csv?state=past").says(200)); len(rows) != 0 {
		t.Errorf("%q", rows)
	}
	if p := b.get("/settings/bookings.ics?state=past").says(200); strings.Contains(p.Body, "VEVENT") {
		t.Error(p.Body)
	}
}

func TestExport_HasABoundAndSaysSo(t *testing.T) {
	w := lite(t)
	w.books("acme", onDay(1, "09:00"), grace, "")
	raw, err := sql.Open("sqlite", w.DB.Path())
	w.Must(err)
	defer raw.Close()
	columns := "host_id, event_type_id, state, ends_at, host_wall, host_zone, buffer_before_minutes, " +
		"buffer_after_minutes, event_title, location, join_url, terms, refunded_cents, sequence, attendee_name, " +
		"attendee_email, attendee_time_zone, notes, created_at"
	_, err = raw.Exec(fmt.Sprintf(`WITH RECURSIVE many(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM many WHERE i <= %d)
		INSERT INTO bookings (workspace_id, id, starts_at, %s) SELECT workspace_id, SUBSTR(id, 1, 24) || PRINTF('%%012d', i), starts_at + i, %s FROM bookings, many`, bookings.MaxExported, columns, columns))
	w.Must(err)
	p := w.ada().get("/settings/bookings.csv")
	if rows := table(t, p); len(rows) != bookings.MaxExported ||
		!strings.Contains(p.Header.Get("Content-Disposition"), "acme-upcoming-bookings-first-10000.csv") {
		t.Errorf("%d rows, %s", len(rows), p.Header.Get("Content-Disposition"))
	}
}
