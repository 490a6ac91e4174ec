package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"text/tabwriter"

	"slotd/internal/calendar/calsync"
	"slotd/internal/lib/say"
)

type calendarLine struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Type       string `json:"type"`
	State      string `json:"state"` // ok, new, failing, waiting (for its owner's consent) or broken
	LastRead   string `json:"last_read"`
	NextRead   string `json:"next_read"`
	BusyTimes  int    `json:"busy_times"`
	WriteBack  bool   `json:"write_back"`
	Error      string `json:"error,omitempty"`
	Warning    string `json:"warning,omitempty"`
	Unwritten  int    `json:"bookings_not_written"`
	WriteError string `json:"write_error,omitempty"`
}

func calendarList(ctx context.Context, p *program, args []string) error {
	fs := p.flags("")
	asJSON := fs.Bool("json", false, "print JSON")
	return p.withCalendars(ctx, fs, args, func(c *calendarCommand) error {
		if _, err := c.chosen(); err != nil {
			return err
		}
		all, err := c.List(ctx, c.config)
		if err != nil {
			return err
		}
		lines := []calendarLine{}
		for _, s := range all {
			if c.name == "" || c.name == s.Name {
				lines = append(lines, newCalendarLine(s))
			}
		}
		return p.printCalendars(lines, *asJSON)
	})
}

func newCalendarLine(s calsync.Status) calendarLine {
	l := calendarLine{
		ID: strconv.FormatInt(s.ID, 10), Name: s.Name, Type: string(s.Type), State: "ok", LastRead: timeText(s.ReadAt),
		NextRead:  timeText(s.NextAt),
		BusyTimes: s.Events, WriteBack: s.WriteBack, Error: s.Error, Warning: s.Warning, Unwritten: s.Unwritten,
		WriteError: s.WriteError,
	}
	switch {
	case s.Broken && s.ReadAt.IsZero() && s.ByConsent():
		l.State = "waiting"
	case s.Broken:
		l.State = "broken"
	case s.Error != "":
		l.State = "failing"
	case s.ReadAt.IsZero():
		l.State = "new"
	}
	return l
}

func (p *program) printCalendars(lines []calendarLine, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(p.out).Encode(lines)
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, l := range lines {
		text := say.N(l.BusyTimes, "%d busy time", "%d busy times")
		if l.Unwritten > 0 {
			text += "; " + say.N(l.Unwritten, "%d booking not written: %s", "%d bookings not written: %s", l.WriteError)
		}
		for _, message := range []string{l.Error, l.Warning} {
			if message != "" {
				text += "; " + message
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", l.ID, l.Name, l.Type, l.State, say.T("last read %s", l.LastRead),
			text)
	}
	return table.Flush()
}
