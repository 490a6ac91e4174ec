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
	"slotd/internal/lib/say"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/store/sqlcgen"
)

// HistoryEntry is one line of a booking's history: a change, or what followed or will follow from it.
type HistoryEntry struct {
	At      time.Time `json:"at"`
	What    string    `json:"what"`              // in words
	Actor   string    `json:"actor,omitempty"`   // as the booking's events name it
	Who     string    `json:"who,omitempty"`     // the actor's name for people
	Trouble string    `json:"trouble,omitempty"` // what went wrong
	Ahead   bool      `json:"ahead,omitempty"`   // it is still to come
	// Mailed reports whether a mail was handed over to a mail server, or written to the outbox.
	Mailed bool `json:"mailed,omitempty"`
}

// History returns everything that happened to a booking, in time order. It formats times with local.
func (s *Service) History(ctx context.Context, workspaceID int64, id uuid.UUID, local when.Local) ([]HistoryEntry,
	error) {
	h := history{service: s, workspaceID: workspaceID, id: id.String(), local: local}
	for _, step := range []func(context.Context) error{
		h.addEvents, h.nameActors, h.addMails, h.addCalendarWrites, h.addJobs,
	} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("load the history of booking %s: %w", id, err)
		}
	}
	slices.SortStableFunc(h.all, func(a, b HistoryEntry) int {
		return cmp.Or(compareBool(a.Ahead, b.Ahead), a.At.Compare(b.At))
	})
	return h.all, nil
}

