// Package holidays lists the public holidays of countries, and of their regions where they differ, as suggestions for
// closed days. It never closes a day itself and reads no clock.
package holidays

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rickar/cal/v2"

	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
)

// Holidays are dates of the civil calendar. They must not depend on the server's own zone, in which a midnight can be
// missing.
func init() { cal.DefaultLoc = time.UTC }

// Country is a country, or a region of one.
type Country struct {
	Code string // ISO 3166: "de", or "de-by" for a region
	Name string // "Germany", "Germany: Bayern"
}

// Holiday is a date and its name, mostly in the country's own language.
type Holiday struct {
	Date zone.Date
	Name string
}

// Countries returns all known countries, sorted by name. The regions of a country follow it.
func Countries() []Country {
	all := make([]Country, 0, len(countries))
	for code, c := range countries {
		all = append(all, Country{code, c.name.String()})
	}
	slices.SortFunc(all, func(a, b Country) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Name returns a country's name. It is empty if the code is unknown.
func Name(code string) string { return countries[code].name.String() }

// In returns a country's holidays from one date up to, but not including, another, in date order. If a holiday is
// observed on a day other than its own, it returns both. It returns none if the code is unknown.
func In(code string, from, until zone.Date) []Holiday {
	names := map[zone.Date][]string{}
	add := func(t time.Time, name string) {
		if d := zone.UTCDate(t); !t.IsZero() && from <= d && d < until && !slices.Contains(names[d], name) {
			names[d] = append(names[d], name)
		}
	}
	// A holiday may be observed in the year before or after its own.
	for year := from.UTC().Year() - 1; year <= until.UTC().Year()+1; year++ {
		for _, h := range countries[code].holidays {
			actual, observed := h.Calc(year)
			add(actual, h.Name)
			if !observed.Equal(actual) {
				add(observed, say.T("%s (observed)", h.Name))
			}
		}
	}
	var all []Holiday
	for _, d := range slices.Sorted(maps.Keys(names)) {
		all = append(all, Holiday{d, strings.Join(names[d], ", ")})
	}
	return all
}
