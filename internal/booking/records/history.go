package records

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/mail/delivery"
	"slotd/internal/store/sqlcgen"
)

// Happening is one line of a booking's history: what was done to it, and what came or is to come of that.
type HistoryEntry struct {
	At      time.Time `json:"at"`
	What    string    `json:"what"`              // in words
	Actor   string    `json:"actor,omitempty"`   // who did it, as the booking's events name them
	Who     string    `json:"who,omitempty"`     // the same as people say it
	Trouble string    `json:"trouble,omitempty"` // why it is not as it should be
	Ahead   bool      `json:"ahead,omitempty"`   // it is still to come
	// a mail left our hands: into a mail server's, or as a file into the outbox
	Mailed bool `json:"mailed,omitempty"`
}

// History is all that happened to a booking, in time order. It speaks of times as local does.
func (s *Service) History(ctx context.Context, workspaceID int64, id uuid.UUID, local when.Local) ([]HistoryEntry,
	error) {
	h := history{service: s, workspaceID: workspaceID, id: id.String(), local: local}
	for _, gather := range []func(context.Context) error{h.events, h.nameActors, h.mails, h.writings, h.jobs} {
		if err := gather(ctx); err != nil {
			return nil, fmt.Errorf("load the history of booking %s: %w", id, err)
		}
	}
	slices.SortStableFunc(h.all, func(a,
		b HistoryEntry) int {
		return cmp.Or(boolOrder(a.Ahead, b.Ahead), a.At.Compare(b.At))
	})
	return h.all, nil
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

type history struct {
	service     *Service
	workspaceID int64
	id          string
	local       when.Local
	all         []HistoryEntry
}

func (h *history) add(millis int64, happening HistoryEntry) {
	happening.At = time.UnixMilli(millis).UTC()
	h.all = append(h.all, happening)
}

func (h *history) events(ctx context.Context) error {
	rows, err := h.service.DB.Read().BookingEvents(ctx,
		sqlcgen.BookingEventsParams{WorkspaceID: h.workspaceID, BookingID: h.id})
	for _, row := range rows {
		h.add(row.At, HistoryEntry{What: h.event(row), Actor: row.Actor})
	}
	return err
}

// event says what an event was; one of a kind that is not known here says its own name.
func (h *history) event(row sqlcgen.BookingEventsRow) string {
	var detail map[string]string
	json.Unmarshal([]byte(row.Detail), &detail) // an event without times is still one
	switch row.Kind {
	case "created":
		return "Booked for " + h.time(detail["starts_at"])
	case "held":
		return "Kept for its payment: " + h.time(detail["starts_at"])
	case "paid":
		return "Paid for and confirmed"
	case booking.PaidTooLateEvent:
		return "Paid for too late: its time was another's by then"
	case "expired":
		return "Not paid for in time"
	case "rescheduled":
		return "Moved from " + h.time(detail["from"]) + " to " + h.time(detail["to"])
	case "canceled":
		return "Canceled"
	}
	return sentenceCase(strings.ReplaceAll(row.Kind, "_", " "))
}

func (h *history) time(instant string) string {
	t, wrong := slotd.ParseInstant(instant)
	if wrong != "" {
		return "another time"
	}
	return h.local.ShortInstant(t)
}

func sentenceCase(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// nameActors finds out what tokens and owners are called, those too that are gone by now.
func (h *history) nameActors(ctx context.Context) error {
	tokens, err := h.service.DB.Read().TokenNames(ctx, h.workspaceID)
	if err != nil {
		return err
	}
	names := map[string]string{booking.AttendeeName: "guest", "page": "guest", booking.PaymentActor(0).Name: "payment service"}
	for _, t := range tokens {
		names["token:"+t.ID] = "token " + t.Name
	}
	for i := range h.all {
		e := &h.all[i]
		if err := h.nameOwner(ctx, names, e.Actor); err != nil {
			return err
		}
		e.Who = cmp.Or(names[e.Actor], e.Actor)
	}
	return nil
}

func (h *history) nameOwner(ctx context.Context, names map[string]string, actor string) error {
	id, err := strconv.ParseInt(strings.TrimPrefix(actor, "user:"), 10, 64)
	if !strings.HasPrefix(actor, "user:") || err != nil || names[actor] != "" {
		return nil
	}
	user, err := h.service.DB.Read().User(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	names[actor] = user.Email
	return err
}

// mails that are on their way have a job, which says more.
func (h *history) mails(ctx context.Context) error {
	rows, err := h.service.DB.Read().MailsOfBooking(ctx,
		sqlcgen.MailsOfBookingParams{WorkspaceID: h.workspaceID, BookingID: h.id})
	for _, row := range rows {
		if row.SentAt > 0 {
			h.add(row.SentAt, HistoryEntry{What: "Mail " + h.mail(row.ID), Mailed: true})
		}
	}
	return err
}

// mail says which one an id names: see jobList.add.
func (h *history) mail(id string) string {
	parts := strings.Split(strings.TrimPrefix(id, h.id+"."), ".")
	switch {
	case len(parts) == 3 && parts[1] == "reminder":
		return "to the guest: reminder " + before(parts[2])
	case len(parts) == 3 && parts[2] == "host":
		return "to the host: " + strings.ReplaceAll(parts[1], "_", " ")
	case len(parts) == 3:
		return "to the guest: " + strings.ReplaceAll(parts[1], "_", " ")
	}
	return "to the host: " + strings.NewReplacer("_", " ", "-", " ").Replace(strings.Join(parts, " "))
}

// before is how long before the start: 1 day, 1 hour 30 minutes.
func before(minutes string) string {
	left, err := strconv.Atoi(minutes)
	if err != nil || left < 1 {
		return minutes + " minutes before"
	}
	var words []string
	for _, unit := range []struct {
		minutes int
		name    string
	}{{24 * 60, "day"}, {60, "hour"}, {1, "minute"}} {
		n := left / unit.minutes
		left %= unit.minutes
		switch {
		case n == 1:
			words = append(words, "1 "+unit.name)
		case n > 1:
			words = append(words, fmt.Sprintf("%d %ss", n, unit.name))
		}
	}
	return strings.Join(words, " ") + " before"
}

func (h *history) writings(ctx context.Context) error {
	rows, err := h.service.DB.Read().WritingsOfBooking(ctx,
		sqlcgen.WritingsOfBookingParams{WorkspaceID: h.workspaceID, BookingID: h.id})
	for _, row := range rows {
		what := "Written into the calendar " + row.Name
		switch {
		case row.LastError != "":
			what = "Could not be written into the calendar " + row.Name
		case row.PlaceID == "":
			what = "Taken out of the calendar " + row.Name
		}
		h.add(row.WrittenAt, HistoryEntry{What: what, Trouble: row.LastError})
	}
	return err
}

// jobs are what is still to be done, or was given up.
func (h *history) jobs(ctx context.Context) error {
	rows, err := h.service.DB.Read().JobsOfBooking(ctx,
		sqlcgen.JobsOfBookingParams{WorkspaceID: h.workspaceID, BookingID: h.id})
	for _, row := range rows {
		what, shown := h.job(row)
		why := delivery.StoredAnswer(row.LastError)
		switch {
		case !shown:
		case row.FailedAt > 0:
			h.add(row.FailedAt, HistoryEntry{What: what + ": given up", Trouble: cmp.Or(why, "no reason is known")})
		case row.Failures > 0:
			h.add(row.RunAt, HistoryEntry{What: what + ": is tried again", Trouble: why, Ahead: true})
		default:
			h.add(row.RunAt, HistoryEntry{What: what, Trouble: why, Ahead: true})
		}
	}
	return err
}

// job leaves out the rounds by which payments are watched, as long as they go well.
func (h *history) job(row sqlcgen.JobsOfBookingRow) (what string, shown bool) {
	switch row.Kind {
	case booking.NoticeJob, booking.ReminderJob, booking.OwnerMailJob:
		return "Mail " + h.mail(row.ID), true
	case booking.WriteBackJob:
		return "Writing into the calendar", true
	case booking.SettleJob, booking.ApplyPaymentJob:
		return "Settling the payment", row.Failures > 0
	}
	return sentenceCase(strings.ReplaceAll(row.Kind, "_", " ")), true
}
