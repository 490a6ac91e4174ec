package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"slotd"

	"slotd/internal/booking/records"
	"slotd/internal/cli"
	"slotd/internal/lib/say"
	"slotd/internal/lib/seal"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
)

// maxListedPayments limits how many payments one list prints.
const maxListedPayments = 1000

func paymentsList(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	asJSON := fs.Bool("json", false, "print JSON, with every entry of the ledger")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug); err != nil {
		return err
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		service := &records.Service{DB: db, Now: now}
		payments, err := service.ListPayments(ctx, id, time.Time{}, maxListedPayments)
		if err != nil {
			return err
		}
		if len(payments) == maxListedPayments {
			fmt.Fprintln(p.err, say.T("There may be more: only the %d newest payments are shown.", maxListedPayments))
		}
		if *asJSON {
			return json.NewEncoder(p.out).Encode(payments)
		}
		table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
		for _, l := range payments {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", l.BookingID, l.StartsAt.Format(time.RFC3339), l.State,
				say.T("paid %s", l.Paid), say.T("refunded %s", l.Refunded), l.Note())
		}
		return table.Flush()
	})
}

// paymentsReconcile exits with 1 if there are differences, like diff.
func paymentsReconcile(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	var f cli.Payments
	fs := p.flags("")
	d.Define(fs)
	f.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	days := fs.Int("days", 90, "how many days to look back")
	asJSON := fs.Bool("json", false, "print JSON")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug); err != nil {
		return err
	}
	if *days < 1 || *days > 3650 {
		return cli.Usagef("--days must be from 1 to 3650")
	}
	if err := f.Check(); err != nil {
		return err
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		keys, err := seal.Load(d.KeyPath()) // only a workspace with its own account needs the key file
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		payments := &records.Service{DB: db, Now: now, Accounts: f.Accounts(db, keys)}
		compared, differences, err := payments.Reconcile(ctx, id, now().AddDate(0, 0, -*days))
		if errors.Is(err, accounts.ErrNoAccount) {
			return fmt.Errorf("%w; set the same --stripe-key as for slotd serve", err)
		} else if err != nil {
			return err
		}
		return p.printDifferences(compared, differences, *asJSON)
	})
}

func (p *program) printDifferences(compared int, differences []records.Difference, asJSON bool) error {
	if asJSON {
		if differences == nil {
			differences = []records.Difference{}
		}
		if err := json.NewEncoder(p.out).Encode(differences); err != nil {
			return err
		}
	} else {
		for _, d := range differences {
			fmt.Fprintf(p.out, "%s  %s\n", d.BookingID, d.What)
		}
	}
	if len(differences) > 0 {
		return errors.New(say.N(len(differences), "%d difference in %s", "%d differences in %s",
			say.N(compared, "%d payment", "%d payments")))
	}
	fmt.Fprintln(p.err, say.N(compared, "%d payment compared with Stripe: no differences",
		"%d payments compared with Stripe: no differences"))
	return nil
}

func paymentsConnect(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	var keys stripe.Keys
	fs := p.flags("")
	d.Define(fs)
	// The flags have other names than those of serve: the operator's key in the environment must not become a
	// workspace's key.
	fs.StringVar(&keys.Secret, "own-key", "",
		"secret or restricted key of the workspace's own Stripe account; SLOTD_OWN_KEY_FILE keeps it out of the "+
			"process list")
	fs.StringVar(&keys.Webhook, "own-webhook-secret", "",
		"signing secret that Stripe shows for the webhook endpoint /api/stripe/webhook?workspace=SLUG")
	slug := fs.String("workspace", "", "the workspace's slug")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug, "--own-key", keys.Secret, "--own-webhook-secret",
		keys.Webhook); err != nil {
		return err
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		sealing, err := d.Keys()
		if err != nil {
			return err
		}
		service := &accounts.Service{DB: db, Keys: sealing}
		open, err := service.OpenPayments(ctx, id)
		if err != nil {
			return err
		}
		if err := service.Connect(ctx,
			accounts.Change{Slug: *slug, By: slotd.Operator, Now: now()}, keys); err != nil {
			return err
		}
		if open > 0 {
			fmt.Fprintln(p.err, say.N(open,
				"warning: %d payment to the previous account is still open; only a key of that account can settle it",
				"warning: %d payments to the previous account are still open; only a key of that account can settle them"))
		}
		base, err := cli.StoredSetting(ctx, db, cli.BaseURLSetting)
		if err != nil {
			return err
		}
		if base == "" { // no server has run yet
			base = "https://YOUR-SERVER"
		}
		fmt.Fprintln(p.out, say.T("Guests of %s now pay into its own account. In Stripe, set the webhook endpoint to\n\n"+
			"    %s/api/stripe/webhook?workspace=%s", *slug, base, *slug))
		return nil
	})
}

func paymentsDisconnect(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	force := fs.Bool("force", false, "even while guests are paying or are owed a refund")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug); err != nil {
		return err
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, _ int64, now func() time.Time) error {
		service := &accounts.Service{DB: db}
		if err := service.Disconnect(ctx,
			accounts.Change{Slug: *slug, By: slotd.Operator, Now: now()}, *force); err != nil {
			return err
		}
		fmt.Fprintln(p.out, say.T("%s no longer has its own Stripe account. Payments to that account can only be "+
			"refunded in Stripe's dashboard.", *slug))
		return nil
	})
}
