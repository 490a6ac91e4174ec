// Package holidays knows the public holidays of countries, and of their regions where those differ, as suggestions for
// days to close. It never closes one itself, and it asks no clock.
package holidays

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rickar/cal/v2"

	"slotd/internal/availability/zone"
)

// The dates are the civil calendar's: the server's own zone, in which a midnight can be missing, has no say in them.
func init() { cal.DefaultLoc = time.UTC }

// Country is a country, or a region of one.
type Country struct {
	Code string // ISO 3166: "de", or "de-by" for a region
	Name string // "Germany", "Germany: Bayern"
}

// Holiday is a day, with its name: mostly in the country's own language.
type Holiday struct {
	Date zone.Date
	Name string
}

// Countries are all that are known, by name; a country's regions follow it.
func Countries() []Country {
	all := make([]Country, 0, len(known))
	for code, c := range known {
		all = append(all, Country{code, c.name})
	}
	slices.SortFunc(all, func(a, b Country) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Name is a country's, and empty for a code that is not known.
func Name(code string) string { return known[code].name }

// In lists a country's holidays from one date up to, but not including, another, in their order. Where a holiday is
// observed on another day than its own, both are listed. There are none in a country that is not known.
func In(code string, from, until zone.Date) []Holiday {
	names := map[zone.Date][]string{}
	add := func(t time.Time, name string) {
		if d := zone.UTCDate(t); !t.IsZero() && from <= d && d < until && !slices.Contains(names[d], name) {
			names[d] = append(names[d], name)
		}
	}
	// What is observed may lie in the year before or after its own.
	for year := from.UTC().Year() - 1; year <= until.UTC().Year()+1; year++ {
		for _, h := range known[code].holidays {
			actual, observed := h.Calc(year)
			add(actual, h.Name)
			if !observed.Equal(actual) {
				add(observed, h.Name+" (observed)")
			}
		}
	}
	var all []Holiday
	for _, d := range slices.Sorted(maps.Keys(names)) {
		all = append(all, Holiday{d, strings.Join(names[d], ", ")})
	}
	return all
}
