package ical

import (
	_ "embed"
	"strings"
	"sync"
	"time"
)

// windowsZones is the mapping of CLDR's windowsZones.xml, territory 001.
//
//go:generate go run windows_zones_gen.go
//go:embed windows_zones.txt
var windowsZones string

// windowsZone maps Windows zone names, in lower case, to IANA names.
var windowsZone = sync.OnceValue(func() map[string]string {
	zones := map[string]string{}
	for line := range strings.Lines(windowsZones) {
		windows, iana, ok := strings.Cut(strings.TrimSpace(line), "|")
		if ok && !strings.HasPrefix(line, "#") {
			zones[strings.ToLower(windows)] = iana
		}
	}
	return zones
})

// zoneName normalizes a TZID for comparison: definitions escape commas, parameters quote them, and some programs do
// both.
func zoneName(tzid string) string {
	if strings.ContainsAny(tzid, `\"`) {
		tzid = strings.NewReplacer(`\`, "", `"`, "").Replace(tzid)
	}
	return storedName(strings.TrimSpace(tzid), maxTZID)
}

// location returns nil for an unknown zone, and adds one warning for all its events. slotd's own zone data takes
// precedence over the file's: files contain old rules, or only those of one year.
func (r *resolver) location(line int, tzid string) *time.Location {
	zone, known := r.zonesByName[tzid]
	if !known {
		if r.budget.spendZoneName() != nil {
			return nil
		}
		zone = r.byName(tzid)
		r.zonesByName[strings.Clone(tzid)] = zone // a substring would keep the whole text in memory
	}
	if zone == nil {
		zone = r.byDefinition(tzid)
	}
	if zone == nil && !r.warnedZones[tzid] {
		r.warnedZones[tzid] = true
		r.warnings.add("Line %d: the time zone %q is unknown. Its events count as busy from 14 hours before to 14 "+
			"hours after.", line, clip(tzid))
	}
	return zone
}

// byName knows IANA names, Windows names, and IANA names after a path, as in "/mozilla.org/20050126_1/Europe/Berlin".
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
	// A bare "EST" could be anyone's zone: the IANA zone of that name has no daylight saving time.
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

// byDefinition looks for a VTIMEZONE in the same object. It caches the result, because items of one calendar repeat
// the same definition.
func (r *resolver) byDefinition(tzid string) *time.Location {
	z := r.object.zones[tzid]
	if z == nil || z.ambiguous {
		return nil
	}
	if !z.used {
		z.used = true
		known := false
		if z.zone, known = r.zonesByDefinition[z.sum]; !known && len(r.zonesByDefinition) < maxZones {
			z.zone = z.location(&r.budget)
			r.zonesByDefinition[z.sum] = z.zone
		}
	}
	return z.zone
}
