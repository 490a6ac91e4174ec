package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mailsOf returns the names of the files in the outbox that start with a booking's id.
func (pl *deployment) mailsOf(id string) (names []string) {
	pl.t.Helper()
	found, err := filepath.Glob(filepath.Join(pl.Data, "outbox", id+"*.eml"))
	if err != nil {
		pl.t.Fatal(err)
	}
	for _, name := range found {
		names = append(names, filepath.Base(name))
	}
	return names
}

// bookWithMails creates a booking and waits until both of its mails are written.
func (p *process) bookWithMails(pl *deployment, token, arguments string) (id string) {
	pl.t.Helper()
	text, failed := p.call(token, "create_booking", arguments)
	if failed != "" {
		pl.t.Fatal(text)
	}
	id = parse(pl.t, text)["booking_id"].(string)
	pl.outbox(id + ".0.booked.attendee")
	pl.outbox(id + ".0.booked.host")
	return id
}

// blockOutbox puts something into the outbox that cannot be removed with a booking's mails.
func (pl *deployment) blockOutbox(id string) {
	pl.t.Helper()
	if err := os.MkdirAll(filepath.Join(pl.Data, "outbox", id+".blocked", "x"), 0o700); err != nil {
		pl.t.Fatal(err)
	}
}

func TestPersonErase_RemovesTheirMailsFromTheOutbox(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		s := pl.serve(nil)
		token := pl.token("acme")
		graces := s.bookWithMails(pl, token, bookingOf("intro", slotIn(3)))
		ians := s.bookWithMails(pl, token, strings.Replace(bookingOf("intro", slotIn(4)), "grace@", "ian@", 1))
		pl.run("person", "erase", "--workspace", "acme", "--email", "grace@guest.example").exits(t, 0).prints(t,
			"erased from 1 booking; its time is kept as an anonymous booking")
		if left := pl.mailsOf(graces); len(left) > 0 {
			t.Errorf("left are %v", left)
		}
		if left := pl.mailsOf(ians); len(left) != 2 {
			t.Errorf("of another only %v are left", left)
		}
		pl.blockOutbox(ians)
		pl.run("person", "erase", "--workspace", "acme", "--email", "ian@guest.example").exits(t, 1).prints(t,
			"erased from 1 booking; its time is kept as an anonymous booking").says(t, "delete them by hand")
		if left, known := pl.mailsOf(ians), pl.rows("SELECT attendee_email FROM bookings WHERE attendee_email <> ''"); len(left)+len(known) > 0 {
			t.Errorf("left are %v and %v", left, known)
		}
	})
}

func TestPersonErase_NeedsNoOutbox(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	s := pl.serve(nil)
	s.bookWithMails(pl, pl.token("acme"), bookingOf("intro", slotIn(3)))
	if err := os.RemoveAll(filepath.Join(pl.Data, "outbox")); err != nil {
		t.Fatal(err)
	}
	pl.run("person", "erase", "--workspace", "acme", "--email", "grace@guest.example").exits(t, 0)
	if _, err := os.Stat(filepath.Join(pl.Data, "outbox")); err == nil {
		t.Error("the command made an outbox")
	}
}

func TestWorkspaceDelete_RemovesItsMailsFromTheOutbox(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		pl.mustApply(edit(t, acme, "slug: acme", "slug: second"))
		s := pl.serve(nil)
		first := s.bookWithMails(pl, pl.token("acme"), bookingOf("intro", slotIn(3)))
		second := s.bookWithMails(pl, pl.token("second"), bookingOf("intro", slotIn(3)))
		pl.run("workspace", "delete", "acme", "--confirm", "acme").exits(t, 0).prints(t, "deleted acme")
		if left := pl.mailsOf(first); len(left) > 0 {
			t.Errorf("left are %v", left)
		}
		if left := pl.mailsOf(second); len(left) != 2 {
			t.Errorf("of the other workspace only %v are left", left)
		}
		pl.blockOutbox(second)
		pl.run("workspace", "delete", "second", "--confirm", "second").exits(t, 1).prints(t, "deleted second").says(t,
			"delete them by hand")
		pl.run("export", "--workspace", "second").exits(t, 1)
	})
}
