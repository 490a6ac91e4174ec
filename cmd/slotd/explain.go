package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/booking/records"
	"slotd/internal/cli"
	"slotd/internal/lib/say"
	"slotd/internal/store"
)

// explainTime exits with 0 whether or not the time is offered.
func explainTime(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	slug := fs.String("workspace", "", "the workspace's slug")
	event := fs.String("event", "", "the event type's slug; it may be hidden")
	at := fs.String("at", "", "start time, such as 2027-01-04T09:00:00Z")
	asJSON := fs.Bool("json", false, "print JSON")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--workspace", *slug, "--event", *event, "--at", *at); err != nil {
		return err
	}
	start, problem := slotd.ParseInstant(*at)
	if problem != "" {
		return cli.Usagef("--at %s", problem)
	}
	return p.inWorkspace(ctx, &d, *slug, func(db *store.DB, id int64, now func() time.Time) error {
		cache, err := snapshot.NewCache(ctx, db, now)
		if err != nil {
			return err
		}
		defer cache.Close()
		c, err := cache.Latest(ctx, id)
		if err != nil {
			return err
		}
		operator, err := cli.StoredSetting(ctx, db, cli.PaymentsSetting)
		if err != nil {
			return err
		}
		service := &records.Service{DB: db, Cache: cache, Now: now}
		x, err := service.Explain(ctx, id,
			records.Question{EventType: *event, Start: start, CanPay: c.OwnAccount || operator != ""})
		if err != nil {
			return err
		}
		return p.printExplanation(x, when.InNamed(c.TimeZone, false), *asJSON)
	})
}

type explanation struct {
	EventType string         `json:"event_type"`
	StartsAt  string         `json:"starts_at"`
	EndsAt    string         `json:"ends_at"`
	Offered   bool           `json:"offered"`
	Summary   string         `json:"summary"`
	Rules     []records.Line `json:"rules"`
	Nearest   []string       `json:"nearest"` // open starts
}

func (p *program) printExplanation(x *records.Explanation, local when.Local, asJSON bool) error {
	e := explanation{
		EventType: x.EventType.Slug, StartsAt: slotd.Instant(x.Span.Start), EndsAt: slotd.Instant(x.Span.End),
		Offered: x.Offered(), Summary: x.Summary(local), Rules: x.Lines(local), Nearest: []string{},
	}
	for _, at := range x.Nearest {
		e.Nearest = append(e.Nearest, slotd.Instant(at))
	}
	if asJSON {
		return json.NewEncoder(p.out).Encode(e)
	}
	fmt.Fprintf(p.out, "%s\n%s\n\n", local.Instant(x.Span.Start), e.Summary)
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, l := range e.Rules {
		word := say.T("no")
		if l.Yes {
			word = say.T("yes")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", word, l.Rule, l.Text)
	}
	return table.Flush()
}
