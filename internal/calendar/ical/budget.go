package ical

import "errors"

// What any calendar may cost. At the bounds, reading takes less than 2 s and 64 MB.
const (
	maxBytes     = 10 << 20
	maxEvents    = 20_000
	maxLines     = 300_000    // kept of events and time zones
	maxDates     = 300_000    // of series: listed ones, and those that rules give near the range
	maxSteps     = 10_000_000 // looks at a date while series are expanded
	maxZoneNames = 1000
	maxZones     = 200 // that calendars define themselves
)

var (
	errTooLarge = errors.New("the calendar is larger than 10 MiB: connect one that leaves out old events and " +
		"attachments")
	errTooMany = errors.New("the calendar has more than 20,000 events: connect one that leaves out old events")
	errTooFull = errors.New("the calendar has more than 300,000 lines of times: connect one that leaves out old " +
		"events")
	errTooManyZones = errors.New("the calendar names more than 1,000 time zones: connect one that leaves out old events")
)

// budget counts what has been spent. It goes on counting when it is exceeded, so that whoever looks later sees it.
type budget struct {
	events, lines, dates, looked, zoneNames, kept int
	spent                                         error // why there is no more; it stays
}

// steps is false when the work has to stop.
func (b *budget) steps(n int) bool {
	b.looked += n
	return b.looked <= maxSteps
}

// date is false when a series may have no more dates: each costs memory.
func (b *budget) date() bool {
	b.dates++
	return b.dates <= maxDates
}

func (b *budget) event() error { return b.spend(&b.events, 1, maxEvents, errTooMany) }

func (b *budget) zoneName() error { return b.spend(&b.zoneNames, 1, maxZoneNames, errTooManyZones) }

func (b *budget) keepLines(n int) error { return b.spend(&b.lines, n, maxLines, errTooFull) }

// keepText counts what goes into the database.
func (b *budget) keepText(bytes int) error { return b.spend(&b.kept, bytes, maxBytes, errTooLarge) }

func (b *budget) spend(sum *int, n, most int, why error) error {
	if *sum += n; *sum > most && b.spent == nil {
		b.spent = why
	}
	return b.spent
}

// exceeded names the series at which there was no more to spend.
func (b *budget) exceeded(line int) error {
	switch {
	case b.spent != nil:
	case b.looked > maxSteps:
		b.spent = lineError(line, "with this series the calendar takes too long to read: take out series that repeat "+
			"every few seconds or "+
			"began long ago")
	case b.dates > maxDates:
		b.spent = lineError(line, "with this series the calendar has more than 300,000 dates: take out series that "+
			"repeat every few minutes")
	}
	return b.spent
}
