package booking

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
)

func TestVerbs_AnswerWhatIsStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("visit", at("09:15"))
		if diff := cmp.Diff(w.stored(b), b); diff != "" {
			t.Errorf("created (-stored +answered):\n%s", diff)
		}
		b = w.mustMove(b, at("+1 10:00"))
		if diff := cmp.Diff(w.stored(b), b); diff != "" {
			t.Errorf("moved (-stored +answered):\n%s", diff)
		}
		b, err := w.Cancel(background, w.actor, b.ID, "")
		w.Must(err)
		if diff := cmp.Diff(w.stored(b), b); diff != "" {
			t.Errorf("canceled (-stored +answered):\n%s", diff)
		}
	})
}

func TestVerbs_HistorySaysWhatWhenAndByWhom(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:00"))
		w.Clock.Set(monday.Add(time.Minute))
		other := Token(w.actor.WorkspaceID, "tok_2", "")
		_, err := w.Reschedule(background, other, b.ID, at("10:00"))
		w.Must(err)
		w.Clock.Set(monday.Add(2 * time.Minute))
		_, err = w.Cancel(background, w.actor, b.ID, "")
		w.Must(err)
		// What changes nothing is not recorded.
		_, err = w.Cancel(background, other, b.ID, "")
		w.Must(err)
		rows := w.history(b)
		want := []struct{ kind, actor, detail string }{
			{"created", "token:tok_1", `{"starts_at":"2027-02-01T09:00:00.000Z"}`},
			{"rescheduled", "token:tok_2", `{"from":"2027-02-01T09:00:00.000Z","to":"2027-02-01T10:00:00.000Z"}`},
			{"canceled", "token:tok_1", `{"starts_at":"2027-02-01T10:00:00.000Z"}`},
		}
		if len(rows) != len(want) {
			t.Fatalf("history: %+v", rows)
		}
		for i, row := range rows {
			if row.N != int64(i) || row.At != monday.Add(time.Duration(i)*time.Minute).UnixMilli() ||
				row.Kind != want[i].kind || row.Actor != want[i].actor || row.Detail != want[i].detail {
				t.Errorf("row %d: %+v, want %+v", i, row, want[i])
			}
			var values map[string]string
			w.Must(json.Unmarshal([]byte(row.Detail), &values))
			for _, personal := range []string{"Grace", "grace", "Tokyo", "private"} {
				if strings.Contains(row.Detail+row.Actor, personal) {
					t.Errorf("row %d holds %q", i, personal)
				}
			}
		}
	})
}

func TestVerbs_SequenceRisesWithEachRealChange(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:00"))
		want := func(about string, got *slotd.Booking, sequence int, version int64) {
			t.Helper()
			v, err := w.Writer.Read().Version(background, w.actor.WorkspaceID)
			w.Must(err)
			if stored := w.stored(b); got.Sequence != sequence || stored.Sequence != sequence || v.Version != version {
				t.Errorf("%s: sequence %d, stored %d, want %d; version %d, want %d", about, got.Sequence,
					stored.Sequence, sequence, v.Version, version)
			}
		}
		want("created", b, 0, 2)
		want("moved", w.mustMove(b, at("10:00")), 1, 3)
		want("moved to where it is", w.mustMove(b, at("10:00")), 1, 3)
		if _, err := w.Reschedule(background, w.actor, b.ID, at("09:10")); !slotd.Is(err, slotd.SlotUnavailable) {
			t.Errorf("got %v", err)
		}
		want("moved in vain", w.stored(b), 1, 3)
		want("moved back", w.mustMove(b, at("09:00")), 2, 4)
		for _, about := range []string{"canceled", "canceled again"} {
			canceled, err := w.Cancel(background, w.actor, b.ID, "")
			w.Must(err)
			want(about, canceled, 3, 5)
		}
	})
}

