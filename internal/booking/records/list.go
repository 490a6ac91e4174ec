package records

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/store/sqlcgen"
)

// Stage selects the bookings that a host looks at.
type Stage string

const (
	Upcoming Stage = "upcoming" // takes the host's time, and is not over
	Past     Stage = "past"     // took the host's time, and is over
	Canceled Stage = "canceled" // does not take the host's time anymore
	All      Stage = "all"
)

// Stages lists all stages, in the order in which people ask for them.
var Stages = []Stage{Upcoming, Past, Canceled, All}

// Filter selects the bookings of a list. Bookings in a state that is not visible are on no list.
type Filter struct {
	Stage  Stage
	Search string    // in the attendee's name and address, the title and the id; empty for all
	From   time.Time // starts then or later; zero for all
}

// MaxSearch is the maximum length of a search, in characters.
const MaxSearch = 200

// CleanSearch turns what was typed into a valid search: PostgreSQL rejects text with a NUL in it.
func CleanSearch(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	if runes := []rune(text); len(runes) > MaxSearch {
		text = string(runes[:MaxSearch])
	}
	return strings.TrimSpace(text)
}

// Cursor is the last booking of a page: the next page starts after it. The zero Cursor is the beginning.
type Cursor struct {
	At time.Time
	ID uuid.UUID
}

// String returns the cursor for use in an address. It is empty for the beginning.
func (c Cursor) String() string {
	if c == (Cursor{}) {
		return ""
	}
	return fmt.Sprintf("%d.%s", c.At.UnixMilli(), c.ID)
}

// ParseCursor parses the result of String. Anything else means the beginning.
func ParseCursor(s string) Cursor {
	millis, id, _ := strings.Cut(s, ".")
	at, err := strconv.ParseInt(millis, 10, 64)
	parsed, idErr := uuid.Parse(id)
	if err != nil || idErr != nil || parsed.String() != id {
		return Cursor{}
	}
	return Cursor{time.UnixMilli(at).UTC(), parsed}
}

// List returns a page of at most limit bookings: upcoming ones in time order, all others latest first. next is where
// the next page starts; zero if this is the last page.
func (s *Service) List(ctx context.Context, workspaceID int64, f Filter, after Cursor,
	limit int) (page []*slotd.Booking, next Cursor, err error) {
	rows, err := s.rows(ctx, workspaceID, f, after, limit+1) // one more shows whether there is another page
	if err != nil {
		return nil, next, fmt.Errorf("list the bookings: %w", err)
	}
	more := len(rows) > limit
	if more {
		rows = rows[:limit]
	}
	for _, row := range rows {
		b, err := booking.FromRow(row)
		if err != nil {
			return nil, next, err
		}
		page = append(page, b)
	}
	if last := len(page) - 1; more {
		next = Cursor{page[last].StartsAt, page[last].ID}
	}
	return page, next, nil
}

// has reports whether a booking in this state can be on the stage's list.
func (g Stage) has(s slotd.State) bool {
	switch g {
	case Upcoming, Past:
		return s.IsVisible() && s.TakesTime()
	case Canceled:
		return s.IsVisible() && !s.TakesTime()
	}
	return s.IsVisible()
}

// stateNames returns the names of the stage's states, as the queries need them: as many as there can be, with empty
// ones at the end.
func (g Stage) stateNames() (names [6]string) {
	n := 0
	for _, info := range slotd.States {
		if g.has(info.State) {
			names[n] = string(info.State)
			n++
		}
	}
	return names
}

// maxDuration is the longest duration of a booking.
const maxDuration = 24 * time.Hour

func (s *Service) rows(ctx context.Context, workspaceID int64, f Filter, after Cursor, limit int) ([]sqlcgen.Booking,
	error) {
	now, states := s.Now().UnixMilli(), f.Stage.stateNames()
	q := sqlcgen.BookingsBackwardParams{
		WorkspaceID: workspaceID, State1: states[0], State2: states[1], State3: states[2], State4: states[3],
		State5: states[4], State6: states[5],
		FromAt: math.MinInt64, UntilAt: math.MaxInt64, EndsAfter: math.MinInt64, EndsBy: math.MaxInt64,
		Search: pattern(f.Search), Most: int32(limit),
	}
	if !f.From.IsZero() {
		q.FromAt = f.From.UnixMilli()
	}
	switch f.Stage {
	case Upcoming:
		q.EndsAfter, q.FromAt = now, max(q.FromAt, now-maxDuration.Milliseconds())
		return s.rowsForward(ctx, q, after)
	case Past:
		q.EndsBy, q.UntilAt = now, now
	}
	if after != (Cursor{}) {
		q.UntilAt, q.BeforeID = min(q.UntilAt, after.At.UnixMilli()), after.ID.String()
	}
	return s.DB.Read().BookingsBackward(ctx, q)
}

