// Package calsync maintains copies of the hosts' own calendars: it opens a calendar with its credential, reads what
// has changed, works out the busy times and writes everything in one transaction. The sync job and the check before a
// booking read through the same function.
//
// It never turns what it cannot read into free time: the copy stays unchanged and becomes stale.
package calsync

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/calendar/oauth"
	"slotd/internal/identity/links"
	"slotd/internal/lib/coalesce"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// Service holds what reading calendars needs.
type Service struct {
	DB       *store.DB
	Cache    *snapshot.Cache
	Keys     *seal.Keys
	Client   *safehttp.Client
	Apps     map[slotd.CalendarType]oauth.App // for the services whose calendars are connected by consent
	Interval time.Duration                    // between two scheduled reads
	// LiveTimeout is how long a guest waits for the calendars; zero for the default.
	LiveTimeout time.Duration
	Now         func() time.Time
	Log         *slog.Logger

	Links   *links.Signer // signs the state that a service sends back
	BaseURL string        // where the service redirects to

	reads sync.Map // *coalesce.Group by calendarKey: one read of a calendar at a time
}

// DefaultInterval is the time between two scheduled reads of a calendar.
const DefaultInterval = 5 * time.Minute

type calendarKey struct{ workspace, calendar int64 }

// readTimeout limits a read. A waiting guest gives up earlier, and the read continues.
const readTimeout = 30 * time.Second

// Read brings the copy of a calendar up to date. Callers that arrive during a read share the next one, so that nobody
// gets a result that is older than the call.
func (s *Service) Read(ctx context.Context, workspaceID, calendarID int64) error {
	queue, _ := s.reads.LoadOrStore(calendarKey{workspaceID, calendarID}, &coalesce.Group{})
	return queue.(*coalesce.Group).Join(ctx, func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout) // it serves other callers too
		defer cancel()
		return s.readOnce(ctx, workspaceID, calendarID)
	})
}

// ReadNow is Read for somebody who has just fixed a problem: it sends the request even if the server asked for a
// pause or rejected us a moment ago.
func (s *Service) ReadNow(ctx context.Context, workspaceID, calendarID int64) error {
	err := s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.EndCalendarWait(ctx, sqlcgen.EndCalendarWaitParams{WorkspaceID: workspaceID, CalendarID: calendarID})
	})
	if err != nil {
		return fmt.Errorf("end the wait of calendar %d: %w", calendarID, err)
	}
	return s.Read(ctx, workspaceID, calendarID)
}

// source is one calendar with everything that a read needs.
type source struct {
	workspaceID int64
	hostID      int64
	calendar    slotd.Calendar
	sealed      []byte
	state       sqlcgen.CalendarRead
	reader      ical.Reader
}

// ErrGone means that the calendar is no longer connected.
var ErrGone = errors.New("the calendar is not connected any more")

func (s *Service) load(ctx context.Context, workspaceID, calendarID int64) (*source, error) {
	src := &source{workspaceID: workspaceID}
	err := s.DB.InReadTx(ctx, func(q *sqlcgen.Queries) error {
		row, err := q.Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: workspaceID, ID: calendarID})
		if err != nil {
			return err
		}
		src.hostID, src.sealed = row.HostID, row.Sealed
		src.calendar = slotd.Calendar{ID: calendarID, Name: row.Name}
		if err := json.Unmarshal([]byte(row.Settings), &src.calendar); err != nil {
			return err
		}
		if src.state, err = q.CalendarRead(ctx,
			sqlcgen.CalendarReadParams{WorkspaceID: workspaceID, CalendarID: calendarID}); err != nil {
			return err
		}
		return src.loadReader(ctx, q, s.Now())
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrGone
	} else if err != nil {
		return nil, fmt.Errorf("load calendar %d: %w", calendarID, err)
	}
	return src, nil
}

// open returns the provider of a calendar.
func (s *Service) open(src *source) (calendar.Provider, error) {
	credential, err := workspace.OpenCredential(s.Keys, src.workspaceID, &src.calendar, src.sealed)
	if errors.Is(err, seal.ErrOtherKey) {
		return nil, calendar.Errorf(calendar.Unusable,
			"Its password was encrypted with another key file than this server's.").Advise(calendar.RestoreKey)
	} else if err != nil {
		return nil, calendar.Errorf(calendar.Unusable,
			"Its stored password can't be decrypted.").Advise(calendar.CheckPassword)
	}
	return s.provider(src, credential)
}
