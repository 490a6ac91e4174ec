package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/cli"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/workspace"
)

// maxListedBookings limits how many bookings one list prints.
const maxListedBookings = 10_000

func bookingList(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	state := fs.String("state", string(records.Upcoming), "which bookings: upcoming, past, canceled or all")
	limit := fs.Int("limit", 100, "maximum number of bookings")
	asJSON := fs.Bool("json", false, "print JSON")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug); err != nil {
		return err
	}
	if !slices.Contains(records.Stages, records.Stage(*state)) {
		return cli.Usagef("--state must be upcoming, past, canceled or all")
	}
	if *limit < 1 || *limit > maxListedBookings {
		return cli.Usagef("--limit must be from 1 to %d", maxListedBookings)
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		service := &records.Service{DB: db, Now: now}
		found, next, err := service.List(ctx, id, records.Filter{Stage: records.Stage(*state)}, records.Cursor{},
			*limit)
		if err != nil {
			return err
		}
		if next != (records.Cursor{}) {
			fmt.Fprintln(p.err, say.N(len(found), "There are more: only %d booking is shown. Use --limit to show up to %d.",
				"There are more: only %d bookings are shown. Use --limit to show up to %d.", maxListedBookings))
		}
		return p.printBookings(found, *asJSON)
	})
}

// bookingLine is a booking as JSON.
type bookingLine struct {
	ID            string       `json:"id"`
	State         slotd.State  `json:"state"`
	EventTitle    string       `json:"event_title"`
	StartsAt      string       `json:"starts_at"`
	EndsAt        string       `json:"ends_at"`
	AttendeeName  string       `json:"attendee_name"`
	AttendeeEmail string       `json:"attendee_email"`
	AttendeeZone  string       `json:"attendee_time_zone"`
	Location      string       `json:"location"`
	JoinURL       string       `json:"join_url"`
	Notes         string       `json:"notes"`
	Phone         string       `json:"phone,omitempty"`
	Price         *slotd.Price `json:"price,omitempty"`
	RefundedCents int64        `json:"refunded_cents"`
	CancelReason  string       `json:"cancel_reason,omitempty"`
	MoveReason    string       `json:"move_reason,omitempty"`
	CreatedAt     string       `json:"created_at"`
}

func newBookingLine(b *slotd.Booking) bookingLine {
	return bookingLine{
		ID: b.ID.String(), State: b.State, EventTitle: b.EventTitle, StartsAt: slotd.Instant(b.StartsAt),
		EndsAt:       slotd.Instant(b.EndsAt),
		AttendeeName: b.Attendee.Name, AttendeeEmail: b.Attendee.Email, AttendeeZone: b.Attendee.TimeZone,
		Location: b.Location, JoinURL: b.JoinURL,
		Notes: b.Notes, Phone: b.Attendee.Phone, Price: b.Price, RefundedCents: b.RefundedCents, CancelReason: b.CancelReason,
		MoveReason: b.MoveReason, CreatedAt: slotd.Instant(b.CreatedAt),
	}
}

func (p *program) printBookings(found []*slotd.Booking, asJSON bool) error {
	lines := make([]bookingLine, len(found))
	for i, b := range found {
		lines[i] = newBookingLine(b)
	}
	if asJSON {
		return json.NewEncoder(p.out).Encode(lines)
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for i, l := range lines {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", l.ID, found[i].StartsAt.Format(time.RFC3339), l.State, l.EventTitle,
			l.guest())
	}
	return table.Flush()
}

// guest returns the attendee's name and address, or "(erased)".
func (l *bookingLine) guest() string {
	if l.AttendeeName == "" && l.AttendeeEmail == "" {
		return say.T("(erased)")
	}
	return l.AttendeeName + " <" + l.AttendeeEmail + ">"
}

