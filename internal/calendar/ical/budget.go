package ical

import "slotd/internal/calendar"

// Limits on what one calendar may cost. At these limits, reading takes less than 2 s and 64 MB.
const (
	maxBytes     = 10 << 20
	maxEvents    = 20_000
	maxLines     = 300_000    // lines of events and time zones that are stored
	maxDates     = 300_000    // dates of series: listed dates, and dates that rules generate near the range
	maxSteps     = 10_000_000 // checks of a date while series are expanded
	maxZoneNames = 1000
	maxZones     = 200 // zones that calendars define themselves
)

var (
	errTooLarge = calendar.Errorf(calendar.Unusable, "The calendar is larger than 10 MiB.").
			Advise(calendar.ReduceEvents)
	errTooManyEvents = calendar.Errorf(calendar.Unusable, "The calendar has more than 20,000 events.").
				Advise(calendar.ReduceEvents)
	errTooManyLines = calendar.Errorf(calendar.Unusable, "The calendar has more than 300,000 lines of times.").
			Advise(calendar.ReduceEvents)
	errTooManyZones = calendar.Errorf(calendar.Unusable, "The calendar names more than 1,000 time zones.").
			Advise(calendar.ReduceEvents)
)

// budget counts what has been spent. It keeps counting after a limit is exceeded, so that a later check still sees
// it.
type budget struct {
	events, lines, dates, steps, zoneNames, textBytes int
	err                                               error // why the budget is exhausted; never reset
}

// spendSteps reports whether the work may go on.
func (b *budget) spendSteps(n int) bool {
	b.steps += n
	return b.steps <= maxSteps
}

// spendDate reports whether a series may have another date. Each date costs memory.
func (b *budget) spendDate() bool {
	b.dates++
	return b.dates <= maxDates
}

func (b *budget) spendEvent() error { return b.spend(&b.events, 1, maxEvents, errTooManyEvents) }

func (b *budget) spendZoneName() error {
	return b.spend(&b.zoneNames, 1, maxZoneNames, errTooManyZones)
}

func (b *budget) spendLines(n int) error { return b.spend(&b.lines, n, maxLines, errTooManyLines) }

// spendText counts the text that goes into the database.
func (b *budget) spendText(bytes int) error {
	return b.spend(&b.textBytes, bytes, maxBytes, errTooLarge)
}

func (b *budget) spend(sum *int, n, limit int, err error) error {
	if *sum += n; *sum > limit && b.err == nil {
		b.err = err
	}
	return b.err
}

// errorAt returns why the budget is exhausted, or nil. It names the series at line if steps or dates ran out there.
func (b *budget) errorAt(line int) error {
	switch {
	case b.err != nil:
	case b.steps > maxSteps:
		b.err = lineError(line, "this series repeats so often, or began so long ago, that the calendar takes too long to "+
			"read.")
	case b.dates > maxDates:
		b.err = lineError(line, "this series repeats so often that the calendar has more than 300,000 dates.")
	}
	return b.err
}
