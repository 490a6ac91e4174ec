package main

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"

	"slotd"

	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

//go:embed demo.yaml
var demoFile []byte

const demoText say.Sentence = `
Booking page   %[1]s/%[2]s

Ask for open times:

  curl -s %[1]s/api/mcp -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_availability","arguments":{"workspace":"%[2]s","event_type":"%[3]s"}}}'

Connect your agent: add this to its MCP configuration. The token is only shown once.

  {"mcpServers":{"slotd":{"type":"http","url":"%[1]s/api/mcp","headers":{"Authorization":"Bearer %[4]s"}}}}

Open the settings as the owner. The link works once, within 7 days:

  %[5]s

`

// demo fills an empty database with a workspace to try. It does not change a database that is not empty.
func (p *program) demo(ctx context.Context, db *store.DB, o *identity.Service, baseURL string) error {
	slug, err := db.Read().AnyWorkspace(ctx)
	if err == nil {
		fmt.Fprintln(p.out, say.T("\nThe database is not empty, so --demo added nothing. Its first workspace: %s/%s\n",
			baseURL, slug))
		return nil
	} else if !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("look for workspaces: %w", err)
	}
	file, err := file.Read(demoFile)
	if err != nil {
		return fmt.Errorf("the demo's own file: %w", err)
	}
	w := &file.Workspace
	if _, err := workspace.Put(ctx, db, workspace.Change{Desired: w, Now: o.Now()}); err != nil {
		return err
	}
	id, err := workspaceID(ctx, db, w.Slug)
	if err != nil {
		return err
	}
	tokens := identity.Tokens{DB: db, Now: o.Now}
	token, _, err := tokens.Create(ctx, id, "demo", slotd.Operator)
	if err != nil {
		return err
	}
	_, link, err := ownerLink(ctx, o, baseURL, id, w.Host.Email, w.Host.Name)
	if err != nil {
		return err
	}
	fmt.Fprint(p.out, demoText.With(baseURL, w.Slug, w.EventTypes[0].Slug, token, link))
	return nil
}
