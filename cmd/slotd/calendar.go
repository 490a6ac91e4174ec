package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"text/tabwriter"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/caldav"
	"slotd/internal/calendar/calsync"
	"slotd/internal/cli"
	"slotd/internal/identity/links"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/say"
	"slotd/internal/lib/seal"
	"slotd/internal/store/sqlcgen"
)

// calendarCommand holds what the calendar commands share.
type calendarCommand struct {
	cli.Database
	cli.Calendars
	slug, name string

	*calsync.Service
	config *snapshot.Config
}

// withCalendars parses the flags and opens the database, the keys and the workspace for a command.
func (p *program) withCalendars(ctx context.Context, fs *cli.FlagSet, args []string,
	do func(c *calendarCommand) error) error {
	c := &calendarCommand{}
	c.Database.Define(fs)
	c.Calendars.Define(fs)
	fs.StringVar(&c.slug, "workspace", "", "the workspace's slug")
	fs.StringVar(&c.name, "name", "", "name of the calendar (default: all)")
	names, err := fs.ParseAny(args)
	if err != nil {
		return err
	}
	if len(names) == 1 && c.name == "" {
		c.name = names[0]
	} else if len(names) > 0 {
		return cli.Usagef("slotd %s takes the name of one calendar, or none for all", fs.Name())
	}
	if err := cli.Required("--workspace", c.slug); err != nil {
		return err
	}
	return p.openCalendars(ctx, c, do)
}

func (p *program) openCalendars(ctx context.Context, c *calendarCommand, do func(c *calendarCommand) error) error {
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	db, err := c.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := c.UseStoredNetworks(ctx, db); err != nil {
		return err
	}
	keys, err := seal.Load(c.KeyPath()) // a mistyped path must not create a new file
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	cache, err := snapshot.NewCache(ctx, db, now)
	if err != nil {
		return err
	}
	defer cache.Close()
	c.Service = c.NewService(db, cache, keys, now,
		slog.New(slog.NewTextHandler(p.err, &slog.HandlerOptions{Level: slog.LevelError})))
	err = db.InReadTx(ctx, func(q *sqlcgen.Queries) error {
		c.config, err = snapshot.LoadConfig(ctx, q, c.slug)
		return err
	})
	if err != nil {
		return err
	}
	if c.BaseURL, err = cli.StoredSetting(ctx, db, cli.BaseURLSetting); err != nil {
		return err
	}
	if c.Links, err = links.Load(ctx, db, now()); err != nil {
		return err
	}
	return do(c)
}

// chosen returns the calendars that the command works on.
func (c *calendarCommand) chosen() ([]slotd.Calendar, error) {
	if c.name == "" {
		return c.config.Calendars, nil
	}
	for _, cal := range c.config.Calendars {
		if cal.Name == c.name {
			return []slotd.Calendar{cal}, nil
		}
	}
	return nil, cli.Errorf("workspace %s has no calendar %q; slotd calendar list shows its calendars", c.slug, c.name)
}

// eachCalendar runs do for the chosen calendars. It fails if do fails for one of them.
func (p *program) eachCalendar(c *calendarCommand, do func(cal slotd.Calendar) (string, error)) error {
	chosen, err := c.chosen()
	if err != nil {
		return err
	}
	failed := 0
	for _, cal := range chosen {
		text, err := do(cal)
		if err != nil {
			failed++
			text = say.T("can't be read: %s", cli.ErrorMessage(err))
		}
		fmt.Fprintf(p.out, "%s: %s\n", cal.Name, text)
	}
	if failed > 0 {
		return cli.Errorf("%d of %d calendars can't be read", failed, len(chosen))
	}
	return nil
}

func calendarTest(ctx context.Context, p *program, args []string) error {
	return p.withCalendars(ctx, p.flags(""), args, func(c *calendarCommand) error {
		return p.eachCalendar(c, func(cal slotd.Calendar) (string, error) {
			t, err := c.Test(ctx, c.config.WorkspaceID, cal.ID)
			text := say.N(t.Events, "read in %[2]d ms, %[1]d busy time in the next two years",
				"read in %[2]d ms, %[1]d busy times in the next two years", t.Took.Milliseconds())
			if t.Warnings != "" {
				text += "; " + t.Warnings
			}
			return text, err
		})
	})
}

func calendarSync(ctx context.Context, p *program, args []string) error {
	return p.withCalendars(ctx, p.flags(""), args, func(c *calendarCommand) error {
		return p.eachCalendar(c, func(cal slotd.Calendar) (string, error) {
			start := c.Now()
			err := c.ReadNow(ctx, c.config.WorkspaceID, cal.ID)
			return say.T("read in %d ms", c.Now().Sub(start).Milliseconds()), err
		})
	})
}

func calendarConnect(ctx context.Context, p *program, args []string) error {
	return p.withCalendars(ctx, p.flags(""), args, func(c *calendarCommand) error {
		if err := cli.Required("--name", c.name); err != nil {
			return err
		}
		chosen, err := c.chosen()
		if err != nil {
			return err
		}
		if c.BaseURL == "" {
			return cli.Errorf("start slotd serve first: the owner returns to its address after signing in")
		}
		url, err := c.ConsentURL(ctx, c.config.WorkspaceID, &chosen[0])
		if err != nil {
			return err
		}
		fmt.Fprintln(p.err, say.T("Have the calendar's owner open this link within an hour and allow access:"))
		fmt.Fprintln(p.out, url)
		return nil
	})
}

// timeText formats a time for lists.
func timeText(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Format(time.RFC3339)
}

// calendarFind lists the calendars of a CalDAV account, so that their URLs can go into the workspace file: a password
// is only ever sent to the server that the file names.
func calendarFind(ctx context.Context, p *program, args []string) error {
	var f cli.Calendars
	fs := p.flags("")
	f.Define(fs)
	url := fs.String("url", "", "address of the CalDAV server, such as https://dav.example/")
	username := fs.String("username", "", "user name of the account")
	env := fs.String("password-env", "", "environment variable that contains the password")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--url", *url); err != nil {
		return err
	}
	if err := f.Check(); err != nil {
		return err
	}
	account := caldav.Account{URL: *url, Username: *username}
	if *env != "" {
		password, found := p.getenv(*env)
		if !found {
			return cli.Usagef("the environment variable %s isn't set", *env)
		}
		account.Password = password
	}
	found, err := caldav.Discover(ctx, safehttp.New(f.Networks), account)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, c := range found {
		access := say.T("writable")
		if !c.Writable {
			access = say.T("read-only")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", c.URL, c.Name, access)
	}
	return table.Flush()
}
