package calsync

import (
	"context"
	"time"

	"golang.org/x/oauth2"

	"slotd"
	"slotd/internal/availability/zone"
	"slotd/internal/calendar"
	"slotd/internal/calendar/caldav"
	"slotd/internal/calendar/feed"
	"slotd/internal/calendar/google"
	"slotd/internal/calendar/ical"
	"slotd/internal/calendar/microsoft"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// The horizon covers the longest booking window of any event type, even from the oldest copy that is still allowed,
// with a margin of a day for the reads in between. Events that ended two days ago no longer matter.
const (
	horizon       = (workspace.MaxWindowDays+5)*24*time.Hour + workspace.MaxStaleAfter
	horizonMargin = 24 * time.Hour
	horizonStart  = -48 * time.Hour
)

// loadReader sets the zone, the owner and the range for reading events.
func (src *source) loadReader(ctx context.Context, q *sqlcgen.Queries, now time.Time) error {
	host, err := q.HostOf(ctx, src.workspaceID)
	if err != nil {
		return err
	}
	name, err := q.WorkspaceZone(ctx, src.workspaceID)
	if err != nil {
		return err
	}
	z, err := zone.Load(name)
	if err != nil {
		return err
	}
	src.reader = ical.Reader{Zone: z.Location(), OwnerEmail: host.Email, Location: zone.Location,
		From: now.Add(horizonStart), Until: now.Add(horizon)}
	return nil
}

func (s *Service) provider(src *source, credential workspace.Credential) (calendar.Provider, error) {
	c, reader := &src.calendar, src.reader.SharingBudget() // a thousand small items may cost no more than a large one
	switch c.Type {
	case slotd.ICSFeed:
		return feed.New(s.Client, c.URL, c.Username, credential.Password, reader), nil
	case slotd.CalDAV:
		return caldav.New(s.Client, caldav.Account{URL: c.URL, Username: c.Username, Password: credential.Password},
			reader), nil
	}
	app, known := s.Apps[c.Type]
	if !known {
		return nil, notConfiguredError(c.Type)
	}
	if credential.Token == nil {
		return nil, calendar.Errorf(calendar.Revoked,
			"%s doesn't allow access to it yet.", serviceName(c.Type)).Advise(calendar.GiveConsent)
	}
	save := func(ctx context.Context, t *oauth2.Token) error { return s.saveToken(ctx, src, credential.Token, t) }
	tokens := app.Source(s.Client, credential.Token, s.Now, save)
	if c.Type == slotd.Google {
		return google.New(s.Client, app.Base, c.Calendar, tokens, reader), nil
	}
	return microsoft.New(s.Client, app.Base, c.Calendar, tokens, reader), nil
}

// needsJointExpansion reports whether an item of the calendar can be an exception to a series in another item.
func needsJointExpansion(t slotd.CalendarType) bool { return t == slotd.Google || t == slotd.Microsoft }
