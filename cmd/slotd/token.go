package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"slotd"

	"slotd/internal/availability/snapshot"
	"slotd/internal/cli"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/workspace"
)

func tokenCreate(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	name := fs.String("name", "", "name of the token, shown in lists")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug, "--name", *name); err != nil {
		return err
	}
	if err := workspace.CheckName(*name); err != nil {
		return cli.Usagef("--name %s", err)
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		tokens := identity.Tokens{DB: db, Now: now}
		plaintext, _, err := tokens.Create(ctx, id, *name, slotd.Operator)
		if err == nil {
			fmt.Fprintln(p.out, plaintext)
		}
		return err
	})
}

func tokenList(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	asJSON := fs.Bool("json", false, "print JSON")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug); err != nil {
		return err
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		tokens := identity.Tokens{DB: db, Now: now}
		found, err := tokens.List(ctx, id)
		if err != nil {
			return err
		}
		lines := make([]tokenLine, len(found))
		for i, t := range found {
			lines[i] = tokenLine{t.ID, t.Name, t.CreatedAt.Format(time.RFC3339), "never", t.LastFour}
			if !t.LastUsedAt.IsZero() {
				lines[i].LastUsed = t.LastUsedAt.Format(time.RFC3339)
			}
		}
		return p.printTokens(lines, *asJSON)
	})
}

type tokenLine struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Created  string `json:"created"`
	LastUsed string `json:"last_used"`
	LastFour string `json:"last_four"`
}

func (p *program) printTokens(lines []tokenLine, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(p.out).Encode(lines)
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, l := range lines {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t…%s\n", l.ID, l.Name, say.T("created %s", l.Created),
			say.T("last used %s", l.LastUsed), l.LastFour)
	}
	return table.Flush()
}

func tokenRevoke(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("ID")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	ids, err := fs.ParseArgs(args, 1)
	if err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug); err != nil {
		return err
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		tokens := identity.Tokens{DB: db, Now: now}
		found, err := tokens.Revoke(ctx, id, ids[0], slotd.Operator)
		if err != nil {
			return err
		}
		if !found {
			return cli.Errorf("workspace %s has no token %s; slotd token list shows the IDs", *slug, ids[0])
		}
		fmt.Fprintln(p.out, say.T("revoked %s", ids[0]))
		return nil
	})
}

func workspaceID(ctx context.Context, db *store.DB, slug string) (int64, error) {
	id, err := db.Read().WorkspaceIDBySlug(ctx, slug)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, snapshot.WorkspaceNotFound(slug)
	}
	return id, err
}
