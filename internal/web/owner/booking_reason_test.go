package owner

import (
	"strings"
	"testing"

	"slotd/internal/web/owner/bookings"

	"slotd"
)

func TestReschedule_KeepsTheReasonAndShowsIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		at, before := w.books("acme", onDay(1, "14:00"), grace, ""), w.export("acme")
		b := w.ada()
		path := bookings.BookingPath(at) + "/reschedule"
		if p := b.get(bookings.BookingPath(at)); strings.Contains(p.Text(), "Reason for rescheduling") {
			t.Error("a reason is shown that nobody gave")
		}
		b.submit(path, "slot", slotd.Instant(onDay(2, "10:00")), "reason",
			" My train <script>alert(1)</script>\r\nis late. ").leads(bookings.BookingPath(at) + "?saved=moved")
		if got := w.bookingNow("acme", at); got.MoveReason != "My train <script>alert(1)</script>\nis late." {
			t.Fatalf("keeps %q", got.MoveReason)
		}
		if p := b.get(bookings.BookingPath(at)).says(200, "Reason for rescheduling", "is late."); strings.Contains(p.Body,
			"<script>alert") {
			t.Error(p.Body)
		}
		// Moving to the present time changes nothing, not even the reason.
		b.submit(path, "slot", slotd.Instant(onDay(2, "10:00")), "reason", "another").leads(bookings.BookingPath(at))
		if got := w.bookingNow("acme", at); got.MoveReason == "another" || got.Sequence != 1 {
			t.Errorf("%+v", got)
		}
		b.submit(path, "slot", slotd.Instant(onDay(3, "10:00"))).leads(bookings.BookingPath(at) + "?saved=moved")
		if got := w.bookingNow("acme", at); got.MoveReason != "" {
			t.Errorf("the second move still says %q", got.MoveReason)
		}
		if w.export("acme") != before {
			t.Error("the workspace changed")
		}
	})
}

func TestReschedule_RefusesAReasonThatCannotBeMailedAndKeepsWhatWasTyped(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	b := w.ada()
	path, slot := bookings.BookingPath(at)+"/reschedule", slotd.Instant(onDay(2, "10:00"))
	for name, reason := range map[string]string{"too long": strings.Repeat("é", 1001), "a NUL": "typed\x00words",
		"a bell": "typed \x07words", "an escape": "typed \x1b[2J"} {
		p := b.submit(path, "slot", slot, "reason", reason).says(422, "The reason must")
		if !strings.Contains(p.Body, strings.Trim(reason[:4], "\x00")) ||
			!strings.Contains(p.Body, `value="2027-02-03T10:00:00.000Z" checked`) ||
			!strings.Contains(p.Body, `aria-invalid="true"`) {
			t.Errorf("%s: what was typed and chosen is lost", name)
		}
	}
	b.submit(path, "slot", "", "reason", "bell\x07").says(422, "Please choose a time.", "The reason must")
	if p := b.submit(path, "slot", "", "reason", "</textarea><b>ill").says(422,
		"Please choose a time."); !strings.Contains(p.Body, "&lt;/textarea&gt;&lt;b&gt;ill</textarea>") {
		t.Error("a right reason is lost with a wrong time")
	}
	if p := b.submit(path, "slot", slotd.Instant(onDay(2, "03:00")), "reason", "early bird").says(409,
		"isn't available"); !strings.Contains(p.Body, "early bird</textarea>") {
		t.Error("the reason is lost with a time that is taken")
	}
	if got := w.bookingNow("acme", at); got.Sequence != 0 || got.MoveReason != "" {
		t.Fatalf("%+v", got)
	}
	longest := strings.Repeat("é", 1000)
	b.submit(path, "slot", slot, "reason", longest).leads(bookings.BookingPath(at) + "?saved=moved")
	if got := w.bookingNow("acme", at); got.MoveReason != longest {
		t.Errorf("keeps %d bytes", len(got.MoveReason))
	}
}

func TestReschedule_KeepsTheReasonThroughAConflict(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	ada, eve := w.ada(), w.owner("acme", "eve@acme.example")
	path := bookings.BookingPath(at) + "/reschedule"
	adas := ada.get(path)
	eve.submit(path, "slot", slotd.Instant(onDay(2, "10:00")), "reason",
		"eve's").leads(bookings.BookingPath(at) + "?saved=moved")
	again := ada.fill(adas, path, "slot", slotd.Instant(onDay(3, "10:00")), "reason", "ada's").says(409,
		"Someone else changed this in the meantime")
	if got := w.bookingNow("acme", at); got.MoveReason != "eve's" ||
		!strings.Contains(again.Body, "ada&#39;s</textarea>") {
		t.Fatalf("keeps %q", got.MoveReason)
	}
	ada.fill(again, path, "slot", slotd.Instant(onDay(3, "10:00")), "reason",
		"ada's").leads(bookings.BookingPath(at) + "?saved=moved")
	if got := w.bookingNow("acme", at); got.MoveReason != "ada's" {
		t.Errorf("keeps %q", got.MoveReason)
	}
}

func TestReschedule_OfAnothersBookingLeavesItsReason(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	bo := w.owner("other", "bo@other.example")
	bo.get(bookings.BookingPath(at) + "/reschedule").says(404)
	for _, slug := range []string{"other", "acme"} {
		if p := bo.post(bookings.BookingPath(at)+"/reschedule", "workspace", slug, "seen", "0", "slot",
			slotd.Instant(onDay(2, "10:00")), "reason", "mine now"); p.Status < 400 {
			t.Errorf("as %s: %d", slug, p.Status)
		}
	}
	if got := w.bookingNow("acme", at); got.MoveReason != "" || got.Sequence != 0 {
		t.Errorf("%+v", got)
	}
}
