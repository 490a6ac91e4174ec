package slots

import (
	"slices"
	"time"

	"slotd/internal/availability/zone"
)

// Schedule holds a host's hours. The windows of a date are disjoint and sorted; NewSchedule ensures this.
type Schedule struct {
	Zone      *zone.Zone
	weekly    [7][]Window
	overrides map[zone.Date][]Window
}

// NewSchedule returns a schedule. It merges windows of a date that overlap or touch. An override replaces the
// windows of its date; an empty one closes the date.
func NewSchedule(z *zone.Zone, weekly map[time.Weekday][]Window, overrides map[zone.Date][]Window) *Schedule {
	s := &Schedule{Zone: z, overrides: make(map[zone.Date][]Window, len(overrides))}
	for day, windows := range weekly {
		s.weekly[day] = mergeWindows(windows)
	}
	for date, windows := range overrides {
		s.overrides[date] = mergeWindows(windows)
	}
	return s
}

func mergeWindows(windows []Window) []Window {
	sorted := slices.SortedFunc(slices.Values(windows), func(a, b Window) int { return a.From - b.From })
	var merged []Window
	for _, w := range sorted {
		if n := len(merged); n > 0 && w.From <= merged[n-1].Until {
			merged[n-1].Until = max(merged[n-1].Until, w.Until)
		} else if w.From < w.Until {
			merged = append(merged, w)
		}
	}
	return merged
}

func (s *Schedule) windows(d zone.Date) []Window {
	if windows, ok := s.overrides[d]; ok {
		return windows
	}
	return s.weekly[d.Weekday()]
}

// spans returns the windows of the dates from first to last as instants, in date order. They may overlap where
// clocks are set back.
func (s *Schedule) spans(first, last zone.Date) []milliSpan {
	spans := make([]milliSpan, 0, 2*(last-first+1))
	for d := first; d <= last; d++ {
		windows := s.windows(d)
		if len(windows) == 0 || !s.Zone.Exists(d) {
			continue
		}
		for _, w := range windows {
			window := milliSpan{s.Zone.Start(d, w.From).UnixMilli(), s.Zone.End(d, w.Until).UnixMilli()}
			if window.start < window.end {
				spans = append(spans, window)
			}
		}
	}
	return spans
}
