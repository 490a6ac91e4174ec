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
	"slotd/internal/store"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

func apply(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("apply", "")
	d.Define(fs)
	path := fs.String("f", "", "the workspace file, YAML or JSON; - is standard input")
	dryRun := fs.Bool("dry-run", false, "print what would change and change nothing")
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
		changes = []string{"nothing changed"}
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
		changes = append(changes, fmt.Sprintf("calendar %s: password changed", name))
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
			fmt.Fprintf(p.err, "warning: calendar %s: its password goes unencrypted to %s; use https if you can\n",
				c.Name, u.Host)
		}
		if c.ByConsent() {
			fmt.Fprintf(p.err, "calendar %s: until its owner has agreed, nothing can be booked; slotd calendar "+
				"connect --workspace %s --name %q prints the link\n", c.Name, file.Workspace.Slug, c.Name)
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
		return fmt.Errorf("%s: line %d: calendar %q: the environment variable %s that its password_env names is not "+
			"set, and no password is stored for this url and username, nothing was changed",
			path, env.Line, missing.Calendar, env.Name)
	}
	return fmt.Errorf("%s: line %d: %w, nothing was changed", path, file.CalendarLines[missing.Calendar], missing)
}

// warnAboutPasswords prints which passwords were not changed, although the file names a variable for them.
func (p *program) warnAboutPasswords(file *file.File, given map[string]string) {
	for _, c := range file.Workspace.Calendars {
		if env, named := file.Passwords[c.Name]; named && given[c.Name] == "" {
			fmt.Fprintf(p.err, "calendar %s: %s is not set, so the stored password stays\n", c.Name, env.Name)
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
			fmt.Fprintf(p.err, "warning: event type %s has a price, but payments are not set up: nobody can book it\n",
				e.Slug)
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
