package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"slotd/internal/booking/records"
	"slotd/test/await"
)

// activity returns the operator's entries in the activity.
func (pl *deployment) activity() []string {
	return pl.rows("SELECT actor || ' ' || kind || ' ' || detail FROM activity WHERE actor = 'operator' " +
		"ORDER BY at, id")
}

func TestPerson_ExportAndErase(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		s := pl.serve(nil)
		token := pl.token("acme")
		booked := s.mustBook(token, "intro", slotIn(3))
		s.mustBook(token, "intro", slotIn(4))

		var p records.Person
		o := pl.run("person", "export", "--workspace", "acme", "--email", "GRACE@guest.example").exits(t, 0)
		if err := json.Unmarshal([]byte(o.out), &p); err != nil || len(p.Bookings) != 2 ||
			p.Bookings[0].ID != booked["booking_id"] || p.Bookings[0].Notes != "knows Bo" {
			t.Fatalf("%v in %s", err, o.out)
		}
		pl.run("person", "erase", "--workspace", "acme", "--email", "Grace@Guest.Example").exits(t, 0).prints(t,
			"erased from 2 bookings; their times are kept as anonymous bookings")
		pl.run("person", "erase", "--workspace", "acme", "--email", "grace@guest.example").exits(t, 0).prints(t,
			"nothing is stored about this address")
		if listed := pl.run("booking", "list", "--workspace", "acme", "--state", "all").exits(t,
			0).out; !strings.Contains(listed, "  (erased)\n") || strings.Contains(listed, "<>") {
			t.Errorf("listed %s", listed)
		}
		if o := pl.run("person", "export", "--workspace", "acme", "--email", "grace@guest.example").exits(t,
			0); !strings.Contains(o.out, `"bookings": []`) {
			t.Error(o.out)
		}
		_, page, _ := s.ask("GET", strings.TrimPrefix(booked["cancel_url"].(string), s.url), "")
		if !strings.Contains(page, "Intro call") || strings.Contains(page, "Grace") ||
			strings.Contains(page, "guest.example") || strings.Contains(page, "knows Bo") {
			t.Errorf("the attendee's own page: %s", page)
		}
		if _, failed := s.call(token, "create_booking", bookingOf("intro", slotIn(3))); failed != "slot_unavailable" {
			t.Errorf("the erased booking's time: %q", failed)
		}
		if said := strings.Join(pl.activity(), "\n"); !strings.Contains(said, "person.erased 2 bookings") ||
			!strings.Contains(said, "person.exported 2 bookings") || strings.Contains(strings.ToLower(said), "grace") {
			t.Error(said)
		}
	})
}

func TestPerson_WrongUsage(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	for _, command := range []string{"export", "erase"} {
		pl.run("person", command, "--workspace", "acme").exits(t, 2).says(t, "--email is required")
		pl.run("person", command, "--email", "grace@guest.example").exits(t, 2).says(t, "--workspace is required")
		pl.run("person", command, "--workspace", "acme", "--email", "grace").exits(t, 2).says(t,
			"must be an e-mail address")
		pl.run("person", command, "--workspace", "nobody", "--email", "grace@guest.example").exits(t, 1).says(t,
			"no workspace")
	}
}

// Each server looks for old bookings at its start. For early the first booking is over for eleven days and the second
// for one, for late the second is over for nine.
func TestKeepDays_ErasesWhatIsOverForLonger(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		first := pl.serve(nil)
		token := pl.token("acme")
		first.bookWithMails(pl, token, bookingOf("intro", slotIn(2)))
		id := first.bookWithMails(pl, token, bookingOf("intro", slotIn(12)))
		pl.blockOutbox(id)
		known := func() int { return len(pl.rows("SELECT attendee_email FROM bookings WHERE attendee_email <> ''")) }
		early := pl.serve(env{"SLOTD_CLOCK_OFFSET": "312h"}, "--keep-days", "7")
		early.AwaitLog(t, regexp.MustCompile(`erased the attendees of old bookings.* bookings=1\b`))
		if n := known(); n != 1 {
			t.Errorf("%d attendees are known, want the second", n)
		}
		late := pl.serve(env{"SLOTD_CLOCK_OFFSET": "504h"}, "--keep-days", "7")
		late.AwaitLog(t, regexp.MustCompile(`erased the attendees of old bookings.* bookings=1\b`))
		if n := known(); n != 0 {
			t.Errorf("%d attendees are known, want none", n)
		}
		late.AwaitLog(t, regexp.MustCompile(`lie in the outbox still`))
		await.True(t, "its mails are removed", func() bool { return len(pl.mailsOf(id)) == 0 })
		pl.run("serve", "--keep-days", "-1").exits(t, 2).says(t, "--keep-days")
	})
}
