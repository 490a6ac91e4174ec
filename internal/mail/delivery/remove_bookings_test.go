package delivery

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"slotd/internal/mail"
)

var (
	erased = uuid.MustParse("0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e")
	absent = uuid.MustParse("0198c2f4-7a3e-7c11-9d52-000000000000")
)

func TestRemoveBookings_RemovesTheMailsOfTheseBookingsAndNothingElse(t *testing.T) {
	o, dir := newOutbox(t)
	id := erased.String()
	for _, name := range []string{id + ".0.booked.attendee", id + ".0.booked.host", id + ".12.reminder.attendee.1440",
		id + ".refund-due"} {
		mustSend(t, o, mail.Message{ID: name, Data: []byte("x")})
	}
	unrelated := []string{
		id, id + "x.0.booked.host.eml", id[:35] + ".0.booked.host.eml", "x" + id + ".0.booked.host.eml",
		"." + id + ".eml", id[1:] + ".eml",
		strings.ToUpper(id) + ".eml", "0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1f.0.booked.host.eml", "ticket-7.eml",
		".writing-" + id,
	}
	for _, name := range unrelated {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time there is nothing to remove
		if err := o.RemoveBookings([]uuid.UUID{erased, absent}); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]bool{}
	for _, name := range namesIn(t, dir) {
		got[name] = true
	}
	for _, name := range unrelated {
		if !got[name] {
			t.Errorf("%s is gone", name)
		}
	}
	if len(got) != len(unrelated) {
		t.Errorf("left are %v", got)
	}
}

func TestRemoveBookings_WhereNothingIsHasNothingToDo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "outbox")
	if err := OutboxAt(dir).RemoveBookings([]uuid.UUID{erased}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory was made: %v", err)
	}
	o, dir := newOutbox(t)
	mustSend(t, o, hello)
	if err := o.RemoveBookings(nil); err != nil || len(namesIn(t, dir)) != 1 {
		t.Errorf("%v, %v", namesIn(t, dir), err)
	}
}

func TestRemoveBookings_GoesOnBehindWhatItCannotRemove(t *testing.T) {
	o, dir := newOutbox(t)
	if err := os.MkdirAll(filepath.Join(dir, erased.String()+".0.booked.attendee.eml", "in the way"),
		0o700); err != nil {
		t.Fatal(err)
	}
	mustSend(t, o, mail.Message{ID: erased.String() + ".0.booked.host", Data: []byte("x")})
	err := o.RemoveBookings([]uuid.UUID{erased})
	if err == nil || !strings.Contains(err.Error(), "1 of them") || len(namesIn(t, dir)) != 1 {
		t.Errorf("%v, left %v", err, namesIn(t, dir))
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := OutboxAt(file).RemoveBookings([]uuid.UUID{erased}); err == nil {
		t.Error("a file is taken for an empty outbox")
	}
}
