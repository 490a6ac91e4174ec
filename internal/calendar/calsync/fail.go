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

// notesWithin is for the note alone: the time for the read may be what is over.
const notesWithin = 10 * time.Second

// keepFailure notes why a calendar could not be read. The copy stays as it was and grows old.
func (s *Service) keepFailure(ctx context.Context, src *source, cause *calendar.Error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), notesWithin)
	defer cancel()
	now := s.Now()
	state := stateOf(src)
	state.TriedAt, state.LastError = now.UnixMilli(), ShortURL(cause.Message)
	if state.Failures == 0 || now.UnixMilli() >= state.NextAt { // a guest's try in between does not count
		state.Failures++
		state.NextAt = now.Add(pause(cause, state.Failures)).UnixMilli()
	}
	if wait := waitFor(cause); wait > 0 {
		state.WaitUntil = now.Add(wait).UnixMilli()
	}
	state.Broken = cause.Kind == calendar.Revoked
	tell := !state.Told && src.needsOwner(cause, now)
	state.Told = state.Told || tell
	if src.state.Failures == 0 {
		s.Log.Warn("a calendar cannot be read", "workspace", src.workspaceID, "calendar", src.calendar.Name, "why",
			state.LastError)
	}
	err := s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := putState(ctx, tx, state); err != nil || !tell {
			return err
		}
		return tellOwner(ctx, tx, src, state.Round, now)
	})
	if errors.Is(err, errOvertaken) { // who was quicker knows more
		return nil
	}
	return err
}

// needsOwner reports whether a calendar that could be read needs its owner now: it does not let us in any
// more, or guests have been sent away for an hour because of it.
func (src *source) needsOwner(cause *calendar.Error, now time.Time) bool {
	readAt := src.state.ReadAt
	refused := cause.Kind == calendar.Refused || cause.Kind == calendar.Revoked
	return readAt > 0 && (refused || now.Sub(time.UnixMilli(readAt)) > src.calendar.StaleAfter()+time.Hour)
}

const (
	shortestPause = 15 * time.Second
	usualPause    = 15 * time.Minute
	longestPause  = time.Hour
)

// waitFor is for how long nobody tries, guests neither: as long as the server asks for, and a minute
// where the password is refused, because accounts get locked.
func waitFor(cause *calendar.Error) time.Duration {
	wait := min(cause.RetryAfter, longestPause)
	if cause.Kind == calendar.Refused {
		wait = max(wait, time.Minute)
	}
	return wait
}

// pause doubles with each failure. One who is not let in comes back less often.
func pause(cause *calendar.Error, failures int64) time.Duration {
	longest := usualPause
	if cause.Kind == calendar.Refused || cause.Kind == calendar.Revoked {
		longest = longestPause
	}
	p := longest
	if failures < 10 {
		p = min(shortestPause<<(failures-1), longest)
	}
	return max(p, min(cause.RetryAfter, longestPause))
}

// OwnerJob tells the owner that a calendar needs attention.
const OwnerMailJob = "calendar_trouble"

// tellOwner is in the transaction that notes the failure, so that it is told once.
func tellOwner(ctx context.Context, tx *store.Tx, src *source, round int64, now time.Time) error {
	return jobs.Enqueue(ctx, tx, []jobs.Job{{
		WorkspaceID: src.workspaceID, Booking: uuid.Nil,
		ID:    fmt.Sprintf("calendar.%d.%d.trouble", src.calendar.ID, round),
		Queue: jobs.Mail, Kind: OwnerMailJob, Detail: fmt.Sprintf(`{"calendar":%d}`, src.calendar.ID), CreatedAt: now,
		DueAt: now,
	}})
}