func TestVerbs_HostsWallTimeIsKeptAsPromised(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:30"))
		if b.HostWall != "2027-02-01T10:30" || b.HostZone != "Europe/Paris" {
			t.Errorf("created: %s %s", b.HostWall, b.HostZone)
		}
		w.file.TimeZone = "America/New_York"
		w.apply()
		if kept := w.stored(b); kept.HostWall != "2027-02-01T10:30" || kept.HostZone != "Europe/Paris" ||
			!kept.StartsAt.Equal(at("09:30")) {
			t.Errorf("after the zone changed: %s %s", kept.HostWall, kept.HostZone)
		}
		b = w.mustMove(b, at("15:00"))
		if kept := w.stored(b); kept.HostWall != "2027-02-01T10:00" || kept.HostZone != "America/New_York" {
			t.Errorf("moved: %s %s", kept.HostWall, kept.HostZone)
		}
	})
}

func TestVerbs_TermsStayAsBooked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:00"))
		if !strings.HasPrefix(b.JoinURL, "https://rooms.example/") || strings.Contains(b.JoinURL, "{room}") ||
			b.Location != "Video call" {
			t.Errorf("room %q, location %q", b.JoinURL, b.Location)
		}
		if again := w.mustCreate("intro", at("10:00")); again.JoinURL == b.JoinURL {
			t.Error("two bookings share a fresh room")
		}
		e := w.eventType("intro")
		e.Title, e.Location = "Renamed", slotd.Location{Type: slotd.Video, URL: "https://fixed.example/room"}
		e.Price, e.RefundPolicy = &slotd.Price{AmountCents: 5000, Currency: "usd"},
			&slotd.RefundPolicy{FullUntilHoursBefore: 24}
		e.RemindersMinutesBefore = []int{5}
		w.file.Host.Name = "Bo"
		w.apply()
		moved := w.mustMove(b, at("11:00"))
		for _, kept := range []*slotd.Booking{moved, w.stored(b)} {
			if kept.EventTitle != "Intro call" || kept.Location != "Video call" || kept.JoinURL != b.JoinURL ||
				kept.Price != nil || kept.RefundPolicy != nil || !cmp.Equal(kept.Reminders, []int{60}) {
				t.Errorf("the move changed the terms: %+v", kept)
			}
		}
		e.Price, e.RefundPolicy = nil, nil
		w.apply()
		if fresh := w.mustCreate("intro", at("12:00")); fresh.EventTitle != "Renamed" ||
			fresh.JoinURL != "https://fixed.example/room" || !cmp.Equal(fresh.Reminders, []int{5}) {
			t.Errorf("a later booking has old terms: %+v", fresh)
		}
	})
}

func TestVerbs_BuffersStayAsBooked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("visit", at("10:00")) // its claim is 09:45 to 11:30
		e := w.eventType("visit")
		e.BufferBeforeMinutes, e.BufferAfterMinutes = 0, 0
		w.apply()
		if kept := w.stored(b); kept.BufferBeforeMinutes != 15 || kept.BufferAfterMinutes != 30 {
			t.Errorf("buffers %d and %d", kept.BufferBeforeMinutes, kept.BufferAfterMinutes)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
		_, err := w.create("intro", at("11:00"))
		wantCode(t, err, slotd.SlotUnavailable)
		_, err = w.create("intro", at("09:30"))
		wantCode(t, err, slotd.SlotUnavailable)
		w.mustCreate("intro", at("11:30"))
		w.mustCreate("intro", at("09:00"))
		moved := w.mustMove(b, at("10:15"))
		if moved.BufferBeforeMinutes != 0 || moved.BufferAfterMinutes != 0 {
			t.Errorf("the move kept old buffers: %+v", moved)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
		w.mustCreate("intro", at("09:30"))
	})
}

