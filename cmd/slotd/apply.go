package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"slotd"
	"slotd/internal/cli"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

func apply(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	path := fs.String("f", "", "workspace file, YAML or JSON; - is standard input")
	dryRun := fs.Bool("dry-run", false, "print what would change without changing anything")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("-f", *path); err != nil {
		return err
	}
	file, err := p.readWorkspaceFile(*path)
	if err != nil {
		return err
	}
	change := workspace.Change{Desired: &file.Workspace, DryRun: *dryRun}
	change.Passwords = p.passwords(file)
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	db, err := d.Open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if len(change.Passwords) > 0 {
		if change.Keys, err = d.Keys(); err != nil {
			return err
		}
	}
	change.Now = now()
	change.Then = recordApply(change.Now)
	before, err := workspace.Put(ctx, db, change)
	var missing *workspace.PasswordMissingError
	if errors.As(err, &missing) {
		return passwordMissing(*path, file, missing)
	} else if err != nil {
		return err
	}
	changes := changesOf(before, &file.Workspace)
	if len(changes) == 0 {
		changes = []string{say.T("nothing changed")}
	}
	for _, change := range changes {
		fmt.Fprintln(p.out, change)
	}
	if err := p.warnAboutPrices(ctx, db, file); err != nil {
		return err
	}
	p.warnAboutPasswords(file, change.Passwords)
	p.warnAboutCalendars(file)
	return nil
}

func changesOf(before workspace.Previous, after *slotd.Workspace) []string {
	changes := file.Diff(before.Workspace, after)
	for _, name := range before.NewPasswords {
		changes = append(changes, say.T("calendar %s: password changed", name))
	}
	return changes
}

// recordApply records the change in the workspace's activity, so that its owners see that it came from the command
// line.
func recordApply(now time.Time) workspace.AfterChange {
	return func(ctx context.Context, tx *store.Tx, workspaceID int64, before workspace.Previous,
		after *slotd.Workspace) error {
		if before.Workspace == nil {
			return identity.RecordActivity(ctx, tx, workspaceID, slotd.Operator, "workspace.created", after.Slug,
				now)
		}
		return identity.RecordActivity(ctx, tx, workspaceID, slotd.Operator, "workspace.changed",
			strings.Join(changesOf(before, after), "\n"), now)
	}
}

// warnAboutCalendars prints what the owner still has to do and warns about passwords sent without encryption.
func (p *program) warnAboutCalendars(file *file.File) {
	for _, c := range file.Workspace.Calendars {
		u, err := url.Parse(c.URL)
		if err == nil && u.Scheme == "http" && c.Username != "" && !isLoopback(u.Hostname()) {
			fmt.Fprintln(p.err, say.T("warning: calendar %s: its password is sent unencrypted to %s; use https if possible",
				c.Name, u.Host))
		}
		if c.ByConsent() {
			fmt.Fprintln(p.err, say.T("calendar %s: nobody can book until its owner has connected it; get the link with "+
				"slotd calendar connect --workspace %s --name %q", c.Name, file.Workspace.Slug, c.Name))
		}
	}
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// passwords reads the passwords that the file names from the environment. If one is not set, the stored one stays.
func (p *program) passwords(file *file.File) map[string]string {
	passwords := map[string]string{}
	for calendar, env := range file.Passwords {
		if password, _ := p.getenv(env.Name); password != "" {
			passwords[calendar] = password
		}
	}
	return passwords
}

func passwordMissing(path string, file *file.File, missing *workspace.PasswordMissingError) error {
	if env, named := file.Passwords[missing.Calendar]; named {
		return cli.Errorf("%s: line %d: calendar %q: the environment variable %s (its password_env) isn't set, and no "+
			"password is stored for this url and username; nothing was changed",
			path, env.Line, missing.Calendar, env.Name)
	}
	return fmt.Errorf("%s: line %d: %w; nothing was changed", path, file.CalendarLines[missing.Calendar], missing)
}

// warnAboutPasswords prints which passwords were not changed, although the file names a variable for them.
func (p *program) warnAboutPasswords(file *file.File, given map[string]string) {
	for _, c := range file.Workspace.Calendars {
		if env, named := file.Passwords[c.Name]; named && given[c.Name] == "" {
			fmt.Fprintln(p.err, say.T("calendar %s: %s isn't set, so the stored password is kept", c.Name, env.Name))
		}
	}
}

// warnAboutPrices warns about paid event types for which nobody can pay yet.
func (p *program) warnAboutPrices(ctx context.Context, db *store.DB, file *file.File) error {
	operator, err := cli.StoredSetting(ctx, db, cli.PaymentsSetting)
	if err != nil || operator != "" {
		return err
	}
	id, err := db.Read().WorkspaceIDBySlug(ctx, file.Workspace.Slug)
	if err == nil {
		own, err := db.Read().HasPaymentAccount(ctx, id)
		if err != nil || own {
			return err
		}
	} else if !errors.Is(err, sql.ErrNoRows) { // a dry run for a new workspace has none
		return err
	}
	for _, e := range file.Workspace.EventTypes {
		if e.Price != nil {
			fmt.Fprintln(p.err, say.T("warning: event type %s has a price, but payments aren't set up, so nobody can book it",
				e.Slug))
		}
	}
	return nil
}

// maxWorkspaceFile is more than file.Read accepts, so that its error is reported and no cut file is read.
const maxWorkspaceFile = 17 << 20

func (p *program) readWorkspaceFile(path string) (*file.File, error) {
	src := p.in
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		src = f
	}
	text, err := io.ReadAll(io.LimitReader(src, maxWorkspaceFile))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	file, err := file.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s:\n%w", path, err)
	}
	return file, nil
}
