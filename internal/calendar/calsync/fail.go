package calsync

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd/internal/calendar"
	"slotd/internal/jobs"
	"slotd/internal/store"
)

// saveFailureTimeout is separate, because the failure may be that the time for the read is over.
const saveFailureTimeout = 10 * time.Second

// saveFailure records why a calendar could not be read. The copy stays unchanged and becomes stale.
func (s *Service) saveFailure(ctx context.Context, src *source, cause *calendar.Error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveFailureTimeout)
	defer cancel()
	now := s.Now()
	state := stateOf(src)
	state.TriedAt, state.LastError = now.UnixMilli(), Shorten(ErrorText(cause))
	if state.Failures == 0 || now.UnixMilli() >= state.NextAt { // a guest's attempt in between does not count
		state.Failures++
		state.NextAt = now.Add(pause(cause, state.Failures)).UnixMilli()
	}
	if wait := requiredWait(cause); wait > 0 {
		state.WaitUntil = now.Add(wait).UnixMilli()
	}
	state.Broken = cause.Kind == calendar.Revoked
	mailOwner := !state.Told && src.needsOwner(cause, now)
	state.Told = state.Told || mailOwner
	if src.state.Failures == 0 {
		s.Log.Warn("a calendar cannot be read", "workspace", src.workspaceID, "calendar", src.calendar.Name, "why",
			state.LastError)
	}
	err := s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := putState(ctx, tx, state); err != nil || !mailOwner {
			return err
		}
		return enqueueOwnerMail(ctx, tx, src, state.Round, now)
	})
	if errors.Is(err, errSuperseded) { // the faster read knows more
		return nil
	}
	return err
}

// needsOwner reports whether a calendar that was readable before needs its owner now: it rejects our credential, or
// guests have been turned away because of it for an hour.
func (src *source) needsOwner(cause *calendar.Error, now time.Time) bool {
	readAt := src.state.ReadAt
	refused := cause.Kind == calendar.Refused || cause.Kind == calendar.Revoked
	return readAt > 0 && (refused || now.Sub(time.UnixMilli(readAt)) > src.calendar.StaleAfter()+time.Hour)
}

const (
	minPause     = 15 * time.Second
	maxPause     = 15 * time.Minute
	maxLongPause = time.Hour
)

// requiredWait returns how long nobody tries again, including guests: as long as the server asks for, and a minute if
// the password is rejected, because accounts get locked.
func requiredWait(cause *calendar.Error) time.Duration {
	wait := min(cause.RetryAfter, maxLongPause)
	if cause.Kind == calendar.Refused {
		wait = max(wait, time.Minute)
	}
	return wait
}

// pause doubles with each failure. After a rejected credential it grows longer.
func pause(cause *calendar.Error, failures int64) time.Duration {
	limit := maxPause
	if cause.Kind == calendar.Refused || cause.Kind == calendar.Revoked {
		limit = maxLongPause
	}
	p := limit
	if failures < 10 {
		p = min(minPause<<(failures-1), limit)
	}
	return max(p, min(cause.RetryAfter, maxLongPause))
}

// OwnerMailJob is the job that mails the owner that a calendar needs attention.
const OwnerMailJob = "calendar_trouble"

// enqueueOwnerMail runs in the transaction that saves the failure, so that the mail is sent once.
func enqueueOwnerMail(ctx context.Context, tx *store.Tx, src *source, round int64, now time.Time) error {
	return jobs.Enqueue(ctx, tx, []jobs.Job{{
		WorkspaceID: src.workspaceID, Booking: uuid.Nil,
		ID:    fmt.Sprintf("calendar.%d.%d.trouble", src.calendar.ID, round),
		Queue: jobs.Mail, Kind: OwnerMailJob, Detail: fmt.Sprintf(`{"calendar":%d}`, src.calendar.ID), CreatedAt: now,
		DueAt: now,
	}})
}
