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

// MaxExported limits the bookings in a file, and exportBatch those that are in memory at once.
const (
	MaxExported = 10_000
	exportBatch = 500
)

// bookingsCSV exports the list as a table (RFC 4180).
func (v *visit) bookingsCSV() error {
	var out bytes.Buffer
	table := csv.NewWriter(&out)
	table.UseCRLF = true
	table.Write(csvHeader)
	truncated, err := v.eachBooking(func(b *slotd.Booking) { table.Write(v.csvRow(b)) })
	if err != nil {
		return err
	}
	table.Flush()
	v.W.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
	return v.sendFile("csv", out.Bytes(), truncated)
}

var csvHeader = []string{
	"id", "state", "event", "start", "end", "time_zone", "attendee_name", "attendee_email", "attendee_time_zone",
	"location", "join_url", "notes",
	"price", "currency", "refunded", "cancel_reason", "created", "phone",
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
		b.Attendee.Phone,
	}
	for i := range row {
		row[i] = EscapeFormula(row[i])
	}
	return row
}

// innerFormula matches where a spreadsheet could split the text into cells: in many countries Excel separates cells by
// semicolons, and then ignores quotes.
var innerFormula = regexp.MustCompile(`([;,\t\r\n][\s"\x{a0}]*)([=+\-@])`)

// EscapeFormula keeps a spreadsheet from reading a stranger's text as a formula, which could fetch and run things.
func EscapeFormula(cell string) string {
	cell = innerFormula.ReplaceAllString(cell, "$1'$2")
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// bookingsICS exports the list as an iCalendar file, with the events as they are in the host's own calendar.
func (v *visit) bookingsICS() error {
	var out bytes.Buffer
	out.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//slotd//EN\r\nCALSCALE:GREGORIAN\r\n")
	truncated, err := v.eachBooking(func(b *slotd.Booking) { out.Write(v.event(b)) })
	if err != nil {
		return err
	}
	out.WriteString("END:VCALENDAR\r\n")
	v.W.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	return v.sendFile("ics", out.Bytes(), truncated)
}

const eventBegins, eventEnds = "\r\nBEGIN:VEVENT\r\n", "\r\nEND:VEVENT\r\n"

// event returns a booking's part of its iCalendar file. No value in it can begin a line: see package invite.
func (v *visit) event(b *slotd.Booking) []byte {
	n := v.Booking.Notice(v.Snapshot, b, mail.Booked, mail.ToHost)
	n.At = v.Now
	file := mail.InviteFile(n, invite.Stored)
	from, until := bytes.Index(file, []byte(eventBegins))+len("\r\n"),
		bytes.LastIndex(file, []byte(eventEnds))+len(eventEnds)
	event := file[from:until]
	if !b.State.TakesTime() {
		event = bytes.Replace(event, []byte("\r\nSTATUS:CONFIRMED\r\n"), []byte("\r\nSTATUS:CANCELLED\r\n"), 1)
	}
	return event
}

// eachBooking calls do for the bookings that the address asks for, and reports whether there are more than one file
// holds.
func (v *visit) eachBooking(do func(*slotd.Booking)) (truncated bool, err error) {
	f, after := v.bookingFilter(), records.Cursor{}
	for range MaxExported / exportBatch {
		page, next, err := v.Records.List(v.R.Context(), v.Snapshot.WorkspaceID, f, after, exportBatch)
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

// sendFile names the file after its content, because an owner may download several.
func (v *visit) sendFile(ending string, content []byte, truncated bool) error {
	f := v.bookingFilter()
	name := fmt.Sprintf("%s-%s-bookings", v.Snapshot.Slug, f.Stage)
	if f.Search != "" {
		name += "-matching-" + cmp.Or(page.Slugify(f.Search), "a-search")
	}
	if from := v.fromDate(); from != "" {
		name += "-from-" + from
	}
	if truncated {
		name += fmt.Sprintf("-first-%d", MaxExported)
	}
	v.Protect(&kit.Page{})
	h := v.W.Header()
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.%s"`, name, ending))
	h.Set("Content-Length", fmt.Sprint(len(content)))
	_, err := v.W.Write(content)
	if err != nil {
		v.Log.Debug("the client went away", "error", err) // nobody is left to send the rest to
	}
	return nil
}