func (s *Service) rowsForward(ctx context.Context, q sqlcgen.BookingsBackwardParams, after Cursor) ([]sqlcgen.Booking,
	error) {
	if after != (Cursor{}) {
		q.FromAt, q.BeforeID = max(q.FromAt, after.At.UnixMilli()), after.ID.String()
	}
	return s.DB.Read().BookingsForward(ctx, sqlcgen.BookingsForwardParams{
		WorkspaceID: q.WorkspaceID, State1: q.State1, State2: q.State2, State3: q.State3, State4: q.State4,
		State5: q.State5, State6: q.State6, FromAt: q.FromAt, UntilAt: q.UntilAt,
		EndsAfter: q.EndsAfter, EndsBy: q.EndsBy, AfterID: q.BeforeID, Search: q.Search, Most: q.Most,
	})
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

func pattern(search string) string { return "%" + likeEscapes.Replace(CleanSearch(search)) + "%" }

// maxPerDay is the most that a view of one day can show: one booking per minute.
const maxPerDay = 24 * 60

// Between lists the visible bookings that take time within a span, in time order.
func (s *Service) Between(ctx context.Context, workspaceID int64, from, until time.Time) (list []*slotd.Booking,
	err error) {
	states := Upcoming.stateNames()
	rows, err := s.DB.Read().BookingsForward(ctx, sqlcgen.BookingsForwardParams{
		WorkspaceID: workspaceID, State1: states[0], State2: states[1], State3: states[2], State4: states[3],
		State5: states[4], State6: states[5],
		FromAt: from.Add(-maxDuration).UnixMilli(), UntilAt: until.UnixMilli(), EndsAfter: from.UnixMilli(),
		EndsBy: math.MaxInt64, Search: "%", Most: maxPerDay,
	})
	if err != nil {
		return nil, fmt.Errorf("list the bookings of a day: %w", err)
	}
	for _, row := range rows {
		b, err := booking.FromRow(row)
		if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, nil
}

// PaymentSummaryOf returns the payment summary of a booking. It returns nil if the booking was free.
func (s *Service) PaymentSummaryOf(ctx context.Context, workspaceID int64, b *slotd.Booking) (*PaymentSummary, error) {
	if b.Price == nil {
		return nil, nil
	}
	l, err := booking.LoadLedger(ctx, s.DB.Read(), workspaceID, b.ID)
	if err != nil {
		return nil, err
	}
	amount := func(cents int64) slotd.Price { return slotd.Price{AmountCents: cents, Currency: b.Price.Currency} }
	return &PaymentSummary{
		BookingID: b.ID.String(), EventTitle: b.EventTitle, StartsAt: b.StartsAt, State: b.State, Price: *b.Price,
		Paid: amount(l.Paid()), Refunded: amount(l.Refunded()), Due: amount(l.Due()), Disputed: l.IsDisputed(),
		Ledger: l,
	}, nil
}

// UpcomingByEventType returns the number of upcoming bookings of each event type, by its id.
func (s *Service) UpcomingByEventType(ctx context.Context, c *snapshot.Config, now time.Time) (map[int64]int64, error) {
	rows, err := s.DB.Read().BookingsToCome(ctx, sqlcgen.BookingsToComeParams{
		WorkspaceID: c.WorkspaceID, HostID: c.HostID,
		FromAt: now.Add(-slots.LongestClaim).UnixMilli(), StartsAt: now.UnixMilli(), HeldUntil: now.UnixMilli(),
	})
	if err != nil {
		return nil, fmt.Errorf("count the bookings to come: %w", err)
	}
	count := map[int64]int64{}
	for _, row := range rows {
		count[row.EventTypeID] = row.Bookings
	}
	return count, nil
}
