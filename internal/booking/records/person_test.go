package records

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/jobs"
	"slotd/internal/money/ledger"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

// queryTexts returns the only column of a query about the workspace, as text.
func (w *world) queryTexts(query string) []string {
	w.T.Helper()
	return w.Texts(query, w.Actor.WorkspaceID)
}

func (w *world) erase(email string) int {
	w.T.Helper()
	n, err := w.Erase(background, w.Actor.WorkspaceID, email, slotd.Operator)
	w.Must(err)
	return n
}

// wantNoPersonalData checks that the database's own tables contain nothing about the guest.
func (w *world) wantNoPersonalData() {
	w.T.Helper()
	all := w.queryTexts(`SELECT id || kind || detail || last_error FROM jobs WHERE workspace_id = $1`)
	for _, d := range store.AttendeeData {
		for _, c := range d.Columns {
			if d.Table == "bookings" {
				all = append(all, w.queryTexts("SELECT "+c.Name+" FROM bookings WHERE workspace_id = $1")...)
			}
		}
	}
	all = append(all,
		w.queryTexts(`SELECT actor || kind || detail || address FROM activity WHERE workspace_id = $1`)...)
	all = append(all, w.queryTexts(`SELECT actor || kind || detail FROM booking_events WHERE workspace_id = $1`)...)
	for _, text := range all {
		for _, word := range []string{"Grace", "grace", "5550 0100", "private words", "my own reasons"} {
			if strings.Contains(text, word) {
				w.T.Errorf("%q still stands in %q", word, text)
			}
		}
	}
}

func TestErase_LeavesTheTimesToNobody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		past, ahead, gone := w.MustCreate("intro", at("09:00")), w.MustCreate("intro", at("+3 09:00")),
			w.MustCreate("visit", at("+4 09:00"))
		_, err := w.Cancel(background, w.Actor, gone.ID, "my own reasons")
		w.Must(err)
		ahead, err = w.RescheduleWithReason(background, w.Actor, ahead.ID, at("+3 10:00"), "Grace asked for it")
		w.Must(err)
		w.Clock.Set(at("+1 09:00"))
		if n := w.erase("GRACE@guest.EXAMPLE"); n != 3 {
			t.Fatalf("%d bookings were erased, want 3", n)
		}
		w.wantNoPersonalData()
		for _, b := range []*slotd.Booking{past, ahead, gone} {
			now := w.Stored(b)
			if nobody := (slotd.Attendee{TimeZone: guest.TimeZone}); !now.StartsAt.Equal(b.StartsAt) ||
				now.Attendee != nobody || now.EventTitle != b.EventTitle {
				t.Errorf("%+v", now)
			}
		}
		w.WantState(ahead, slotd.Confirmed)
		w.CheckClaims(w.Actor.WorkspaceID, t.Fatalf)
		if _, err := w.TryCreate("intro", at("+3 10:00")); !slotd.Is(err, slotd.SlotUnavailable) {
			t.Errorf("the erased booking's time is free: %v", err)
		}
		if remaining := w.queryTexts(`SELECT id FROM jobs WHERE workspace_id = $1 AND kind IN ('remind', 'tell')`); slices.ContainsFunc(remaining,
			func(id string) bool {
				return strings.Contains(id, "reminder") || strings.HasSuffix(id, ".attendee")
			}) {
			t.Errorf("mails to nobody wait: %v", remaining)
		}
		if n := w.erase(guest.Email); n != 0 {
			t.Errorf("a second time erased %d", n)
		}
		notes := w.queryTexts(
			`SELECT kind || ': ' || detail FROM activity WHERE workspace_id = $1 AND kind LIKE 'person.%'`)
		if !slices.Equal(notes, []string{"person.erased: 3 bookings"}) {
			t.Errorf("the activity says %q", notes)
		}
	})
}

func TestErase_TouchesNobodyElse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine := w.MustCreate("intro", at("09:00"))
		for _, email := range []string{"race@guest.example", "grace@guest.example.com", "gr_ce@guest.example",
			"grac%@guest.example", "x" + guest.Email} {
			if n := w.erase(email); n != 0 {
				t.Errorf("%s is another: %d erased", email, n)
			}
		}
		for _, email := range []string{"", " ", "%", "grace", "grace@guest.example\x00", "a@b.c\n",
			strings.Repeat("a", 300) + "@b.example"} {
			_, err := w.Erase(background, w.Actor.WorkspaceID, email, slotd.Operator)
			wantCode(t, err, slotd.InvalidArgument)
			_, err = w.Export(background, w.Actor.WorkspaceID, email, slotd.Operator)
			wantCode(t, err, slotd.InvalidArgument)
			_, err = w.CountPerson(background, w.Actor.WorkspaceID, email)
			wantCode(t, err, slotd.InvalidArgument)
		}
		if w.Stored(mine).Attendee != guest {
			t.Errorf("%+v", w.Stored(mine).Attendee)
		}
		if n, err := w.CountPerson(background, w.Actor.WorkspaceID+1, guest.Email); n != 0 || err != nil {
			t.Errorf("another workspace keeps %d, %v", n, err)
		}
	})
}

