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

// InstantFormat is how every instant is written for a client.
const InstantFormat = "2006-01-02T15:04:05.000Z"

// Instant writes t for a client.
func Instant(t time.Time) string { return t.UTC().Format(InstantFormat) }
