package calsync

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/calendar"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// The owner connects a Google or Microsoft calendar by giving consent there. The service sends the owner back with a
// code and the state from our link. The state is signed, says which calendar it is for and when it was issued, and is
// all that slotd needs to continue.

// ConsentPath is where a service sends the owner back to.
const ConsentPath = "/oauth/calendar"

const consentLifetime = time.Hour

// ConsentURL returns the address where the owner gives consent.
func (s *Service) ConsentURL(ctx context.Context, workspaceID int64, cal *slotd.Calendar) (string, error) {
	app, known := s.Apps[cal.Type]
	switch {
	case !cal.ByConsent():
		return "", slotd.Because(slotd.NothingToAgree, slotd.Facts{Name: cal.Name})
	case !known:
		return "", notConfiguredError(cal.Type)
	}
	row, err := s.DB.Read().Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: workspaceID, ID: cal.ID})
	if err != nil {
		return "", fmt.Errorf("load calendar %s: %w", cal.Name, err)
	}
	state := s.Links.Token(links.Consent, workspaceID, consentState{cal.ID, s.Now(), row.Sealed}.id())
	return app.ConsentURL(s.BaseURL+ConsentPath, state, s.verifier(workspaceID, state)), nil
}

// consentState is the content of a state: the calendar, the time of issue, and the sealed credential at that time, so
// that the state becomes invalid with its first success.
type consentState struct {
	calendar int64
	issuedAt time.Time
	sealed   []byte
}

func (a consentState) id() (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:8], uint64(a.calendar))
	binary.BigEndian.PutUint32(id[8:12], uint32(a.issuedAt.Unix()))
	sum := sha256.Sum256(a.sealed)
	copy(id[12:], sum[:])
	return id
}

// verifier returns the proof that the code came back to the party that asked for it (RFC 7636). Only slotd can
// compute it.
func (s *Service) verifier(workspaceID int64, state string) string {
	return hex.EncodeToString(s.Links.Pseudonym(workspaceID, "verifier 1 "+state)) +
		hex.EncodeToString(s.Links.Pseudonym(workspaceID, "verifier 2 "+state))
}

// PendingConsent returns the calendar that a state is for.
func (s *Service) PendingConsent(ctx context.Context, state string) (workspaceID int64, cal *slotd.Calendar,
	err error) {
	workspaceID, id, ok := s.Links.Verify(links.Consent, state)
	if !ok {
		return 0, nil, errInvalidState
	}
	at := time.Unix(int64(binary.BigEndian.Uint32(id[8:12])), 0)
	if age := s.Now().Sub(at); age < -time.Minute || age > consentLifetime {
		return 0, nil, errInvalidState
	}
	src, err := s.load(ctx, workspaceID, int64(binary.BigEndian.Uint64(id[:8])))
	if err != nil && !errors.Is(err, ErrGone) {
		return 0, nil, err
	}
	if err != nil || !src.calendar.ByConsent() || id != (consentState{src.calendar.ID, at, src.sealed}).id() {
		return 0, nil, errInvalidState
	}
	return workspaceID, &src.calendar, nil
}

var errInvalidState = slotd.Because(slotd.ConsentExpired, slotd.Facts{})

// Consent exchanges the code that the owner came back with, saves the credential and reads the calendar. connected
// may be true even if the calendar cannot be read. address is the owner's IP address, for the activity log.
func (s *Service) Consent(ctx context.Context, state, code, address string) (connected bool, err error) {
	workspaceID, cal, err := s.PendingConsent(ctx, state)
	if err != nil {
		return false, err
	}
	app, known := s.Apps[cal.Type]
	if !known {
		return false, notConfiguredError(cal.Type)
	}
	token, err := app.Exchange(ctx, s.Client, s.BaseURL+ConsentPath, code, s.verifier(workspaceID, state))
	if err != nil {
		return false, err
	}
	sealed, err := workspace.Credential{Token: token}.Seal(s.Keys, workspaceID, cal)
	if err != nil {
		return false, err
	}
	if err := s.saveConsent(ctx, workspaceID, cal, sealed, address); err != nil {
		return false, err
	}
	return true, s.Read(ctx, workspaceID, cal.ID)
}

// saveConsent also restarts the sync job, which ended when the calendar was found to be broken.
func (s *Service) saveConsent(ctx context.Context, workspaceID int64, cal *slotd.Calendar, sealed []byte,
	address string) error {
	calendarID := cal.ID
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		row, err := tx.Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: workspaceID, ID: calendarID})
		if err != nil {
			return err
		}
		// SQLite returns nil for an empty value, and treats nil as NULL.
		n, err := tx.SealCalendar(ctx,
			sqlcgen.SealCalendarParams{WorkspaceID: workspaceID, ID: calendarID, Sealed: sealed,
				Sealed_2: append([]byte{}, row.Sealed...)})
		if err != nil {
			return err
		}
		if n == 0 {
			return errSuperseded
		}
		if err := identity.RecordActivity(ctx, tx, workspaceID, slotd.Actor{Kind: slotd.ConsentActor, Address: address},
			"calendar.agreed", cal.Name, s.Now()); err != nil {
			return err
		}
		if err := tx.RetryCalendarRead(ctx,
			sqlcgen.RetryCalendarReadParams{WorkspaceID: workspaceID, CalendarID: calendarID}); err != nil {
			return err
		}
		return workspace.ScheduleRead(ctx, tx, workspaceID, calendarID, s.Now())
	})
}

func serviceName(kind slotd.CalendarType) string {
	if kind == slotd.Microsoft {
		return "Microsoft"
	}
	return "Google"
}

func notConfiguredError(kind slotd.CalendarType) error {
	return calendar.Errorf(calendar.Unusable,
		"This server isn't set up for %s calendars: --%s-client-id and --%s-client-secret aren't set.", serviceName(kind),
		kind, kind).Advise(calendar.ChangeSettings)
}
