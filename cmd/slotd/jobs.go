package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"slotd/internal/cli"
	"slotd/internal/jobs"
	"slotd/internal/lib/say"
	"slotd/internal/store"
)

// maxListedJobs limits how many jobs one list prints.
const maxListedJobs = 1000

func jobsList(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	failed := fs.Bool("failed", false, "only failed jobs")
	asJSON := fs.Bool("json", false, "print JSON")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	db, err := d.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	entries, err := jobs.List(ctx, db, *failed, maxListedJobs)
	if err != nil {
		return err
	}
	if len(entries) == maxListedJobs {
		fmt.Fprintln(p.err, say.T("There may be more: only the %d oldest jobs are shown.", maxListedJobs))
	}
	return p.printJobs(entries, *asJSON)
}

type jobLine struct {
	ID        string `json:"id"`
	Workspace string `json:"workspace"`
	Kind      string `json:"kind"`
	State     string `json:"state"`
	Due       string `json:"due"`
	Next      string `json:"next,omitempty"`
	Failures  int    `json:"failures"`
	LastError string `json:"last_error,omitempty"`
}

func (p *program) printJobs(entries []jobs.Entry, asJSON bool) error {
	lines := make([]jobLine, len(entries))
	for i, e := range entries {
		lines[i] = jobLine{e.ID, e.Workspace, e.Kind, string(e.State), e.DueAt.Format(time.RFC3339), "", e.Failures,
			e.LastError}
		if !e.NextAt.IsZero() {
			lines[i].Next = e.NextAt.Format(time.RFC3339)
		}
	}
	if asJSON {
		return json.NewEncoder(p.out).Encode(lines)
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, l := range lines {
		next := say.T("no more retries")
		if l.Next != "" {
			next = say.T("next %s", l.Next)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.ID, l.Workspace, l.Kind, l.State,
			say.T("due %s", l.Due), next, say.N(l.Failures, "%d failure", "%d failures"), l.LastError)
	}
	return table.Flush()
}

func jobsRetry(ctx context.Context, p *program, args []string) error {
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	return p.changeFailed(ctx, "will be retried: %v", args,
		func(db *store.DB, id string) (bool, error) { return jobs.Retry(ctx, db, id, now()) },
		func(db *store.DB) (int64, error) { return jobs.RetryAll(ctx, db, now()) })
}

func jobsDrop(ctx context.Context, p *program, args []string) error {
	return p.changeFailed(ctx, "dropped: %v", args,
		func(db *store.DB, id string) (bool, error) { return jobs.DropFailed(ctx, db, id) },
		func(db *store.DB) (int64, error) { return jobs.DropAllFailed(ctx, db) })
}

// changeFailed calls one for a single failed job or all for all of them, and prints what was done with the job or with
// how many.
func (p *program) changeFailed(ctx context.Context, done say.Sentence, args []string,
	one func(db *store.DB, id string) (bool, error), all func(db *store.DB) (int64, error)) error {
	var d cli.Database
	fs := p.flags("ID")
	d.Define(fs)
	ids, err := fs.ParseArgs(args, 1)
	if err != nil {
		return err
	}
	db, err := d.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if ids[0] == "all" {
		n, err := all(db)
		if err == nil {
			fmt.Fprintln(p.out, done.With(n))
		}
		return err
	}
	found, err := one(db, ids[0])
	if err != nil {
		return err
	}
	if !found {
		return cli.Errorf("there is no failed job %s; slotd jobs list --failed shows the failed jobs", ids[0])
	}
	fmt.Fprintln(p.out, done.With(ids[0]))
	return nil
}
