package owner

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/web/owner/bookings"
)

// notedBookings returns the activity about bookings, oldest first.
func (w *world) notedBookings(slug string) (lines []string) {
	w.T.Helper()
	rows, err := w.DB.Read().ActivityBefore(background,
		sqlcgen.ActivityBeforeParams{WorkspaceID: w.id(slug), At: 1 << 60, Limit: 100})
	w.Must(err)
	for _, row := range rows {
		if strings.HasPrefix(row.Kind, "booking.") {
			lines = append(lines, fmt.Sprintf("%s %s %s %s", row.Kind, row.Detail, row.Actor, row.Address))
		}
	}
	slices.Reverse(lines)
	return lines
}

func TestReschedule_MovesAndShowsWhoDidIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		at, before := w.books("acme", onDay(1, "14:00"), grace, ""), w.export("acme")
		b := w.ada()
		path := bookings.BookingPath(at) + "/reschedule"
		b.get(path).says(200, "February 2027", "Tuesday 2 February 2027", "14:30 (09:30)", "in America/New_York")
		b.submit(path, "slot", slotd.Instant(onDay(2, "10:00"))).leads(bookings.BookingPath(at) + "?saved=moved")
		if got := w.bookingNow("acme", at); !got.StartsAt.Equal(onDay(2, "10:00")) || got.Sequence != 1 {
			t.Fatalf("%+v", got)
		}
		b.get(bookings.BookingPath(at)+"?saved=moved").says(200, "The booking was rescheduled",
			"Rescheduled from Tue 2 Feb 2027, 14:00",
			"by you")
		// A second click sends the form twice, and nothing more happens.
		w.Clock.Advance(1000)
		b.post(path, "workspace", "acme", "seen", "0", "slot",
			slotd.Instant(onDay(2, "10:00"))).leads(bookings.BookingPath(at))
		if got := w.notedBookings("acme"); len(got) != 1 ||
			!strings.HasPrefix(got[0], "booking.rescheduled "+at.ID.String()+" user:") ||
			!strings.HasSuffix(got[0], " 192.0.2.1") {
			t.Errorf("the activity tells %q", got)
		}
		if w.export("acme") != before {
			t.Error("the workspace changed")
		}
		other := w.owner("acme", "eve@acme.example")
		other.get(bookings.BookingPath(at)).says(200, "by ada@acme.example")
	})
}

func TestReschedule_RefusesWhatIsNotOpenAndShowsWhatIs(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	w.books("acme", onDay(1, "16:00"), grace, "")
	b := w.ada()
	path := bookings.BookingPath(at) + "/reschedule"
	b.post(path, "workspace", "acme", "seen", "0", "slot", slotd.Instant(onDay(1, "16:00"))).says(409, "isn't available",
		"Nearest open times", "15:30", "Why isn't a time available?")
	for _, slot := range []string{"", "x", "2027-02-02T16:00", "\x00", "2027-02-02 10:00", strings.Repeat("9", 5000),
		"<script>"} {
		b.post(path, "workspace", "acme", "seen", "0", "slot", slot).says(422, "Please choose a time.")
	}
	for _, slot := range []string{"2027-02-06T10:00:00Z", "2027-02-01T07:00:00Z", "2099-02-02T10:00:00Z",
		"2027-02-02T10:07:00Z", "2000-01-01T00:00:00Z"} {
		b.post(path, "workspace", "acme", "seen", "0", "slot", slot).says(409, "isn't available")
	}
	if got := w.bookingNow("acme", at); !got.StartsAt.Equal(at.StartsAt) || got.Sequence != 0 {
		t.Errorf("%+v", got)
	}
}

// Two owners move the same booking. The second one is shown the first move, and can still save.
func TestReschedule_ShowsSomebodyElsesMoveFirst(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	ada, eve := w.ada(), w.owner("acme", "eve@acme.example")
	path := bookings.BookingPath(at) + "/reschedule"
	adas, cancel := ada.get(path), ada.get(bookings.BookingPath(at)+"/cancel")
	eve.submit(path, "slot", slotd.Instant(onDay(2, "10:00"))).leads(bookings.BookingPath(at) + "?saved=moved")
	again := ada.fill(adas, path, "slot", slotd.Instant(onDay(3, "10:00"))).says(409,
		"Someone else changed this in the meantime", "It's now on Wednesday 3 February 2027, 10:00–10:30")
	if !strings.Contains(again.Body, `value="2027-02-04T10:00:00.000Z" checked`) {
		t.Error("what was chosen is lost")
	}
	conflict := ada.fill(cancel, path, "reason", "I <am> ill").says(409, "Someone else changed this in the meantime",
		"It's now on Wednesday")
	if !strings.Contains(conflict.Body, "I &lt;am&gt; ill</textarea>") {
		t.Error("what was typed is lost")
	}
	if got := w.bookingNow("acme", at); got.State != slotd.Confirmed || !got.StartsAt.Equal(onDay(2, "10:00")) {
		t.Fatalf("%+v", got)
	}
	ada.fill(again, path, "slot", slotd.Instant(onDay(3, "10:00"))).leads(bookings.BookingPath(at) + "?saved=moved")
	if got := w.bookingNow("acme", at); !got.StartsAt.Equal(onDay(3, "10:00")) {
		t.Errorf("%+v", got)
	}
}

