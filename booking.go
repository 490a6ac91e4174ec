package slotd

import (
	"time"

	"github.com/google/uuid"
)

// Booking keeps the terms it was booked under: editing the event type affects only later bookings.
type Booking struct {
	ID          uuid.UUID
	EventTypeID int64
	State       State
	StartsAt    time.Time
	EndsAt      time.Time
	HostWall    string // the host's wall clock at the start, as promised to the attendee
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
	Sequence      int   // of the invites; increases with every move and on cancel

	Attendee  Attendee
	Notes     string
	CreatedAt time.Time

	CancelReason string // as written by the person who canceled; may be empty
	MoveReason   string // of the last move; only the host can give one

	Hold Hold // the last one, even if it has ended
}

// Attendee is the person who booked. store.AttendeeData lists everything that is stored about them.
type Attendee struct {
	Name     string
	Email    string
	TimeZone string
	Phone    string // to be called at; empty unless the event type asks for it
}

// Ended reports whether the booking has ended at now.
func (b *Booking) Ended(now time.Time) bool { return !now.Before(b.EndsAt) }

// Token lets its holder act as the host of one workspace. The secret itself is not stored.
type Token struct {
	ID          string
	WorkspaceID int64
	Name        string
	LastFour    string
	CreatedAt   time.Time
	LastUsedAt  time.Time // zero: never
}

// Instant formats t as all clients receive it: YYYY-MM-DDTHH:MM:SS.mmmZ.
func Instant(t time.Time) string { return string(AppendInstant(nil, t)) }

// AppendInstant is like Instant, but appends to out. It does not allocate and is several times as fast as Time.Format.
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

// AppendInstants appends a JSON array of instants in ascending order. The date is formatted once per day and copied.
func AppendInstants(out []byte, instants []time.Time) []byte {
	const secondsPerDay, dateLength = 24 * 3600, len("2006-01-02T")
	out = append(out, '[')
	var day int64 = -1
	date := 0 // offset of the last date in out
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
