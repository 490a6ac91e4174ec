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

// found is what a read has brought.
type found struct {
	began    time.Time
	changes  calendar.Changes
	same     bool // the copy is right as it is
	busy     []busyTime
	events   int
	warning  string
	expanded time.Time
}

// overtakenAtMost is how often a read is begun anew because another server wrote meanwhile.
const overtakenAtMost = 3

func (s *Service) readOnce(ctx context.Context, workspaceID, calendarID int64) error {
	for try := 1; ; try++ {
		src, err := s.load(ctx, workspaceID, calendarID)
		if err != nil {
			return err
		}
		if err := s.mayRead(src); err != nil {
			return err
		}
		f, err := s.fetch(ctx, src)
		var unreadable *calendar.Error
		if errors.As(err, &unreadable) {
			if unreadable.Kind == calendar.Revoked && try < overtakenAtMost && s.hasOtherToken(ctx, src) {
				continue
			}
			if err := s.keepFailure(ctx, src, unreadable); err != nil { // then nobody knows of it
				return err
			}
			return unreadable
		}
		if err == nil {
			err = s.keep(ctx, src, f)
		}
		if !errors.Is(err, errOvertaken) || try == overtakenAtMost {
			return err
		}
	}
}

// mayRead refuses where a read cannot help, or where the server has asked for a pause.
func (s *Service) mayRead(src *source) error {
	switch {
	case src.state.Broken:
		return calendar.Errorf(calendar.Revoked, "%s", src.state.LastError)
	case s.Now().UnixMilli() < src.state.WaitUntil:
		return calendar.Errorf(calendar.Unreachable, "%s", src.state.LastError)
	}
	return nil
}

// fetch asks the calendar what changed, and works out what that means.
func (s *Service) fetch(ctx context.Context, src *source) (*found, error) {
	provider, err := s.open(src)
	if err != nil {
		return nil, err
	}
	known, err := s.tags(ctx, src)
	if err != nil {
		return nil, err
	}
	ctx = safehttp.WithAllowance(ctx, maxRead)
	f := &found{began: s.Now(), expanded: src.reader.Until}
	if f.changes, err = s.changes(ctx, provider, src.state.Cursor, known); err != nil {
		return nil, err
	}
	unchanged := !f.changes.Whole && len(f.changes.Items) == 0 && len(f.changes.Gone) == 0
	if unchanged && src.state.ReadAt > 0 && src.state.ExpandedUntil > src.reader.Until.Add(-horizonRoom).UnixMilli() {
		f.same = true
		return f, nil
	}
	err = s.expand(ctx, src, f)
	if unusable := new(calendar.Error); f.changes.Whole || !errors.As(err, &unusable) {
		return f, err
	}
	// What was added bit by bit may be too much because of what is long over: a whole read leaves that out.
	if f.changes, err = s.changes(ctx, provider, "", nil); err != nil {
		return nil, err
	}
	f.changes.Whole = true
	return f, s.expand(ctx, src, f)
}

// changes asks the provider, and lets nothing pass that cannot be kept.
func (s *Service) changes(ctx context.Context, provider calendar.Provider, cursor string,
	known map[string]string) (calendar.Changes, error) {
	changes, err := provider.Changes(ctx, cursor, known)
	if err != nil {
		return changes, s.explained(ctx, err)
	}
	return changes, check(&changes)
}

const (
	maxRead   = 64 << 20 // unpacked, in all answers together
	maxID     = 1024     // of an item, and of its tag: a database's index takes no longer ones
	maxCursor = 64 << 10
)

// check refuses what no database would keep.
func check(changes *calendar.Changes) error {
	right := func(text string, most int) bool {
		return len(text) <= most && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
	}
	ok := right(changes.Cursor, maxCursor)
	for _, i := range changes.Items {
		ok = ok && right(i.ID, maxID) && right(i.Tag, maxID) && right(i.Text, len(i.Text))
	}
	for _, id := range changes.Gone {
		ok = ok && right(id, maxID)
	}
	if !ok {
		return calendar.Errorf(calendar.Unusable,
			"its server sends names that are too long or are no text: ask who runs it")
	}
	return nil
}

// explained lets no error pass that is not a sentence for the owner: it is kept and shown.
func (s *Service) explained(ctx context.Context, err error) error {
	var known *calendar.Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		return calendar.Errorf(calendar.Unreachable, "reading it took longer than %d seconds", readFor/time.Second)
	}
	s.Log.Error("a calendar's provider failed in an unexpected way", "error", err)
	return calendar.Errorf(calendar.Unusable, "reading it failed in an unexpected way; the server's log says more")
}

// tags are what providers want to know of the items that are kept. A feed is one item, which nobody
// asks for.
func (s *Service) tags(ctx context.Context, src *source) (map[string]string, error) {
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
