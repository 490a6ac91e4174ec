package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/calendar/ical"
	"slotd/internal/cli"
	"slotd/internal/lib/say"
	"slotd/internal/mcp"
)

// preview prints what get_availability would return, from a file alone.
func preview(_ context.Context, p *program, args []string) error {
	fs := p.flags("")
	path := fs.String("f", "", "workspace file; - is standard input")
	event := fs.String("event", "", "the event type's slug")
	at := fs.String("now", "", "time to assume, such as 2027-01-04T09:00:00Z (default: now)")
	start := fs.String("start", "", "first day, YYYY-MM-DD in UTC (default: today)")
	days := fs.Int("days", mcp.DefaultDays, "number of days, 1 to 30")
	baseURL := fs.String("base-url", "http://127.0.0.1:8080", "base URL of the printed link")
	var busy cli.StringList
	fs.Var(&busy, "busy", ".ics file to treat as a connected calendar; repeatable")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("-f", *path, "--event", *event); err != nil {
		return err
	}
	now, first, err := p.previewTime(*at, *start)
	if err != nil {
		return err
	}
	if *days < 1 || *days > mcp.MaxDays {
		return cli.Usagef("--days must be from 1 to %d", mcp.MaxDays)
	}
	file, err := p.readWorkspaceFile(*path)
	if err != nil {
		return err
	}
	window := slots.Span{Start: first.UTC(), End: (first + zone.Date(*days)).UTC()}
	query, e, err := p.previewQuery(&file.Workspace, *event, busy, window, now)
	if err != nil {
		return err
	}
	a := mcp.Availability{EventType: e, Start: first, Days: *days,
		BookingURL: *baseURL + "/" + file.Workspace.Slug + "/" + e.Slug}
	a.Fill(query)
	_, err = fmt.Fprintf(p.out, "%s\n", a.AppendJSON(nil))
	return err
}

func (p *program) previewTime(at, start string) (now time.Time, first zone.Date, err error) {
	clock, _, err := p.clock()
	if err != nil {
		return now, 0, err
	}
	now = clock()
	if at != "" {
		var problem string
		if now, problem = slotd.ParseInstant(at); problem != "" {
			return now, 0, cli.Usagef("--now %s", problem)
		}
	}
	first = zone.UTCDate(now)
	if start != "" {
		if first, err = zone.ParseDate(start); err != nil {
			return now, 0, cli.Usagef("--start: %v", err)
		}
	}
	return now, first, nil
}

func (p *program) previewQuery(w *slotd.Workspace, event string, busy []string, window slots.Span,
	now time.Time) (q slots.Query, e *slotd.EventType, err error) {
	i := slices.IndexFunc(w.EventTypes, func(e slotd.EventType) bool { return e.Slug == event })
	if i < 0 {
		return q, nil, cli.Errorf("the file has no event type %q", event)
	}
	e = &w.EventTypes[i]
	schedule, err := w.EngineSchedule(e.Schedule)
	if err != nil {
		return q, nil, err
	}
	q = slots.Query{Schedule: schedule, Rules: e.Rules(), Now: now}
	for _, path := range busy {
		spans, err := p.readBusy(path, w, q.Reach(window))
		if err != nil {
			return q, nil, fmt.Errorf("%s: %w", path, err)
		}
		q.Busy = append(q.Busy, spans...)
	}
	q.Busy = slots.Merge(q.Busy)
	return q, e, nil
}

// readBusy reads the busy times of an .ics file as if it were a connected calendar, and prints warnings about it.
func (p *program) readBusy(path string, w *slotd.Workspace, within slots.Span) ([]slots.Span, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	owner, err := zone.Load(w.TimeZone)
	if err != nil {
		return nil, err
	}
	reader := ical.Reader{Zone: owner.Location(), OwnerEmail: w.Host.Email, Location: zone.Location, From: within.Start,
		Until: within.End}
	spans, warnings, err := reader.Busy(f)
	for _, warning := range warnings {
		fmt.Fprintln(p.err, say.T("warning: %s: %s", path, warning))
	}
	return spans, err
}
