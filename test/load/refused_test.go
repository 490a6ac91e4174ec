package load

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// unknownGuest rejects the first guest's address as a mail server does a mistyped one.
func unknownGuest(at stage, to string, _ net.Conn) error {
	if at != atRcpt || to != guest(1) {
		return healthy
	}
	return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1},
		Message: "<" + to + ">: no such mailbox here"}
}

func TestMailServer_RefusesAnAddress(t *testing.T) {
	t.Parallel()
	d, mails := withMailServer(t)
	mails.setTrouble(unknownGuest)
	s := d.Serve(t)
	b := d.mustCreate(t, s, nextDay(10), 1)
	d.mustCreate(t, s, nextDay(10).Add(time.Hour), 2)
	d.awaitIdle(t)
	id := b.BookingID + ".0.booked.attendee"
	wantGivenUp(t, d, id)
	s.Kill()
	wantOneErrorLine(t, s.Log.String(), id)

	mails.setTrouble(nil)
	d.Serve(t)
	d.awaitIdle(t)
	wantEachOnce(t, mails, 3) // no retry was requested
	for _, c := range []struct {
		exit int
		args []string
	}{
		{2, []string{"jobs", "retry"}},
		{1, []string{"jobs", "retry", b.BookingID + ".0.booked.nobody"}},
		{1, []string{"jobs", "retry", b.BookingID + ".0.booked.host"}}, // already done
		{0, []string{"jobs", "retry", id}},
		{1, []string{"jobs", "retry", id}}, // waiting or done
	} {
		if got := d.exitCode(t, c.args...); got != c.exit {
			t.Errorf("slotd %v: exit %d, want %d", c.args, got, c.exit)
		}
	}
	d.awaitIdle(t)
	wantEachOnce(t, mails, 4)
	if failed := d.jobs(t, "--failed"); len(failed) > 0 {
		t.Errorf("still given up: %+v", failed)
	}
}

// wantGivenUp checks that the job was given up and that the operator sees the server's message, but no address.
func wantGivenUp(t *testing.T, d *deployment, id string) {
	t.Helper()
	failed := d.jobs(t, "--failed")
	if len(failed) != 1 || failed[0].ID != id || failed[0].State != "failed" || failed[0].Failures != 1 {
		t.Fatalf("given up are %+v, want %s", failed, id)
	}
	table := d.Run(t, "jobs", "list", "--failed")
	if strings.Count(table, "\n") != 0 || !strings.Contains(table, id) || !strings.Contains(table, "550 5.1.1") ||
		!strings.Contains(table, "no such mailbox here") {
		t.Errorf("the list says %q", table)
	}
	if strings.Contains(table, "guest1") {
		t.Errorf("the list names a person: %q", table)
	}
}

func wantOneErrorLine(t *testing.T, log, id string) {
	t.Helper()
	var errors []string
	for line := range strings.Lines(log) {
		if strings.Contains(line, "level=ERROR") {
			errors = append(errors, line)
		}
	}
	if len(errors) != 1 || !strings.Contains(errors[0], id) || !strings.Contains(errors[0], "no such mailbox here") {
		t.Errorf("got the lines %q, want one about %s", errors, id)
	}
	if strings.Contains(log, "guest1") {
		t.Errorf("the log names a person: %s", log)
	}
}
