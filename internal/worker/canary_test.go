package worker

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

// canary is a guest with a word in all their data that is nowhere else.
var canary = slotd.Attendee{Name: "Canary Quill", Email: "Canary@guest.example", TimeZone: "Asia/Tokyo",
	Phone: "+1 canary 555"}

// canaryWorld is a world in which the canary left data wherever a guest can.
type canaryWorld struct {
	*connected
	bookings  []*slotd.Booking // of the canary
	elsewhere map[string]func() string
}

func newCanaryWorld(t *testing.T, target string) *canaryWorld {
	t.Helper()
	w := &canaryWorld{connected: newConnected(t, target)}
	till := &paid{world: w.world}
	till.takePayments(paidEventType("lesson", nil))
	w.elsewhere = map[string]func() string{
		store.OutboxPlace:   w.writeFiles(nil),
		store.CalendarPlace: func() string { return fmt.Sprint(w.google.Events("primary")) },
	}
	request := func(slug string, day int) booking.Request {
		return booking.Request{EventType: slug, StartsAt: monday.AddDate(0, 0, day), Attendee: canary,
			Notes: "canary notes", Idempotency: &booking.Idempotency{TokenID: "tok_1", Key: fmt.Sprint("canary", day)}}
	}
	for day := range 3 {
		b, err := w.Create(background, w.Actor, request("intro", day+3))
		w.Must(err)
		w.bookings = append(w.bookings, b)
	}
	failed, moved, canceled := w.bookings[0], w.bookings[1], w.bookings[2]
	w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		id := failed.ID.String()
		return tx.GiveUpJob(ctx, sqlcgen.GiveUpJobParams{WorkspaceID: w.Actor.WorkspaceID, BookingID: id,
			ID: id + ".0.booked.attendee", RunAt: 1 << 60, Failures: 9, LastError: "550 no canary here",
			FailedAt: monday.UnixMilli()})
	}))
	_, err := w.RescheduleWithReason(background, w.Actor, moved.ID, monday.AddDate(0, 0, 8), "the canary asked for it")
	w.Must(err)
	_, err = w.Cancel(background, w.Actor, canceled.ID, "the canary is ill")
	w.Must(err)
	p, err := w.Cache.Latest(background, w.Actor.WorkspaceID)
	w.Must(err)
	bought, err := w.Hold(background, w.Actor, request("lesson", 6), till.payments.Accounts.Account(p.Config))
	w.Must(err)
	w.bookings = append(w.bookings, bought)
	w.Must(till.stripe.Pay(till.openCheckout(bought)))
	till.deliver()
	w.create("intro", monday.AddDate(0, 0, 9), "ian@guest.example")
	w.run()
	w.runAt(failed.StartsAt.AddDate(0, 0, -1)) // a reminder
	w.write()
	return w
}

// values returns what a column holds about the canary's bookings, in the rows that are about the canary.
func (w *canaryWorld) values(d *store.PersonalData, column string) (all []string) {
	w.T.Helper()
	key, rows := "booking_id", ""
	if d.Table == "bookings" {
		key = "id"
	}
	if d.Rows != "" {
		rows = " AND (" + d.Rows + ")"
	}
	for _, b := range w.bookings {
		all = append(all, w.Texts("SELECT "+column+" FROM "+d.Table+" WHERE "+key+" = $1"+rows, b.ID.String())...)
	}
	return all
}

// wantData checks each column of the list against what the list says about it.
func (w *canaryWorld) wantData(erased bool) {
	w.T.Helper()
	for _, d := range store.AttendeeData {
		for _, c := range d.Columns {
			values := w.values(&d, c.Name)
			holdsSomething := slices.ContainsFunc(values, func(v string) bool { return v != "" })
			switch {
			case !erased || d.Erasure == store.Kept:
				if !holdsSomething && c.Name != "last_error" { // nothing has failed at the calendar
					w.T.Errorf("%s.%s holds nothing: %q", d.Table, c.Name, values)
				}
			case d.Erasure == store.Dropped && len(values) > 0:
				w.T.Errorf("%s has %d rows still", d.Table, len(values))
			case holdsSomething:
				w.T.Errorf("%s.%s holds %q still", d.Table, c.Name, values)
			}
		}
	}
}

// traces returns the columns of the whole database that hold the canary's word or the hash of its address.
func (w *canaryWorld) traces() (found []string) {
	w.T.Helper()
	tables := `SELECT name FROM sqlite_master WHERE type = 'table'`
	if w.DB.IsPostgres() {
		tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`
	}
	hash := w.Links.Pseudonym(w.Actor.WorkspaceID, canary.Email)
	for _, table := range w.Texts(tables) {
		rows, err := w.Raw.Query("SELECT * FROM " + table)
		w.Must(err)
		columns, err := rows.Columns()
		w.Must(err)
		row := make([][]byte, len(columns))
		targets := make([]any, len(columns))
		for i := range row {
			targets[i] = &row[i]
		}
		for rows.Next() {
			w.Must(rows.Scan(targets...))
			for i, value := range row {
				if bytes.Contains(bytes.ToLower(value), []byte("canary")) || bytes.Contains(value, hash) {
					found = append(found, table+"."+columns[i])
				}
			}
		}
		w.Must(rows.Err())
		rows.Close()
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// wantElsewhere checks whether the places outside the database know the canary.
func (w *canaryWorld) wantElsewhere(known bool) {
	w.T.Helper()
	for _, e := range store.AttendeeDataElsewhere {
		contents, ok := w.elsewhere[e.Place]
		if !ok {
			w.T.Fatalf("this test does not look into %s", e.Place)
		}
		if got := strings.Contains(strings.ToLower(contents()), "canary"); got != known {
			w.T.Errorf("%s: knows the canary %t, want %t", e.Place, got, known)
		}
	}
}

// wantTracesInTheList checks that the canary's data is in every column that erasing clears, and in none that it keeps.
func (w *canaryWorld) wantTracesInTheList() {
	w.T.Helper()
	traces, erased := w.traces(), []string{}
	for _, d := range store.AttendeeData {
		for _, c := range d.Columns {
			column := d.Table + "." + c.Name
			if d.Erasure != store.Kept {
				erased = append(erased, column)
			}
			if d.Erasure == store.Cleared && !slices.Contains(traces, column) {
				w.T.Errorf("the canary left nothing in %s", column)
			}
		}
	}
	for _, column := range traces {
		if !slices.Contains(erased, column) {
			w.T.Errorf("%s holds data of the canary, and the list does not say that it is erased", column)
		}
	}
}

// A guest leaves data in every place that the list names, and in no other. After the erasure it is nowhere.
func TestErase_LeavesNothingOfTheCanary(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		w := newCanaryWorld(t, target)
		w.wantData(false)
		w.wantElsewhere(true)
		w.wantTracesInTheList()
		w.erase(canary.Email)
		for range 2 { // a rewrite waits for the writes before it
			w.write()
			w.Clock.Advance(time.Minute)
		}
		w.wantData(true)
		w.wantElsewhere(false)
		if left := w.traces(); len(left) != 0 {
			t.Errorf("the canary's data is still in %v", left)
		}
		if names := w.Texts(`SELECT attendee_email FROM bookings WHERE attendee_email <> ''`); !slices.Equal(names,
			[]string{"ian@guest.example"}) {
			t.Errorf("others who are left: %v", names)
		}
	})
}