func bookingShow(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("ID")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	asJSON := fs.Bool("json", false, "print JSON")
	ids, err := fs.ParseArgs(args, 1)
	if err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug); err != nil {
		return err
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		b, err := bookingByID(ctx, db, id, *slug, ids[0])
		if err != nil {
			return err
		}
		zone, err := db.Read().WorkspaceZone(ctx, id)
		if err != nil {
			return err
		}
		local, service := when.InNamed(zone, false), &records.Service{DB: db, Now: now}
		history, err := service.History(ctx, id, b.ID, local)
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(p.out).Encode(struct {
				bookingLine
				History []records.HistoryEntry `json:"history"`
			}{newBookingLine(b), history})
		}
		printBooking(p.out, b, history, local)
		return nil
	})
}

// bookingByID returns one of the workspace's bookings.
func bookingByID(ctx context.Context, db *store.DB, workspaceID int64, slug, text string) (*slotd.Booking, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return nil, cli.Usagef("%q isn't a booking ID; slotd booking list shows the IDs", text)
	}
	b, err := booking.Load(ctx, db.Read(), workspaceID, id)
	if err == nil && b == nil {
		err = cli.Errorf("workspace %s has no booking %s; slotd booking list shows the IDs", slug, id)
	}
	return b, err
}

// printBooking prints each text that strangers typed on one line, so that it cannot look like another field.
func printBooking(w io.Writer, b *slotd.Booking, history []records.HistoryEntry, local when.Local) {
	type fact struct {
		label say.Sentence
		value string
	}
	facts := []fact{
		{"id", b.ID.String()}, {"state", string(b.State)}, {"event", b.EventTitle},
		{"when", local.Span(b.StartsAt, b.EndsAt).String()},
		{"guest", b.Attendee.Name}, {"email", b.Attendee.Email}, {"phone", b.Attendee.Phone},
		{"guest's zone", b.Attendee.TimeZone},
		{"where", b.Location}, {"join", b.JoinURL}, {"notes", b.Notes},
		{"move reason", b.MoveReason}, {"cancel reason", b.CancelReason},
	}
	if b.Price != nil {
		facts = append(facts, fact{"price", b.Price.String()},
			fact{"refunded", slotd.Price{AmountCents: b.RefundedCents, Currency: b.Price.Currency}.String()})
	}
	for _, f := range facts {
		if f.value != "" {
			fmt.Fprintf(w, "%-13s %s\n", f.label, oneLine(f.value))
		}
	}
	fmt.Fprintln(w)
	for _, h := range history {
		line := h.At.Format(time.RFC3339) + "  " + h.What
		if h.Who != "" {
			line = say.T("%s, by %s", line, h.Who)
		}
		if h.Ahead {
			line = say.T("%s (scheduled)", line)
		}
		if h.Trouble != "" {
			line += ": " + h.Trouble
		}
		fmt.Fprintln(w, oneLine(line))
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func bookingCancel(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("ID")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	reason := fs.String("reason", "", "reason to show the guest")
	ids, err := fs.ParseArgs(args, 1)
	if err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug); err != nil {
		return err
	}
	if err := workspace.CheckText(*reason, 1000); err != nil {
		return cli.Usagef("--reason %s", err)
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		b, err := bookingByID(ctx, db, id, *slug, ids[0])
		if err != nil {
			return err
		}
		cache, err := snapshot.NewCache(ctx, db, now)
		if err != nil {
			return err
		}
		defer cache.Close()
		service := booking.New(booking.Config{DB: db, Cache: cache, Now: now})
		operator := booking.Actor{WorkspaceID: id, Actor: slotd.Operator}
		if b, err = service.Cancel(ctx, operator, b.ID, *reason); err != nil {
			return err
		}
		fmt.Fprintln(p.out, say.T("canceled %s", b.ID))
		if b.RefundedCents > 0 {
			fmt.Fprintln(p.err, say.T("%s will be refunded to the guest.",
				slotd.Price{AmountCents: b.RefundedCents, Currency: b.Price.Currency}))
		}
		return nil
	})
}
