package main

import (
	"context"
	"time"

	"slotd/internal/cli"
	"slotd/internal/store"
)

// clock returns the program's only clock. Tests shift it by an offset.
func (p *program) clock() (now func() time.Time, offset time.Duration, err error) {
	text, ok := p.getenv("SLOTD_CLOCK_OFFSET")
	if !ok || text == "" {
		return time.Now, 0, nil
	}
	offset, err = time.ParseDuration(text)
	if err != nil {
		return nil, 0, cli.Usagef("SLOTD_CLOCK_OFFSET must be a duration such as 26h, not %q", text)
	}
	return func() time.Time { return time.Now().Add(offset) }, offset, nil
}

// inWorkspace opens the database for a command that works on one workspace.
func (p *program) inWorkspace(ctx context.Context, d *cli.Database, slug string,
	do func(db *store.DB, workspaceID int64, now func() time.Time) error) error {
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	db, err := d.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	id, err := workspaceID(ctx, db, slug)
	if err != nil {
		return err
	}
	return do(db, id, now)
}

func (p *program) flags(arguments string) *cli.FlagSet {
	return cli.NewFlagSet(p.command, arguments, p.err, p.getenv)
}