func TestMove_UsesTheEventTypeAsItIsNow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:00"))
		e := w.eventType("intro")
		e.DurationMinutes, e.BufferAfterMinutes, e.SlotIntervalMinutes = 45, 10, 5
		w.apply()
		moved := w.mustMove(b, at("09:05")) // overlaps its own old time, on the new grid
		if got := moved.EndsAt.Sub(moved.StartsAt); got != 45*time.Minute || moved.BufferAfterMinutes != 10 {
			t.Errorf("lasts %v, buffer %d", got, moved.BufferAfterMinutes)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
		e.SlotIntervalMinutes = 0
		w.apply()
		if _, err := w.Reschedule(background, w.actor, b.ID, at("09:05")); err != nil {
			t.Errorf("where it is already, though no longer offered: %v", err)
		}
		_, err := w.Reschedule(background, w.actor, b.ID, at("09:10"))
		wantCode(t, err, slotd.SlotUnavailable)
	})
}

func TestMove_HiddenRetiredAndPaidOnesCanBeMoved(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:00"))
		e := w.eventType("intro")
		e.Hidden = true
		w.apply()
		w.mustMove(b, at("10:00"))
		_, err := w.create("intro", at("09:00"))
		wantCode(t, err, slotd.EventTypeNotFound)
		e.Hidden, e.Price = false, &slotd.Price{AmountCents: 100, Currency: "usd"}
		w.apply()
		w.mustMove(b, at("11:00"))
		_, err = w.create("intro", at("09:00"))
		if e := wantCode(t, err, slotd.PaymentRequired); e.BookingURL != "https://book.example/acme/intro?slot="+
			slotd.Instant(at("09:00")) {
			t.Errorf("booking_url %q", e.BookingURL)
		}
		w.file.EventTypes = w.file.EventTypes[1:]
		w.apply()
		w.mustMove(b, at("12:00"))
		_, err = w.create("intro", at("09:00"))
		wantCode(t, err, slotd.EventTypeNotFound)
		_, err = w.Cancel(background, w.actor, b.ID, "")
		w.Must(err)
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

func TestVerbs_CanceledPastAndUnknown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b, ended := w.mustCreate("intro", at("10:00")), w.mustCreate("intro", at("11:00"))
		w.Clock.Set(at("11:29"))
		w.mustMove(ended, at("12:00")) // it has started
		w.mustMove(ended, at("12:30"))
		_, err := w.Cancel(background, w.actor, b.ID, "")
		wantCode(t, err, slotd.BookingPast)
		_, err = w.Reschedule(background, w.actor, b.ID, at("13:00"))
		wantCode(t, err, slotd.BookingPast)
		_, err = w.Cancel(background, w.actor, ended.ID, "")
		w.Must(err)
		w.Clock.Set(at("+1 09:00"))
		_, err = w.Reschedule(background, w.actor, ended.ID, at("+1 10:00"))
		wantCode(t, err, slotd.BookingCanceled) // takes precedence over BookingPast
		_, err = w.Cancel(background, w.actor, ended.ID, "")
		w.Must(err)
		stranger := Token(w.actor.WorkspaceID+1, "tok_3", "")
		for _, who := range []Actor{w.actor, stranger} {
			id := b.ID
			if who == w.actor {
				id = uuid.New()
			}
			_, err = w.Cancel(background, who, id, "")
			wantCode(t, err, slotd.BookingNotFound)
		}
		_, err = w.Reschedule(background, w.actor, uuid.New(), at("+1 10:00"))
		wantCode(t, err, slotd.BookingNotFound)
	})
}

func TestVerbs_HeldAndExpiredBookingsAreNobodys(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("10:00"))
		for _, state := range []slotd.State{slotd.Held, slotd.Expired} {
			_, err := w.Raw.Exec(`UPDATE bookings SET state = $1 WHERE id = $2`, string(state), b.ID.String())
			w.Must(err)
			_, err = w.Cancel(background, w.actor, b.ID, "")
			wantCode(t, err, slotd.BookingNotFound)
			_, err = w.Reschedule(background, w.actor, b.ID, at("11:00"))
			wantCode(t, err, slotd.BookingNotFound)
		}
	})
}

