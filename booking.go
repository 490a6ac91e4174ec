package slotd

import (
	"time"

	"github.com/google/uuid"
)

// State is where a booking is in its life. Only a held or a confirmed one has a claim on its
// host's time.
type State string

const (
	Held      State = "held"      // waits for a payment
	Confirmed State = "confirmed" // stands
	Canceled  State = "canceled"
	Expired   State = "expired" // was held and not paid in time
)

// Booking keeps what it was booked with: later edits of the event type touch later bookings only.
type Booking struct {
	ID          uuid.UUID
	EventTypeID int64
	State       State
	StartsAt    time.Time
	EndsAt      time.Time
	HostWall    string // the host's wall clock at the start, as it was promised
	HostZone    string

	BufferBeforeMinutes int
	BufferAfterMinutes  int

	EventTitle    string
	Location      string
	JoinURL       string
	Price         *Price
	RefundPolicy  *RefundPolicy
	RefundedCents int64
	Reminders     []int // minutes before the start
	Sequence      int   // of its invites: one more on every move and on cancel

	Attendee  Attendee
	Notes     string
	CreatedAt time.Time

	CancelReason string // in the words of who canceled; may be empty
	MoveReason   string // of the last move; the host's may have one

	HeldUntil time.Time // while it is held: when its time is free again, unless it is paid for
}

// Attendee is who booked. This is all the personal data there is about them.
type Attendee struct {
	Name     string
	Email    string
	TimeZone string
}

// Ended reports whether the booking is over at now.
func (b *Booking) Ended(now time.Time) bool { return !now.Before(b.EndsAt) }

// Token lets its holder act as the host of one workspace. Its secret is not kept.
type Token struct {
	ID          string
	WorkspaceID int64
	Name        string
	LastFour    string
	CreatedAt   time.Time
	LastUsedAt  time.Time // zero: never
}

// Instant writes t as every client gets it: YYYY-MM-DDTHH:MM:SS.mmmZ.
func Instant(t time.Time) string { return string(AppendInstant(nil, t)) }

// AppendInstant is Instant without an allocation and several times as quick as Time.Format.
func AppendInstant(out []byte, t time.Time) []byte {
	year, month, day := t.UTC().Date()
	out = append2(append2(out, year/100), year%100)
	out = append2(append(out, '-'), int(month))
	out = append2(append(out, '-'), day)
	return appendClock(append(out, 'T'), t)
}

func appendClock(out []byte, t time.Time) []byte {
	hour, minute, second := t.UTC().Clock()
	out = append2(out, hour)
	out = append2(append(out, ':'), minute)
	out = append2(append(out, ':'), second)
	millis := t.Nanosecond() / int(time.Millisecond)
	out = append(out, '.', byte('0'+millis/100))
	return append(append2(out, millis%100), 'Z')
}

func append2(out []byte, n int) []byte { return append(out, byte('0'+n/10), byte('0'+n%10)) }

// AppendInstants writes a JSON array of rising instants. A day's instants share their date.
func AppendInstants(out []byte, instants []time.Time) []byte {
	const secondsPerDay, dateLength = 24 * 3600, len("2006-01-02T")
	out = append(out, '[')
	var day int64 = -1
	date := 0 // where the last date stands in out
	for i, t := range instants {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '"')
		at := len(out)
		if d := t.Unix() / secondsPerDay; d != day {
			out = AppendInstant(out, t)
			day = d
		} else {
			out = append(out, out[date:date+dateLength]...)
			out = appendClock(out, t)
		}
		date = at
		out = append(out, '"')
	}
	return append(out, ']')
}