func TestErase_ABookingThatIsBeingPaidForBecomesNobodys(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.MustHold("lesson", at("+3 09:00"))
		if n := w.erase(guest.Email); n != 1 {
			t.Fatalf("%d erased", n)
		}
		w.MustApply(b, worlds.PaidStatement(b))
		w.WantState(b, slotd.Confirmed)
		w.CheckClaims(w.Actor.WorkspaceID, t.Fatalf)
		w.wantNoPersonalData()
	})
}

func TestErase_WritesTheHostsCalendarAgainWhereItHasAnEntry(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		written, not := w.MustCreate("intro", at("09:00")), w.MustCreate("intro", at("10:00"))
		w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			err := tx.PutCalendar(ctx, sqlcgen.PutCalendarParams{WorkspaceID: w.Actor.WorkspaceID, ID: 7,
				HostID: w.Config("acme").HostID, Name: "office", Settings: "{}", Sealed: []byte{}})
			if err != nil {
				return err
			}
			return tx.PutCalendarEntry(ctx,
				sqlcgen.PutCalendarEntryParams{WorkspaceID: w.Actor.WorkspaceID, CalendarID: 7,
					BookingID: written.ID.String(), PlaceID: "/ada/1.ics"})
		}))
		w.erase(guest.Email)
		got := w.queryTexts(`SELECT booking_id FROM jobs WHERE workspace_id = $1 AND queue = '` +
			string(jobs.WriteBack) + `'`)
		if !slices.Equal(got, []string{written.ID.String()}) || slices.Contains(got, not.ID.String()) {
			t.Errorf("written anew: %v", got)
		}
	})
}

func TestExport_HoldsAllThatIsKeptAndNobodyElsesNames(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		paid := w.MustPay("lesson", at("+3 09:00"))
		free := w.MustCreate("intro", at("+4 09:00"))
		_, err := w.Cancel(background, w.Actor, paid.ID, "my own reasons")
		w.Must(err)
		_, err = w.RescheduleWithReason(background, w.Actor, free.ID, at("+5 09:00"), "a better day")
		w.Must(err)
		w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			for _, id := range []string{".0.booked.attendee", ".0.booked.host", ".0.reminder.60", ".refund_due"} {
				err := tx.PutMailQuota(ctx, sqlcgen.PutMailQuotaParams{WorkspaceID: w.Actor.WorkspaceID,
					BookingID: free.ID.String(), ID: free.ID.String() +
						id, AddressHash: []byte{1}, TurnAt: 1, SentAt: monday.UnixMilli()})
				if err != nil {
					return err
				}
			}
			return nil
		}))
		p, err := w.Export(background, w.Actor.WorkspaceID, "Grace@Guest.Example", slotd.Operator)
		w.Must(err)
		if len(p.Bookings) != 2 || p.Bookings[0].ID != paid.ID.String() || p.Bookings[1].ID != free.ID.String() {
			t.Fatalf("%+v", p.Bookings)
		}
		lesson, intro := p.Bookings[0], p.Bookings[1]
		if lesson.CancelReason != "my own reasons" || lesson.Notes != "private words" || lesson.Name != guest.Name ||
			lesson.TimeZone != guest.TimeZone || lesson.Phone != guest.Phone || lesson.Price.AmountCents != worlds.Price {
			t.Errorf("%+v", lesson)
		}
		if got := []string{lesson.Payments[0].Kind, lesson.Payments[1].Kind}; !slices.Equal(got,
			[]string{string(ledger.Paid), string(ledger.RefundRequested)}) {
			t.Errorf("payments %v", got)
		}
		if intro.MoveReason != "a better day" || len(intro.History) != 2 || intro.History[1].Kind != "rescheduled" ||
			len(intro.Mails) != 2 {
			t.Errorf("history %v, mails %v", intro.History, intro.Mails)
		}
		text, err := json.Marshal(p)
		w.Must(err)
		for _, secret := range []string{worlds.PaymentOf(paid), "tok_1", "token:", "/b/", "ada@acme.example"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("%q is in %s", secret, text)
			}
		}
	})
}

// The export has exactly the keys that the list of personal data names, and in them what the database has.
func TestExport_HasEachKeyOfTheList(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.MustPay("lesson", at("+3 09:00"))
		_, err := w.RescheduleWithReason(background, w.Actor, b.ID, at("+5 09:00"), "a better day")
		w.Must(err)
		_, err = w.Cancel(background, w.Actor, b.ID, "my own reasons")
		w.Must(err)
		w.addSentMails(b, map[string]string{"0.booked.attendee": guest.Email})
		p, err := w.Export(background, w.Actor.WorkspaceID, guest.Email, slotd.Operator)
		w.Must(err)
		exported := exportedValues(t, p)
		for _, d := range store.AttendeeData {
			for _, c := range d.Columns {
				for _, key := range c.Exported {
					value, ok := exported[key]
					if !ok {
						t.Errorf("%s.%s is not exported as %s", d.Table, c.Name, key)
					}
					stored := w.queryTexts("SELECT " + c.Name + " FROM " + d.Table + " WHERE workspace_id = $1")
					if d.Erasure != store.Kept && (value == "" || !slices.Equal(stored, []string{value.(string)})) {
						t.Errorf("%s is %q, stored is %q", key, value, stored)
					}
					delete(exported, key)
				}
			}
		}
		for key := range exported {
			t.Errorf("the list does not say where %s comes from", key)
		}
	})
}

