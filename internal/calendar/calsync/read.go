package calsync

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"slotd"
	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
	"slotd/internal/store/sqlcgen"
)

// readResult is the result of a read.
type readResult struct {
	startedAt     time.Time
	changes       calendar.Changes
	unchanged     bool // the copy is still correct
	busy          []busyTime
	events        int
	warning       string
	expandedUntil time.Time
}

// maxAttempts is how often a read is started because another server wrote at the same time.
const maxAttempts = 3

func (s *Service) readOnce(ctx context.Context, workspaceID, calendarID int64) error {
	for attempt := 1; ; attempt++ {
		src, err := s.load(ctx, workspaceID, calendarID)
		if err != nil {
			return err
		}
		if err := s.checkReadable(src); err != nil {
			return err
		}
		f, err := s.fetch(ctx, src)
		var calErr *calendar.Error
		if errors.As(err, &calErr) {
			if calErr.Kind == calendar.Revoked && attempt < maxAttempts && s.hasOtherToken(ctx, src) {
				continue
			}
			if err := s.saveFailure(ctx, src, calErr); err != nil { // then the failure is not recorded
				return err
			}
			return calErr
		}
		if err == nil {
			err = s.save(ctx, src, f)
		}
		if !errors.Is(err, errSuperseded) || attempt == maxAttempts {
			return err
		}
	}
}

// checkReadable returns an error if a read cannot help, or if the server has asked for a pause. The stored text already
// has the advice.
func (s *Service) checkReadable(src *source) error {
	switch {
	case src.state.Broken:
		return &calendar.Error{Kind: calendar.Revoked, Message: src.state.LastError}
	case s.Now().UnixMilli() < src.state.WaitUntil:
		return &calendar.Error{Kind: calendar.Unreachable, Message: src.state.LastError}
	}
	return nil
}

// fetch asks the calendar for its changes, and works out the busy times.
func (s *Service) fetch(ctx context.Context, src *source) (*readResult, error) {
	provider, err := s.open(src)
	if err != nil {
		return nil, err
	}
	known, err := s.storedTags(ctx, src)
	if err != nil {
		return nil, err
	}
	ctx = safehttp.WithBodyLimit(ctx, maxReadBytes)
	f := &readResult{startedAt: s.Now(), expandedUntil: src.reader.Until}
	if f.changes, err = s.changes(ctx, provider, src.state.Cursor, known); err != nil {
		return nil, err
	}
	noChanges := !f.changes.Complete && len(f.changes.Items) == 0 && len(f.changes.Gone) == 0
	if noChanges && src.state.ReadAt > 0 && src.state.ExpandedUntil > src.reader.Until.Add(-horizonMargin).UnixMilli() {
		f.unchanged = true
		return f, nil
	}
	err = s.expand(ctx, src, f)
	if unusable := new(calendar.Error); f.changes.Complete || !errors.As(err, &unusable) {
		return f, err
	}
	// The incremental copy may be too large because of events that are long over: a full read leaves them out.
	if f.changes, err = s.changes(ctx, provider, "", nil); err != nil {
		return nil, err
	}
	f.changes.Complete = true
	return f, s.expand(ctx, src, f)
}

// changes asks the provider, and rejects what cannot be stored.
func (s *Service) changes(ctx context.Context, provider calendar.Provider, cursor string,
	known map[string]string) (calendar.Changes, error) {
	changes, err := provider.Changes(ctx, cursor, known)
	if err != nil {
		return changes, s.toCalendarError(ctx, err)
	}
	return changes, checkStorable(&changes)
}

const (
	maxReadBytes = 64 << 20 // uncompressed, in all responses together
	maxIDLength  = 1024     // of an item's id and of its tag: a database index allows no more
	maxCursor    = 64 << 10
)

// checkStorable rejects what a database would not store.
func checkStorable(changes *calendar.Changes) error {
	valid := func(text string, limit int) bool {
		return len(text) <= limit && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
	}
	ok := valid(changes.Cursor, maxCursor)
	for _, i := range changes.Items {
		ok = ok && valid(i.ID, maxIDLength) && valid(i.Tag, maxIDLength) && valid(i.Text, len(i.Text))
	}
	for _, id := range changes.Gone {
		ok = ok && valid(id, maxIDLength)
	}
	if !ok {
		return calendar.Errorf(calendar.Unusable,
			"Its server sends names that are too long or aren't text.").Advise(calendar.AskProvider)
	}
	return nil
}

// toCalendarError replaces errors that are not sentences for the owner: the error is stored and shown.
func (s *Service) toCalendarError(ctx context.Context, err error) error {
	var calErr *calendar.Error
	switch {
	case errors.As(err, &calErr):
		return calErr
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		return calendar.Errorf(calendar.Unreachable, "Reading it took longer than %d seconds.", readTimeout/time.Second).
			Advise(calendar.Wait)
	}
	s.Log.Error("a calendar's provider failed in an unexpected way", "error", err)
	return calendar.Errorf(calendar.Unusable, "Reading it failed unexpectedly.").Advise(calendar.SeeLog)
}

// storedTags returns the tags of the stored items for providers that need them. A feed is a single item and needs
// none.
func (s *Service) storedTags(ctx context.Context, src *source) (map[string]string, error) {
	if src.calendar.Type == slotd.ICSFeed {
		return nil, nil
	}
	rows, err := s.DB.Read().CalendarTags(ctx,
		sqlcgen.CalendarTagsParams{WorkspaceID: src.workspaceID, CalendarID: src.calendar.ID})
	if err != nil {
		return nil, fmt.Errorf("load the tags of calendar %d: %w", src.calendar.ID, err)
	}
	known := make(map[string]string, len(rows))
	for _, row := range rows {
		known[row.ID] = row.Tag
	}
	return known, nil
}