func TestRefuse_OffersTheNearestAndNamesTheAttendeesOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("10:00"))
		r := Request{EventType: "intro", StartsAt: at("10:00"), Attendee: guest}
		r.Attendee.Email = strings.ToUpper(guest.Email)
		_, err := w.Create(background, w.actor, r)
		e := wantCode(t, err, slotd.SlotUnavailable)
		if e.BookingID != b.ID.String() {
			t.Errorf("booking_id %q", e.BookingID)
		}
		// 09:00 and 11:00 are equally near. The earlier one is chosen.
		if want := []time.Time{at("09:00"), at("09:30"), at("10:30")}; !slices.EqualFunc(e.Alternatives, want,
			time.Time.Equal) {
			t.Errorf("alternatives %v, want %v", e.Alternatives, want)
		}
		r.Attendee.Email = "someone@else.example"
		_, err = w.Create(background, w.actor, r)
		if e := wantCode(t, err, slotd.SlotUnavailable); e.BookingID != "" ||
			len(e.Alternatives) != 3 || e.Slot != slots.Busy {
			t.Errorf("a stranger is told %+v", e.Facts)
		}
	})
}

// The attendee who has the slot may cancel while the refusal is composed.
func TestRefuse_NeverNamesACanceledOrMovedBooking(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		refuse := func(about string, change func(*slotd.Booking)) {
			t.Helper()
			b := w.mustCreate("intro", at("10:00"))
			p, err := w.cache.Latest(background, w.actor.WorkspaceID)
			w.Must(err)
			change(b)
			r := Request{EventType: "intro", StartsAt: at("10:00"), Attendee: guest}
			err = w.refuse(background, w.actor, r, refusal{slots.Busy, p.EventTypeBySlug("intro"), p.Claims})
			if e := wantCode(t, err, slotd.SlotUnavailable); e.BookingID != "" {
				t.Errorf("%s: the attendee is told to have this very slot: %+v", about, e.Facts)
			}
		}
		refuse("canceled", func(b *slotd.Booking) {
			_, err := w.Cancel(background, w.actor, b.ID, "")
			w.Must(err)
		})
		refuse("moved", func(b *slotd.Booking) { w.mustMove(b, at("14:00")) })
	})
}

func TestIdempotency_ReturnsTheFirstSuccess(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := Request{EventType: "intro", StartsAt: at("10:00"), Attendee: guest,
			Idempotency: &Idempotency{TokenID: "tok_1", Key: "key"}}
		b, err := w.Create(background, w.actor, r)
		w.Must(err)
		w.mustMove(b, at("11:00"))
		w.mustCreate("intro", at("10:00"))
		paris := time.FixedZone("", 3600)
		r.StartsAt = r.StartsAt.In(paris) // the same instant, written differently
		again, err := w.Create(background, w.actor, r)
		w.Must(err)
		if again.ID != b.ID || !again.StartsAt.Equal(at("10:00")) {
			t.Errorf("got %s at %s", again.ID, again.StartsAt)
		}
		r.Notes = "other"
		_, err = w.Create(background, w.actor, r)
		wantCode(t, err, slotd.InvalidArgument)
		r.Notes, r.Attendee.Phone = "", "+1 555 0199"
		_, err = w.Create(background, w.actor, r)
		wantCode(t, err, slotd.InvalidArgument)
		r.Attendee, r.Idempotency = guest, &Idempotency{TokenID: "tok_2", Key: "key"}
		_, err = w.Create(background, w.actor, r)
		wantCode(t, err, slotd.SlotUnavailable)
		r.Idempotency = &Idempotency{TokenID: "tok_1", Key: "key"}
		w.Clock.Set(monday.Add(24*time.Hour - time.Millisecond))
		if again, err = w.Create(background, w.actor, r); err != nil || again.ID != b.ID {
			t.Errorf("just within a day: %v", err)
		}
		w.Clock.Set(monday.Add(24 * time.Hour))
		_, err = w.Create(background, w.actor, r)
		wantCode(t, err, slotd.SlotUnavailable)
		r.StartsAt = at("+1 10:00")
		if fresh, err := w.Create(background, w.actor, r); err != nil || fresh.ID == b.ID {
			t.Errorf("the key can be used anew after a day: %v", err)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}