// exportedValues returns the values in the export of one booking. Those of lists have keys such as history.kind.
func exportedValues(t *testing.T, p *Person) map[string]any {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var read struct{ Bookings []map[string]any }
	if err := json.Unmarshal(text, &read); err != nil || len(read.Bookings) != 1 {
		t.Fatalf("%v in %s", err, text)
	}
	values := read.Bookings[0]
	for _, list := range []string{"payments", "history", "mails"} {
		for _, entry := range values[list].([]any) {
			for key, value := range entry.(map[string]any) {
				values[list+"."+key] = value
			}
		}
		delete(values, list)
	}
	return values
}

// Something that is left in one column alone is found and erased too.
func TestEraseBefore_FindsWhatIsInAnyColumn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.MustCreate("intro", at("09:00"))
		w.erase(guest.Email)
		for _, d := range store.AttendeeData {
			for _, c := range d.Columns {
				if d.Table != "bookings" || d.Erasure != store.Cleared {
					continue
				}
				_, err := w.Raw.Exec("UPDATE bookings SET " + c.Name + " = 'Grace'")
				w.Must(err)
				n, err := w.EraseBefore(background, w.Actor.WorkspaceID, at("+9 09:00"))
				w.Must(err)
				if n != 1 {
					t.Errorf("%s: %d erased", c.Name, n)
				}
				w.wantNoPersonalData()
			}
		}
	})
}

func TestEraseBefore_TakesWhatIsOldAndLeavesOpenMoney(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		old, fresh := w.MustCreate("intro", at("09:00")), w.MustCreate("intro", at("+9 09:00"))
		settled, due, held := w.MustPay("lesson", at("+1 09:00")), w.MustPay("lesson", at("+2 09:00")),
			w.MustHold("lesson", at("+3 09:00"))
		_, err := w.Cancel(background, w.Actor, due.ID, "")
		w.Must(err)
		w.Clock.Set(at("+10 09:00"))
		n, err := w.EraseBefore(background, w.Actor.WorkspaceID, at("+9 09:00"))
		w.Must(err)
		if n != 2 {
			t.Errorf("%d erased, want 2", n)
		}
		for b, known := range map[*slotd.Booking]bool{old: false, settled: false, fresh: true, due: true, held: true} {
			if got := w.Stored(b).Attendee.Email != ""; got != known {
				t.Errorf("%s at %s: known %t", b.EventTitle, b.StartsAt, got)
			}
		}
		w.MustApply(due, worlds.StatementOf(due, ledger.Refunded, "re_1"))
		w.Clock.Set(at("+45 09:00"))
		if n, err := w.EraseBefore(background, w.Actor.WorkspaceID, at("+9 09:00")); n != 1 || err != nil {
			t.Errorf("a month after the refund: %d, %v", n, err)
		}
	})
}

func TestEraseBefore_GoesOnBehindWhatItMustLeave(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.addLesson()
	first := w.MustHold("lesson", at("09:00"))
	b := w.MustCreate("intro", at("10:00"))
	w.Clock.Set(at("+40 09:00"))
	w.copyBooking(b, 2*eraseBatch+10)
	n, err := w.EraseBefore(background, w.Actor.WorkspaceID, at("+30 09:00"))
	w.Must(err)
	if n != 2*eraseBatch+11 || w.Stored(first).Attendee.Email == "" {
		t.Errorf("%d erased", n)
	}
}

// copyBooking adds n more bookings that are over, with their own end times.
func (w *world) copyBooking(b *slotd.Booking, n int) {
	w.T.Helper()
	row := w.Row(w.Actor.WorkspaceID, b)
	w.inTx(func(tx *store.Tx) error {
		for i := range n {
			id := b.ID
			id[0], id[1], id[2] = byte(i), byte(i>>8), 1
			err := tx.InsertBooking(background, sqlcgen.InsertBookingParams{
				WorkspaceID: row.WorkspaceID, ID: id.String(), HostID: row.HostID, EventTypeID: row.EventTypeID,
				State: row.State, StartsAt: row.StartsAt,
				EndsAt:   row.EndsAt + (time.Duration(i/3) * time.Minute).Milliseconds(), // several end at once
				HostWall: row.HostWall, HostZone: row.HostZone,
				BufferBeforeMinutes: row.BufferBeforeMinutes, BufferAfterMinutes: row.BufferAfterMinutes,
				EventTitle: row.EventTitle, Location: row.Location, JoinUrl: row.JoinUrl, Terms: row.Terms,
				AttendeeName: row.AttendeeName, AttendeeEmail: row.AttendeeEmail,
				AttendeeTimeZone: row.AttendeeTimeZone, AttendeePhone: row.AttendeePhone, Notes: row.Notes,
				CreatedAt: row.CreatedAt,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}
