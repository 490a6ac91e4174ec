package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"slotd/internal/cli"
	"slotd/internal/lib/say"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

type workspaceLine struct {
	Slug   string `json:"slug"`
	Name   string `json:"name"`
	Owners int64  `json:"owners"`
	ToCome int64  `json:"bookings_to_come"`
}

func workspaceList(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	asJSON := fs.Bool("json", false, "print JSON")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	db, err := d.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	lines, err := workspaceLines(ctx, db, now())
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(p.out).Encode(lines)
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, l := range lines {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", l.Slug, l.Name, say.N(int(l.Owners), "%d owner", "%d owners"),
			say.N(int(l.ToCome), "%d upcoming booking", "%d upcoming bookings"))
	}
	return table.Flush()
}

func workspaceLines(ctx context.Context, db *store.DB, now time.Time) ([]workspaceLine, error) {
	lines := []workspaceLine{}
	err := db.InReadTx(ctx, func(q *sqlcgen.Queries) error {
		rows, err := q.WorkspaceList(ctx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			l := workspaceLine{Slug: row.Slug, Name: row.Name}
			if l.Owners, err = q.CountMembers(ctx, row.ID); err != nil {
				return err
			}
			if l.ToCome, err = q.CountBookingsToCome(ctx,
				sqlcgen.CountBookingsToComeParams{WorkspaceID: row.ID, StartsAt: now.UnixMilli()}); err != nil {
				return err
			}
			lines = append(lines, l)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the workspaces: %w", err)
	}
	return lines, nil
}

func workspaceDelete(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("SLUG")
	d.Define(fs)
	confirm := fs.String("confirm", "", "the slug again, to delete without being asked")
	force := fs.Bool("force", false, "even while guests are paying or are owed a refund")
	slugs, err := fs.ParseArgs(args, 1)
	if err != nil {
		return err
	}
	slug := slugs[0]
	return p.inWorkspace(ctx, &d, slug, func(db *store.DB, id int64, now func() time.Time) error {
		if *confirm == "" {
			if *confirm, err = p.askSlug(ctx, db, id, slug, now()); err != nil {
				return err
			}
		}
		if *confirm != slug {
			return cli.Errorf("%q is not %q: nothing was deleted", *confirm, slug)
		}
		bookings, err := workspace.Delete(ctx, db, slug, *force, accounts.AllOpenPayments)
		if err != nil {
			return err
		}
		fmt.Fprintln(p.out, say.T("deleted %s", slug))
		return d.RemoveMails(bookings)
	})
}

// askSlug says what would be lost and reads the slug from standard input.
func (p *program) askSlug(ctx context.Context, db *store.DB, id int64, slug string, now time.Time) (string, error) {
	toCome, err := db.Read().CountBookingsToCome(ctx,
		sqlcgen.CountBookingsToComeParams{WorkspaceID: id, StartsAt: now.UnixMilli()})
	if err != nil {
		return "", fmt.Errorf("count the bookings to come: %w", err)
	}
	fmt.Fprint(p.err, say.T("This permanently deletes the workspace %s with all its bookings (%d upcoming), calendars, "+
		"tokens, payments and activity. Nobody is notified.\nType its slug to continue: ", slug, toCome))
	line, _ := bufio.NewReader(p.in).ReadString('\n')
	if line = strings.TrimSpace(line); line == "" {
		return "", cli.Errorf("nothing was typed, so nothing was deleted; --confirm %s deletes without asking", slug)
	}
	return line, nil
}
