package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"slotd"

	"slotd/internal/cli"
	"slotd/internal/identity"
	"slotd/internal/identity/links"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/workspace"
)

// userAdd prints only the link to standard output, so that a program can pass it on. The link also lets in an owner who
// cannot sign in any more.
func userAdd(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	email := fs.String("email", "", "the owner's email address")
	name := fs.String("name", "", "the owner's name")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug, "--email", *email); err != nil {
		return err
	}
	if err := workspace.CheckEmail(*email); err != nil {
		return cli.Usagef("--email %s", err)
	}
	if err := workspace.CheckName(*name); *name != "" && err != nil {
		return cli.Usagef("--name %s", err)
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		base, err := cli.StoredSetting(ctx, db, cli.BaseURLSetting)
		if err != nil {
			return err
		}
		if base == "" {
			return cli.Errorf("the server's address isn't known yet: start slotd serve once, then try again")
		}
		signer, err := links.Load(ctx, db, now())
		if err != nil {
			return err
		}
		s := identity.New(identity.Service{DB: db, Links: signer, Now: now, Log: slog.New(slog.DiscardHandler)})
		t, link, err := ownerLink(ctx, s, base, id, *email, *name)
		if err != nil {
			return err
		}
		effect := say.T("Whoever opens this link becomes an owner of %s.", *slug)
		if t.Kind == identity.SignIn {
			effect = say.T("Whoever opens this link signs in as %s, who is already an owner of %s.", t.Email, *slug)
		}
		fmt.Fprintln(p.err, effect+" "+say.T("It works once, within 7 days."))
		fmt.Fprintln(p.out, link)
		return nil
	})
}

// ownerLink returns a link that signs its holder in as an owner of the workspace.
func ownerLink(ctx context.Context, s *identity.Service, baseURL string, workspaceID int64, email,
	name string) (t identity.Ticket, link string, err error) {
	t, err = s.Invite(ctx, workspaceID, email, name, false, slotd.Operator)
	if err != nil {
		return t, "", err
	}
	return t, baseURL + s.Path(t), nil
}
