package snapshot

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store/sqlcgen"
)

// Config is one workspace's configuration with its database ids. EventTypes includes the retired ones.
type Config struct {
	slotd.Workspace
	WorkspaceID int64
	HostID      int64
	Version     int64 // config_version in the database
	OwnAccount  bool  // guests pay into the workspace's own payment account

	schedules map[string]*slots.Schedule
}

// EventTypeBySlug returns the event type with the slug, offered or hidden. It returns nil if there is none.
func (c *Config) EventTypeBySlug(slug string) *slotd.EventType {
	return c.find(func(e *slotd.EventType) bool { return e.Slug == slug })
}

// EventTypeByID returns the event type with the id, which may be retired. It returns nil if there is none.
func (c *Config) EventTypeByID(id int64) *slotd.EventType {
	return c.find(func(e *slotd.EventType) bool { return e.ID == id })
}

func (c *Config) find(match func(*slotd.EventType) bool) *slotd.EventType {
	for i := range c.EventTypes {
		if match(&c.EventTypes[i]) {
			return &c.EventTypes[i]
		}
	}
	return nil
}

// Schedule returns the event type's schedule in the form that package slots expects.
func (c *Config) Schedule(e *slotd.EventType) *slots.Schedule { return c.schedules[e.Schedule] }

// LoadConfig reads a workspace's configuration. It returns a WorkspaceNotFound error if the slug does not exist.
func LoadConfig(ctx context.Context, q *sqlcgen.Queries, slug string) (*Config, error) {
	row, err := q.WorkspaceBySlug(ctx, slug)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, WorkspaceNotFound(slug)
	} else if err != nil {
		return nil, fmt.Errorf("load workspace %s: %w", slug, err)
	}
	c := &Config{WorkspaceID: row.ID}
	c.Slug, c.Name, c.TimeZone = row.Slug, row.Name, row.TimeZone
	for _, load := range []func() error{
		func() error { return decode(row.Look, &c.Look) },
		func() error { return decode(row.Embed, &c.Embed) },
		func() error { return c.loadVersion(ctx, q) },
		func() error { return c.loadHost(ctx, q) },
		func() error { return c.loadSchedules(ctx, q) },
		func() error { return c.loadEventTypes(ctx, q) },
		func() error { return c.loadCalendars(ctx, q) },
		func() (err error) { c.OwnAccount, err = q.HasPaymentAccount(ctx, c.WorkspaceID); return err },
	} {
		if err := load(); err != nil {
			return nil, fmt.Errorf("load workspace %s: %w", slug, err)
		}
	}
	return c, nil
}

// WorkspaceNotFound returns the error for a workspace that does not exist.
func WorkspaceNotFound(slug string) error {
	return slotd.NewError(slotd.WorkspaceNotFound, slotd.Facts{Workspace: slug})
}

func (c *Config) loadVersion(ctx context.Context, q *sqlcgen.Queries) error {
	v, err := q.Version(ctx, c.WorkspaceID)
	c.Version = v.ConfigVersion
	return err
}

func (c *Config) loadHost(ctx context.Context, q *sqlcgen.Queries) error {
	host, err := q.HostOf(ctx, c.WorkspaceID)
	c.HostID, c.Host = host.ID, slotd.Host{Name: host.Name, Email: host.Email}
	return err
}

func (c *Config) loadSchedules(ctx context.Context, q *sqlcgen.Queries) error {
	rows, err := q.Schedules(ctx, c.WorkspaceID)
	if err != nil {
		return err
	}
	c.Schedules = make(map[string]slotd.Schedule, len(rows))
	c.schedules = make(map[string]*slots.Schedule, len(rows))
	for _, row := range rows {
		var s slotd.Schedule
		if err := decode(row.Settings, &s); err != nil {
			return fmt.Errorf("schedule %s: %w", row.Name, err)
		}
		c.Schedules[row.Name] = s
		if c.schedules[row.Name], err = c.EngineSchedule(row.Name); err != nil {
			return fmt.Errorf("schedule %s: %w", row.Name, err)
		}
	}
	return nil
}

func (c *Config) loadEventTypes(ctx context.Context, q *sqlcgen.Queries) error {
	rows, err := q.EventTypes(ctx, c.WorkspaceID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		e := slotd.EventType{ID: row.ID, Slug: row.Slug, Retired: row.Retired}
		if err := decode(row.Settings, &e); err != nil {
			return fmt.Errorf("event type %s: %w", row.Slug, err)
		}
		c.EventTypes = append(c.EventTypes, e)
	}
	return nil
}

func (c *Config) loadCalendars(ctx context.Context, q *sqlcgen.Queries) error {
	rows, err := q.Calendars(ctx, c.WorkspaceID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		cal := slotd.Calendar{ID: row.ID, Name: row.Name}
		if err := decode(row.Settings, &cal); err != nil {
			return fmt.Errorf("calendar %s: %w", row.Name, err)
		}
		c.Calendars = append(c.Calendars, cal)
	}
	return nil
}

// CalendarByID returns the connected calendar with the id. It returns nil if there is none.
func (c *Config) CalendarByID(id int64) *slotd.Calendar {
	for i := range c.Calendars {
		if c.Calendars[i].ID == id {
			return &c.Calendars[i]
		}
	}
	return nil
}

func decode(text string, into any) error { return json.Unmarshal([]byte(text), into) }
