package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"slotd/internal/cli"
	"slotd/internal/jobs"
	"slotd/internal/store"
)

// maxListedJobs limits how many jobs one list prints.
const maxListedJobs = 1000

func jobsList(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("jobs list", "")
	d.Define(fs)
	failed := fs.Bool("failed", false, "only those that were given up")
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
		fmt.Fprintf(p.err, "There may be more: only the %d oldest are shown.\n", maxListedJobs)
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
		next := "given up"
		if l.Next != "" {
			next = "next " + l.Next
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\tdue %s\t%s\t%d failures\t%s\n", l.ID, l.Workspace, l.Kind, l.State, l.Due,
			next, l.Failures, l.LastError)
	}
	return table.Flush()
}

func jobsRetry(ctx context.Context, p *program, args []string) error {
	now, _, err := p.clock()
	if err != nil {
		return err
	}
	return p.changeFailed(ctx, "jobs retry", "will be tried again", args,
		func(db *store.DB, id string) (bool, error) { return jobs.Retry(ctx, db, id, now()) },
		func(db *store.DB) (int64, error) { return jobs.RetryAll(ctx, db, now()) })
}

func jobsDrop(ctx context.Context, p *program, args []string) error {
	return p.changeFailed(ctx, "jobs drop", "dropped", args,
		func(db *store.DB, id string) (bool, error) { return jobs.DropFailed(ctx, db, id) },
		func(db *store.DB) (int64, error) { return jobs.DropAllFailed(ctx, db) })
}

// changeFailed calls one for a single failed job or all for all of them, and prints the result.
func (p *program) changeFailed(ctx context.Context, command, done string, args []string,
	one func(db *store.DB, id string) (bool, error), all func(db *store.DB) (int64, error)) error {
	var d cli.Database
	fs := p.flags(command, "ID")
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
			fmt.Fprintf(p.out, "%s: %d\n", done, n)
		}
		return err
	}
	found, err := one(db, ids[0])
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("no job %s was given up; slotd jobs list --failed shows those that were", ids[0])
	}
	fmt.Fprintf(p.out, "%s: %s\n", done, ids[0])
	return nil
}
