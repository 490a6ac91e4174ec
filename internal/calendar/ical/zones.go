package ical

import (
	_ "embed"
	"strings"
	"sync"
	"time"
)

// The mapping of CLDR's windowsZones.xml, territory 001.
//
//go:embed windows_zones.txt
var windowsZones string

// windowsZone finds the IANA name that a Windows name, in small letters, stands for.
var windowsZone = sync.OnceValue(func() map[string]string {
	zones := map[string]string{}
	for line := range strings.Lines(windowsZones) {
		windows, iana, _ := strings.Cut(strings.TrimSpace(line), "|")
		zones[strings.ToLower(windows)] = iana
	}
	return zones
})

// zoneName is a TZID as it is compared: definitions escape commas, parameters quote them, and some programs do both.
func zoneName(tzid string) string {
	if strings.ContainsAny(tzid, `\"`) {
		tzid = strings.NewReplacer(`\`, "", `"`, "").Replace(tzid)
	}
	return keptName(strings.TrimSpace(tzid), maxTZID)
}

// location is nil for a zone that nobody knows, with one warning for all its events. Our own zone data goes before the
// file's: files bring old rules, or only those of one year.
func (r *resolver) location(line int, tzid string) *time.Location {
	zone, asked := r.named[tzid]
	if !asked {
		if r.budget.zoneName() != nil {
			return nil
		}
		zone = r.byName(tzid)
		r.named[strings.Clone(tzid)] = zone // a part of the text would keep all of it in memory
	}
	if zone == nil {
		zone = r.byDefinition(tzid)
	}
	if zone == nil && !r.warned[tzid] {
		r.warned[tzid] = true
		r.warnings.add("line %d: the time zone %q is unknown. Its events count as busy from 14 hours before to 14 "+
			"hours after.", line, clip(tzid))
	}
	return zone
}

// byName knows IANA names, Windows names, and IANA names behind a path, as in "/mozilla.org/20050126_1/Europe/Berlin".
func (r *resolver) byName(tzid string) *time.Location {
	if r.reader.Location == nil || tzid == "" {
		return nil
	}
	names := []string{tzid, windowsZone()[strings.ToLower(tzid)]}
	parts := strings.Split(tzid, "/")
	for _, n := range []int{3, 2} { // America/Indiana/Knox, Europe/Berlin
		if len(parts) > n {
			names = append(names, strings.Join(parts[len(parts)-n:], "/"))
		}
	}
	// A bare "EST" may be anybody's: the zone of that name knows no summer time.
	if parts[len(parts)-1] == "UTC" {
		names = append(names, "UTC")
	}
	for _, name := range names {
		if zone, err := r.reader.Location(name); err == nil && name != "" {
			return zone
		}
	}
	return nil
}

// byDefinition looks for a VTIMEZONE in the same object. Items of one calendar bring the same definition again and
// again.
func (r *resolver) byDefinition(tzid string) *time.Location {
	z := r.object.zones[tzid]
	if z == nil || z.ambiguous {
		return nil
	}
	if !z.used {
		z.used = true
		known := false
		if z.zone, known = r.defined[z.sum]; !known && len(r.defined) < maxZones {
			z.zone = z.location(&r.budget)
			r.defined[z.sum] = z.zone
		}
	}
	return z.zone
}
