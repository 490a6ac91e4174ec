package main

import (
	"context"

	"slotd/internal/availability/snapshot"
	"slotd/internal/cli"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace/file"
)

func export(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug); err != nil {
		return err
	}
	db, err := d.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.InReadTx(ctx, func(q *sqlcgen.Queries) error {
		c, err := snapshot.LoadConfig(ctx, q, *slug)
		if err == nil {
			_, err = p.out.Write(file.Export(&c.Workspace))
		}
		return err
	})
}