func compareBool(a, b bool) int {
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

func (h *history) add(millis int64, entry HistoryEntry) {
	entry.At = time.UnixMilli(millis).UTC()
	h.all = append(h.all, entry)
}

func (h *history) addEvents(ctx context.Context) error {
	rows, err := h.service.DB.Read().BookingEvents(ctx,
		sqlcgen.BookingEventsParams{WorkspaceID: h.workspaceID, BookingID: h.id})
	for _, row := range rows {
		h.add(row.At, HistoryEntry{What: h.describeEvent(row), Actor: row.Actor})
	}
	return err
}

// describeEvent returns what the event was. An event of an unknown kind is described by its kind.
func (h *history) describeEvent(row sqlcgen.BookingEventsRow) string {
	var detail map[string]string
	json.Unmarshal([]byte(row.Detail), &detail) // an event without times is still an event
	hold := slotd.HoldReason(cmp.Or(detail[booking.HoldDetail], string(slotd.ForPayment))).Info()
	switch slotd.Cause(row.Kind) {
	case slotd.ByBooking:
		return say.T("Booked for %s", h.formatTime(detail["starts_at"]))
	case slotd.ByHold:
		return hold.Began.With(h.formatTime(detail["starts_at"]))
	case slotd.ByPayment:
		return say.T("Paid and confirmed")
	case slotd.ByLatePayment:
		return say.T("Paid too late: someone else had taken the time")
	case slotd.ByHoldEnd:
		return hold.Missed.String()
	case "rescheduled":
		return say.T("Rescheduled from %s to %s", h.formatTime(detail["from"]), h.formatTime(detail["to"]))
	case slotd.ByCancel:
		return say.T("Canceled")
	}
	return sentenceCase(strings.ReplaceAll(row.Kind, "_", " "))
}

func (h *history) formatTime(instant string) string {
	t, problem := slotd.ParseInstant(instant)
	if problem != "" {
		return say.T("an unknown time")
	}
	return h.local.ShortInstant(t)
}

func sentenceCase(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// nameActors looks up the names of tokens and owners, including deleted ones.
func (h *history) nameActors(ctx context.Context) error {
	tokens, err := h.service.DB.Read().TokenNames(ctx, h.workspaceID)
	if err != nil {
		return err
	}
	names := map[string]string{string(slotd.AttendeeActor): say.T("guest"),
		string(slotd.PageActor): say.T("guest"), string(slotd.PaymentActor): say.T("payment service")}
	for _, t := range tokens {
		names[slotd.Actor{Kind: slotd.TokenActor, ID: t.ID}.String()] = say.T("token %s", t.Name)
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
	by := slotd.ParseActor(actor)
	id, err := strconv.ParseInt(by.ID, 10, 64)
	if by.Kind != slotd.UserActor || err != nil || names[actor] != "" {
		return nil
	}
	user, err := h.service.DB.Read().User(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	names[actor] = user.Email
	return err
}

// addMails adds the mails that were sent. The others have a job, which contains more.
func (h *history) addMails(ctx context.Context) error {
	rows, err := h.service.DB.Read().MailsOfBooking(ctx,
		sqlcgen.MailsOfBookingParams{WorkspaceID: h.workspaceID, BookingID: h.id})
	for _, row := range rows {
		if row.SentAt > 0 {
			h.add(row.SentAt, HistoryEntry{What: h.describeMail(row.ID), Mailed: true})
		}
	}
	return err
}

// describeMail returns which mail an id stands for: see jobList.add in package booking.
func (h *history) describeMail(id string) string {
	parts := strings.Split(strings.TrimPrefix(id, h.id+"."), ".")
	switch {
	case len(parts) == 3 && parts[1] == "reminder":
		return say.T("Email to the guest: reminder %s before", formatLeadTime(parts[2]))
	case len(parts) == 3 && parts[2] == "host":
		return say.T("Email to the host: %s", mailName(parts[1]))
	case len(parts) == 3:
		return say.T("Email to the guest: %s", mailName(parts[1]))
	}
	return say.T("Email to the host: %s", mailName(strings.Join(parts, " ")))
}

var mailNames = map[string]say.Sentence{
	string(mail.Booked): "booked", string(mail.Rescheduled): "rescheduled", string(mail.Canceled): "canceled",
	string(mail.PaidTooLate): "paid too late", string(mail.RefundDue): "refund due",
	string(mail.PaymentDisputed): "payment disputed", string(mail.PaymentUnknown): "payment unknown",
}

// mailName names a kind of mail. A kind that is not on the list is named by its words.
func mailName(kind string) string {
	if name, ok := mailNames[kind]; ok {
		return name.String()
	}
	return strings.NewReplacer("_", " ", "-", " ").Replace(kind)
}

// formatLeadTime formats the time before the start: 1 day, 1 hour 30 minutes.
func formatLeadTime(minutes string) string {
	remaining, err := strconv.Atoi(minutes)
	if err != nil || remaining < 1 {
		return say.T("%s minutes", minutes)
	}
	var words []string
	if n := remaining / (24 * 60); n > 0 {
		words = append(words, say.N(n, "%d day", "%d days"))
	}
	if n := remaining / 60 % 24; n > 0 {
		words = append(words, say.N(n, "%d hour", "%d hours"))
	}
	if n := remaining % 60; n > 0 {
		words = append(words, say.N(n, "%d minute", "%d minutes"))
	}
	return strings.Join(words, " ")
}

func (h *history) addCalendarWrites(ctx context.Context) error {
	rows, err := h.service.DB.Read().WritingsOfBooking(ctx,
		sqlcgen.WritingsOfBookingParams{WorkspaceID: h.workspaceID, BookingID: h.id})
	for _, row := range rows {
		what := say.T("Added to the calendar %s", row.Name)
		switch {
		case row.LastError != "":
			what = say.T("Couldn't be added to the calendar %s", row.Name)
		case row.PlaceID == "":
			what = say.T("Removed from the calendar %s", row.Name)
		}
		h.add(row.WrittenAt, HistoryEntry{What: what, Trouble: row.LastError})
	}
	return err
}

// addJobs adds the jobs that are pending or have failed for good.
func (h *history) addJobs(ctx context.Context) error {
	rows, err := h.service.DB.Read().JobsOfBooking(ctx,
		sqlcgen.JobsOfBookingParams{WorkspaceID: h.workspaceID, BookingID: h.id})
	for _, row := range rows {
		what, shown := h.describeJob(row)
		why := delivery.StoredAnswer(row.LastError)
		switch {
		case !shown:
		case row.FailedAt > 0:
			h.add(row.FailedAt, HistoryEntry{What: say.T("%s: failed", what),
				Trouble: cmp.Or(why, say.T("unknown reason"))})
		case row.Failures > 0:
			h.add(row.RunAt, HistoryEntry{What: say.T("%s: will be retried", what), Trouble: why, Ahead: true})
		default:
			h.add(row.RunAt, HistoryEntry{What: what, Trouble: why, Ahead: true})
		}
	}
	return err
}

// describeJob hides the jobs that watch payments, as long as they succeed.
func (h *history) describeJob(row sqlcgen.JobsOfBookingRow) (what string, shown bool) {
	switch row.Kind {
	case booking.NoticeJob, booking.ReminderJob, booking.OwnerMailJob:
		return h.describeMail(row.ID), true
	case booking.WriteBackJob:
		return say.T("Adding to the calendar"), true
	case booking.SettleJob, booking.ApplyPaymentJob:
		return say.T("Processing the payment"), row.Failures > 0
	}
	return sentenceCase(strings.ReplaceAll(row.Kind, "_", " ")), true
}
