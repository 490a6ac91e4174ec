package bookings

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
	"time"

	"slotd"
	"slotd/internal/booking/records"
	"slotd/internal/mail"
	"slotd/internal/mail/invite"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

// exportedAtMost bounds a file, exportedAtOnce what is held besides it.
const (
	ExportedAtMost = 10_000
	exportedAtOnce = 500
)

// bookingsCSV is the list as a table (RFC 4180).
func (v *visit) bookingsCSV() error {
	var out bytes.Buffer
	table := csv.NewWriter(&out)
	table.UseCRLF = true
	table.Write(csvHeader)
	cut, err := v.eachBooking(func(b *slotd.Booking) { table.Write(v.csvRow(b)) })
	if err != nil {
		return err
	}
	table.Flush()
	return v.sendFile("csv", "text/csv; charset=utf-8; header=present", out.Bytes(), cut)
}

var csvHeader = []string{
	"id", "state", "event", "start", "end", "time_zone", "attendee_name", "attendee_email", "attendee_time_zone",
	"location", "join_url", "notes",
	"price", "currency", "refunded", "cancel_reason", "created",
}

func (v *visit) csvRow(b *slotd.Booking) []string {
	z := v.Local().Zone().Location()
	at := func(t time.Time) string { return t.In(z).Format(time.RFC3339) }
	var price, currency, refunded string
	if b.Price != nil {
		price, currency, _ = strings.Cut(b.Price.String(), " ")
		refunded, _, _ = strings.Cut(slotd.Price{AmountCents: b.RefundedCents, Currency: b.Price.Currency}.String(),
			" ")
	}
	row := []string{
		b.ID.String(), string(b.State), b.EventTitle, at(b.StartsAt), at(b.EndsAt), v.Snapshot.TimeZone,
		b.Attendee.Name, b.Attendee.Email, b.Attendee.TimeZone,
		b.Location, b.JoinURL, b.Notes, price, currency, refunded, b.CancelReason, at(b.CreatedAt),
	}
	for i := range row {
		row[i] = Harmless(row[i])
	}
	return row
}

// innerFormula begins where a spreadsheet would cut the text: in many countries Excel takes semicolons for the ends of
// cells, and quotes mean nothing then.
var innerFormula = regexp.MustCompile(`([;,\t\r\n][\s"\x{a0}]*)([=+\-@])`)

// harmless keeps a spreadsheet from taking a stranger's text for a formula, which can fetch and run things.
func Harmless(cell string) string {
	cell = innerFormula.ReplaceAllString(cell, "$1'$2")
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// bookingsICS is the list as a calendar's file, with the events as they stand in the host's own calendar.
func (v *visit) bookingsICS() error {
	var out bytes.Buffer
	out.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//slotd//EN\r\nCALSCALE:GREGORIAN\r\n")
	cut, err := v.eachBooking(func(b *slotd.Booking) { out.Write(v.event(b)) })
	if err != nil {
		return err
	}
	out.WriteString("END:VCALENDAR\r\n")
	return v.sendFile("ics", "text/calendar; charset=utf-8", out.Bytes(), cut)
}

const eventBegins, eventEnds = "\r\nBEGIN:VEVENT\r\n", "\r\nEND:VEVENT\r\n"

// event is a booking's part of its own file. No value in it can begin a line: see package invite.
func (v *visit) event(b *slotd.Booking) []byte {
	n := v.Booking.Notice(v.Snapshot, b, mail.Booked, mail.ToHost)
	n.At = v.Now
	file := mail.Calendar(n, invite.Stored)
	from, until := bytes.Index(file, []byte(eventBegins))+len("\r\n"),
		bytes.LastIndex(file, []byte(eventEnds))+len(eventEnds)
	event := file[from:until]
	if b.State == slotd.Canceled {
		event = bytes.Replace(event, []byte("\r\nSTATUS:CONFIRMED\r\n"), []byte("\r\nSTATUS:CANCELLED\r\n"), 1)
	}
	return event
}

// eachBooking goes through what the address asks for, and reports whether there is more than one file holds.
func (v *visit) eachBooking(do func(*slotd.Booking)) (cut bool, err error) {
	f, after := v.bookingFilter(), records.Cursor{}
	for range ExportedAtMost / exportedAtOnce {
		page, next, err := v.Records.List(v.R.Context(), v.Snapshot.WorkspaceID, f, after, exportedAtOnce)
		if err != nil {
			return false, err
		}
		for _, b := range page {
			do(b)
		}
		if next == (records.Cursor{}) {
			return false, nil
		}
		after = next
	}
	return true, nil
}

// sendFile names the file for what it holds: somebody may have several.
func (v *visit) sendFile(ending, kind string, content []byte, cut bool) error {
	f := v.bookingFilter()
	name := fmt.Sprintf("%s-%s-bookings", v.Snapshot.Slug, f.Stage)
	if f.Search != "" {
		name += "-matching-" + cmp.Or(page.Slugify(f.Search), "a-search")
	}
	if from := v.fromDate(); from != "" {
		name += "-from-" + from
	}
	if cut {
		name += fmt.Sprintf("-first-%d", ExportedAtMost)
	}
	v.Protect(&kit.Page{})
	h := v.W.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.%s"`, name, ending))
	h.Set("Content-Length", fmt.Sprint(len(content)))
	_, err := v.W.Write(content)
	if err != nil {
		v.Log.Debug("the client went away", "error", err) // it has its answer, as far as it came
	}
	return nil
}
