package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"slotd"

	"github.com/google/uuid"

	"slotd/internal/booking/records"
	"slotd/internal/cli"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/workspace"
)

func personExport(ctx context.Context, p *program, args []string) error {
	return p.withPerson(ctx, args,
		func(s *records.Service, _ *cli.Database, id int64, email string) error {
			person, err := s.Export(ctx, id, email, slotd.Operator)
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(p.out)
			encoder.SetIndent("", "  ")
			return encoder.Encode(person)
		})
}

func personErase(ctx context.Context, p *program, args []string) error {
	return p.withPerson(ctx, args,
		func(s *records.Service, d *cli.Database, id int64, email string) error {
			var removeErr error
			s.Erased = func(bookings []uuid.UUID) { removeErr = d.RemoveMails(bookings) }
			n, err := s.Erase(ctx, id, email, slotd.Operator)
			if err != nil {
				return err
			}
			if n == 0 {
				fmt.Fprintln(p.out, say.T("nothing is stored about this address"))
				return nil
			}
			fmt.Fprintln(p.out, say.N(n, "erased from %d booking; its time is kept as an anonymous booking",
				"erased from %d bookings; their times are kept as anonymous bookings"))
			return removeErr
		})
}

// withPerson holds what the two commands share. They do not print the address: output ends up in logs.
func (p *program) withPerson(ctx context.Context, args []string,
	do func(s *records.Service, d *cli.Database, workspaceID int64, email string) error) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	email := fs.String("email", "", "the attendee's email address (not case-sensitive)")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug, "--email", *email); err != nil {
		return err
	}
	if err := workspace.CheckEmail(*email); err != nil {
		return cli.Usagef("--email %s", err)
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		return do(&records.Service{DB: db, Now: now}, &d, id, *email)
	})
}