func TestReschedule_PagesThroughTheMonths(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	b := w.ada()
	path := bookings.BookingPath(at) + "/reschedule"
	if p := b.get(path).says(200, "February 2027", "Next month"); strings.Contains(p.Text(), "Previous month") {
		t.Error("there is a month in the past")
	}
	b.get(path+"?from=2027-03-01").says(200, "March 2027", "Monday 1 March 2027", "Previous month", "Next month")
	for from, month := range map[string]string{"1999-01-01": "February 2027", "2099-01-01": "April 2027",
		"x": "February 2027", "2000-01-01": "February 2027"} {
		b.get(path+"?from="+from).says(200, month)
	}
	w.Apply(strings.Replace(acme, "duration_minutes: 30,", "duration_minutes: 30, slot_interval_minutes: 1,", 1))
	b.get(path+"?from=2027-02-03").says(200, "Wednesday 3 February 2027")
	p := b.get(path).says(200, "More times this month", "Tuesday 2 February 2027")
	if n := strings.Count(p.Body, `type="radio"`); n > bookings.TimesPerPage || n < bookings.TimesPerPage/2 {
		t.Errorf("%d times on one page", n)
	}
}

func TestCancel_AsTheHostGivesTheReasonAndAFullRefund(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		at := w.pays(onDay(1, "11:00"))
		b := w.ada()
		path := bookings.BookingPath(at) + "/cancel"
		b.get(path).says(200, "Consulting", "Grace Okafor", "a full refund of 50.00 USD")
		if got := w.bookingNow("acme", at); got.State != slotd.Confirmed {
			t.Fatal("looking canceled it")
		}
		b.submit(path, "reason", "I am ill.\n<script>").leads(bookings.BookingPath(at) + "?saved=canceled")
		got := w.bookingNow("acme", at)
		if got.State != slotd.Canceled || got.CancelReason != "I am ill.\n<script>" || got.RefundedCents != 5000 {
			t.Fatalf("%+v", got)
		}
		b.get(bookings.BookingPath(at)+"?saved=canceled").says(200, "The booking was canceled", "I am ill. <script>",
			"Canceled, by you")
		// Canceling again, and from another window, does nothing more.
		b.post(path, "workspace", "acme", "seen", "0", "reason", "another").leads(bookings.BookingPath(at))
		b.get(path).leads(bookings.BookingPath(at))
		b.get(bookings.BookingPath(at) + "/reschedule").leads(bookings.BookingPath(at))
		b.post(bookings.BookingPath(at)+"/reschedule", "workspace", "acme", "seen", "0", "slot",
			"2027-02-03T10:00:00Z").says(409, "was canceled")
		if again := w.bookingNow("acme", at); again.CancelReason != got.CancelReason ||
			again.Sequence != got.Sequence || len(w.notedBookings("acme")) != 1 {
			t.Errorf("%+v, %q", again, w.notedBookings("acme"))
		}
	})
}

func TestCancel_StandsWhatIsTypedAndKnowsWhatIsOver(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	b := w.ada()
	path := bookings.BookingPath(at) + "/cancel"
	for _, reason := range []string{strings.Repeat("x", 1001), "a\x00b", "bell\x07"} {
		p := b.submit(path, "reason", reason).says(422, "The reason")
		if !strings.Contains(p.Body, `aria-invalid="true"`) ||
			!strings.Contains(p.Body, strings.Trim(reason[:1], "\x00")) {
			t.Errorf("%.20q is not shown", reason)
		}
	}
	w.Clock.Set(onDay(1, "15:00"))
	b = w.ada()
	b.get(path).leads(bookings.BookingPath(at))
	b.post(path, "workspace", "acme", "seen", "0").says(409, "is over")
	b.post(bookings.BookingPath(at)+"/reschedule", "workspace", "acme", "seen", "0", "slot",
		"2027-02-03T10:00:00Z").says(409,
		"is over")
	if got := w.bookingNow("acme", at); got.State != slotd.Confirmed || got.Sequence != 0 {
		t.Errorf("%+v", got)
	}
}

func TestReschedule_OfARetiredTypeStillWorksAndAWaitingCalendarIsSaid(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	w.Apply(strings.Replace(acme, "  - {slug: intro, title: Intro call, duration_minutes: 30, location: {type: "+
		"video, url: \"https://meet.example/ada\"}}\n", "", 1))
	b := w.ada()
	b.submit(bookings.BookingPath(at)+"/reschedule", "slot",
		slotd.Instant(onDay(2, "10:00"))).leads(bookings.BookingPath(at) + "?saved=moved")
	w.Apply(acme + "calendars:\n  - {name: club, type: ics, url: \"https://club.example/x.ics\"}\n")
	b.get(bookings.BookingPath(at)+"/reschedule").says(503, "A calendar can't be reached")
	b.submit(bookings.BookingPath(at)+"/cancel", "reason", "").leads(bookings.BookingPath(at) + "?saved=canceled")
	if _, err := booking.Load(background, w.DB.Read(), w.id("acme"), at.ID); err != nil {
		t.Error(err)
	}
}
