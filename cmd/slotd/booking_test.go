package main

import (
	"encoding/json"
	"strings"
	"testing"

	"slotd/internal/booking/records"
)

func TestBooking_WrongUsage(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	const id = "018f0000-0000-7000-8000-000000000000"
	for line, exit := range map[string]int{
		"booking": 2, "booking nonsense": 2, "booking list": 2, "booking list --workspace acme extra": 2,
		"booking list --workspace acme --state held": 2,
		"booking list --workspace acme --limit 0":    2, "booking list --workspace acme --limit 10001": 2,
		"booking show --workspace acme": 2, "booking show " + id: 2,
		"booking show --workspace acme nonsense": 2, "booking cancel --workspace acme nonsense": 2,
		"booking cancel " + id: 2, "booking cancel --workspace acme " + id + " --reason " + strings.Repeat("x",
			1001): 2,
		"booking list --workspace nobody": 1, "booking show --workspace nobody " + id: 1,
		"booking cancel --workspace nobody " + id: 1,
		"booking show --workspace acme " + id:     1, "booking cancel --workspace acme " + id: 1,
		"booking list --workspace acme": 0, "booking list --workspace acme --state all --limit 10000": 0,
	} {
		o := pl.run(strings.Fields(line)...)
		if o.exit != exit || (exit != 0) != strings.Contains(o.err, "slotd: ") {
			t.Errorf("slotd %.80s: exit %d, want %d: %s%s", line, o.exit, exit, o.out, o.err)
		}
	}
	pl.run("booking", "list", "--workspace", "acme", "--json").prints(t, "[]")
	run(t, nil, "", "booking", "list", "--workspace", "acme", "--data", t.TempDir()).exits(t, 1).says(t,
		"there is no database")
}

// listedBookings returns the JSON output of booking list.
func (pl *deployment) listedBookings(args ...string) (lines []bookingLine) {
	pl.t.Helper()
	o := pl.run(append([]string{"booking", "list", "--json", "--workspace", "acme"}, args...)...).exits(pl.t, 0)
	if err := json.Unmarshal([]byte(o.out), &lines); err != nil {
		pl.t.Fatalf("%v: %s", err, o.out)
	}
	return lines
}

func TestBooking_ListsShowsAndCancelsWhileAServerRuns(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		pl.mustApply(other)
		s := pl.serve(nil)
		token := pl.token("acme")
		first, second := s.mustBook(token, "intro", slotIn(2))["booking_id"].(string),
			s.mustBook(token, "intro", slotIn(3))["booking_id"].(string)
		lines := strings.Split(strings.TrimSpace(pl.run("booking", "list", "--workspace", "acme").exits(t, 0).out),
			"\n")
		if len(lines) != 2 || !strings.HasPrefix(lines[0], first+"  ") || !strings.HasPrefix(lines[1], second+"  ") ||
			!strings.Contains(lines[0], " confirmed ") {
			t.Fatalf("%q", lines)
		}
		pl.run("booking", "list", "--workspace", "acme", "--limit", "1").exits(t, 0).says(t, "There are more")
		for _, args := range [][]string{{"show"}, {"cancel"}} {
			pl.run("booking", args[0], "--workspace", "other", first).exits(t, 1).says(t, first)
		}
		pl.run("booking", "cancel", first, "--workspace", "acme", "--reason", "Ada is ill.").exits(t, 0).prints(t,
			"canceled "+first)
		pl.run("booking", "cancel", first, "--workspace", "acme", "--reason", "again").exits(t, 0).prints(t,
			"canceled "+first)
		if got := pl.listedBookings("--state", "canceled"); len(got) != 1 || got[0].ID != first ||
			got[0].CancelReason != "Ada is ill." {
			t.Errorf("%+v", got)
		}
		if got := pl.listedBookings(); len(got) != 1 || got[0].ID != second {
			t.Errorf("%+v", got)
		}
		if got := pl.listedBookings("--state", "all"); len(got) != 2 || len(pl.listedBookings("--state", "past")) != 0 {
			t.Errorf("%+v", got)
		}
		shown := pl.run("booking", "show", first, "--workspace", "acme").exits(t, 0).out
		for _, want := range []string{first, "canceled", "Ada is ill.", "Booked for ", "by token test",
			"Canceled, by operator"} {
			if !strings.Contains(shown, want) {
				t.Errorf("no %q in\n%s", want, shown)
			}
		}
		noted := pl.rows("SELECT kind || ' ' || actor || ' ' || address FROM activity WHERE kind = 'booking.canceled'")
		pl.wantSame("the activity", noted, []string{"booking.canceled operator terminal"})
		s.mustBook(token, "intro", slotIn(2)) // the server sees that the time is free
	})
}

func TestBookingShow_JSONHasTheHistory(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	s := pl.serve(nil)
	id := s.mustBook(pl.token("acme"), "intro", slotIn(2))["booking_id"].(string)
	var shown struct {
		bookingLine
		History []records.HistoryEntry `json:"history"`
	}
	o := pl.run("booking", "show", "--json", id, "--workspace", "acme").exits(t, 0)
	if err := json.Unmarshal([]byte(o.out), &shown); err != nil || shown.ID != id || len(shown.History) == 0 ||
		shown.History[0].Who != "token test" {
		t.Errorf("%v: %s", err, o.out)
	}
}

// Without a number, nothing that programs read has changed.
func TestBooking_ThePhoneNumberIsShownWhereThereIsOne(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	s := pl.serve(nil)
	id := s.mustBook(pl.token("acme"), "intro", slotIn(2))["booking_id"].(string)
	outputs := map[string]string{
		"show":        "phone         +1 555 0100\n",
		"show --json": `"notes":"knows Bo","phone":"+1 555 0100",`,
		"export":      "\"notes\": \"knows Bo\",\n      \"phone\": \"+1 555 0100\",\n",
	}
	print := func(output string) string {
		args := append([]string{"booking"}, append(strings.Fields(output), id)...)
		if output == "export" {
			args = []string{"person", "export", "--email", "grace@guest.example"}
		}
		return pl.run(append(args, "--workspace", "acme")...).exits(t, 0).out
	}
	for output := range outputs {
		if got := print(output); strings.Contains(got, "phone") {
			t.Errorf("%s: %s", output, got)
		}
	}
	if _, err := pl.db().Exec("UPDATE bookings SET attendee_phone = '+1 555 0100'"); err != nil {
		t.Fatal(err)
	}
	for output, want := range outputs {
		if got := print(output); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %s", output, want, got)
		}
	}
}
