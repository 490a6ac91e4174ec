package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/cli"
	"slotd/internal/doctor"
	"slotd/internal/lib/seal"
	"slotd/internal/mail/delivery"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// runDoctor has the flags of serve: it examines a server with the server's own settings.
func runDoctor(ctx context.Context, p *program, args []string) error {
	var f serveFlags
	fs := p.flags("")
	f.define(fs)
	asJSON := fs.Bool("json", false, "print JSON")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	log, err := newLog(p.err, f.logFormat, "error")
	if err != nil {
		return err
	}
	now, offset, err := p.clock()
	if err != nil {
		return err
	}
	db, err := f.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	server, err := f.newOfflineDoctor(ctx, db, now, offset, log)
	if err != nil {
		return err
	}
	configs, err := allWorkspaces(ctx, db)
	if err != nil {
		return err
	}
	return p.printChecks(server.Examine(ctx, doctor.Scope{Workspaces: configs, Named: true, Network: true}), *asJSON)
}

// newDoctor returns the doctor for a server with these settings.
func (f *serveFlags) newDoctor(db *store.DB, keys *seal.Keys, payAccounts *accounts.Service, calendars *calsync.Service,
	sender delivery.Sender, now func() time.Time, log *slog.Logger) *doctor.Server {
	return &doctor.Server{
		DB: db, Keys: keys, Accounts: payAccounts, Calendars: calendars, Sender: sender, Now: now, Log: log,
		BaseURL: f.baseURL, DataDir: f.Data, ToFiles: f.SMTP == "", ClockOffset: f.clockOffset,
		LimitsOff: f.rateLimit == "off", DebugLog: log.Enabled(context.Background(), slog.LevelDebug),
		SignUpOpen: f.signup == "open",
	}
}

// newOfflineDoctor returns the doctor for this command, which sees only its own settings: a running server may have
// others.
func (f *serveFlags) newOfflineDoctor(ctx context.Context, db *store.DB, now func() time.Time, offset time.Duration,
	log *slog.Logger) (*doctor.Server, error) {
	keys, err := seal.Load(f.KeyPath()) // the doctor must not create a new file
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if f.baseURL == "" {
		if f.baseURL, err = cli.StoredSetting(ctx, db, cli.BaseURLSetting); err != nil {
			return nil, err
		}
	}
	operator, err := cli.StoredSetting(ctx, db, cli.PaymentsSetting)
	if err != nil {
		return nil, err
	}
	var sender delivery.Sender
	if f.SMTP != "" {
		if sender, err = f.Sender(f.Data); err != nil {
			return nil, err
		}
	}
	f.clockOffset = offset
	s := f.newDoctor(db, keys, f.Accounts(db, keys), &calsync.Service{DB: db, Now: now}, sender, now, log)
	s.DebugLog = f.logLevel == "debug"
	s.OperatorKeyHidden = operator != "" && f.Stripe.Secret == ""
	return s, nil
}

func allWorkspaces(ctx context.Context, db *store.DB) (all []*snapshot.Config, err error) {
	err = db.InReadTx(ctx, func(q *sqlcgen.Queries) error {
		rows, err := q.WorkspaceList(ctx)
		if err != nil {
			return fmt.Errorf("list the workspaces: %w", err)
		}
		for _, row := range rows {
			c, err := snapshot.LoadConfig(ctx, q, row.Slug)
			if err != nil {
				return err
			}
			all = append(all, c)
		}
		return nil
	})
	return all, err
}

// printChecks fails if a check fails, for scripts.
func (p *program) printChecks(checks []doctor.Check, asJSON bool) error {
	failed := 0
	for _, c := range checks {
		if c.State == doctor.Fail {
			failed++
		}
		if !asJSON {
			line := fmt.Sprintf("%-7s %s: %s", c.State, c.Name, c.Found)
			if c.Do != "" {
				line += " " + c.Do
			}
			fmt.Fprintln(p.out, line)
		}
	}
	if asJSON {
		if err := json.NewEncoder(p.out).Encode(checks); err != nil {
			return err
		}
	}
	if failed > 0 {
		return cli.Errorf("%d of %d checks failed", failed, len(checks))
	}
	return nil
}
