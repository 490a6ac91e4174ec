package records

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/test/await"
	"slotd/test/worlds"
)

// wantMailJobs checks which mails about the only booking are pending.
func (w *world) wantMailJobs(b *slotd.Booking, want ...string) {
	w.T.Helper()
	var got []string
	for _, id := range w.queryTexts(`SELECT id FROM jobs WHERE workspace_id = $1 AND queue = 'mail' ORDER BY id`) {
		got = append(got, strings.TrimPrefix(id, b.ID.String()+"."))
	}
	if !slices.Equal(got, want) {
		w.T.Errorf("the mails that wait are %v, want %v", got, want)
	}
}

func TestErase_WhatHappensLaterIsMailedToTheHostAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.MustCreate("visit", at("+3 09:00"))
		w.erase(guest.Email)
		w.MustMove(b, at("+5 09:00"))
		w.wantMailJobs(b, "0.booked.host", "1.rescheduled.host")
		_, err := w.Cancel(background, w.Actor, b.ID, "")
		w.Must(err)
		w.wantMailJobs(b, "0.booked.host", "1.rescheduled.host", "2.canceled.host")
	})
}

func TestErase_APaymentForNobodyIsMailedToTheHostAlone(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.MustHold("lesson", at("+3 09:00"))
		w.erase(guest.Email)
		w.MustApply(b, worlds.PaidStatement(b))
		w.WantState(b, slotd.Confirmed)
		w.wantMailJobs(b, "0.booked.host")
	})
}

// addSentMails adds the rows that sent mails leave behind, and returns the address hash of each mail.
func (w *world) addSentMails(b *slotd.Booking, to map[string]string) map[string][]byte {
	w.T.Helper()
	hashes := map[string][]byte{}
	w.inTx(func(tx *store.Tx) error {
		for name, address := range to {
			hashes[name] = w.Links.Pseudonym(w.Actor.WorkspaceID, address)
			err := tx.PutMailQuota(background, sqlcgen.PutMailQuotaParams{
				WorkspaceID: w.Actor.WorkspaceID, BookingID: b.ID.String(), ID: b.ID.String() + "." + name,
				AddressHash: hashes[name], TurnAt: monday.UnixMilli(), SentAt: monday.UnixMilli(),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return hashes
}

// quotaUsed counts the mails of the last hour to an address.
func (w *world) quotaUsed(hash []byte) int64 {
	w.T.Helper()
	row, err := w.DB.Read().MailQuotaUsed(background, sqlcgen.MailQuotaUsedParams{
		WorkspaceID: w.Actor.WorkspaceID, AddressHash: hash, ID: "another", TurnAt: monday.Add(-time.Hour).UnixMilli(),
		TurnAt_2: monday.UnixMilli(),
	})
	w.Must(err)
	return row.Taken
}

// The key of the hashes is in the same database.
func TestErase_NoMailShowsWhoItWentTo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		host, other := "ada@acme.example", "ian@guest.example"
		mine := w.addSentMails(w.MustCreate("intro", at("09:00")), map[string]string{
			"0.booked.attendee": guest.Email, "1.canceled.attendee": guest.Email, "0.reminder.60": guest.Email,
			"0.booked.host": host, "refund_due": host,
		})
		b, err := w.Create(background, w.Actor,
			booking.Request{EventType: "intro", StartsAt: at("10:00"),
				Attendee: slotd.Attendee{Name: "Ian", Email: other, TimeZone: "UTC"}})
		w.Must(err)
		others := w.addSentMails(b, map[string]string{"0.booked.attendee": other, "0.reminder.60": other,
			"0.booked.host": host})
		w.erase(guest.Email)
		for _, c := range []struct {
			whose string
			hash  []byte
			want  int64
		}{
			{"the erased guest's", mine["0.booked.attendee"], 0},
			{"nobody's", []byte{}, 3},
			{"the host's", mine["0.booked.host"], 3},
			{"another guest's", others["0.booked.attendee"], 2},
		} {
			if got := w.quotaUsed(c.hash); got != c.want {
				t.Errorf("%d mails are %s, want %d", got, c.whose, c.want)
			}
		}
	})
}

func TestEraseBefore_LocksNobodyWhereNothingIsToBeErased(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		due := w.MustPay("lesson", at("+1 09:00"))
		_, err := w.Cancel(background, w.Actor, due.ID, "")
		w.Must(err)
		w.MustCreate("intro", at("+9 09:00"))
		w.Clock.Set(at("+10 09:00"))
		for what, before := range map[string]time.Time{"nothing is old": monday, "money is open": at("+9 09:00")} {
			err := w.DB.InHostTx(background, w.Actor.WorkspaceID, w.Config("acme").HostID,
				func(ctx context.Context, _ *store.Tx) error {
					ctx, cancel := context.WithTimeout(ctx, await.Patience)
					defer cancel()
					n, err := w.EraseBefore(ctx, w.Actor.WorkspaceID, before)
					if n != 0 {
						t.Errorf("%s: %d erased", what, n)
					}
					return err
				})
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// A later run erases what somebody wrote about the guest after the erasure.
func TestEraseBefore_TakesReasonsThatCameLater(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.MustCreate("visit", at("+3 09:00"))
		w.erase(guest.Email)
		_, err := w.RescheduleWithReason(background, w.Actor, b.ID, at("+5 09:00"), "Grace asked for it.")
		w.Must(err)
		n, err := w.EraseBefore(background, w.Actor.WorkspaceID, at("+9 09:00"))
		w.Must(err)
		if remaining := w.queryTexts(`SELECT move_reason FROM bookings WHERE workspace_id = $1`); n != 1 ||
			remaining[0] != "" {
			t.Errorf("%d erased, %q is left", n, remaining)
		}
	})
}
