package public

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"slotd"
)

// zoneView says in whose time everything is shown, and lets the guest change it.
type zoneView struct {
	Label  string
	Path   string
	Stay   []field // what the address holds besides the zone
	Typed  string  // names no zone, or one of the places
	Places []namedLink
}

type field struct{ Name, Value string }

// newZoneView names the zone's offset at the time that is looked at: it may be another one today.
func newZoneView(who viewer, to address, ask asked, at time.Time) *zoneView {
	z := &zoneView{Label: who.local.At(at), Path: to.path, Typed: who.typed}
	stay := url.Values{}
	if len(to.tail) > 0 {
		stay, _ = url.ParseQuery(to.tail[1:])
	}
	stay.Del("tz")
	switch {
	case !ask.slot.IsZero():
		stay.Set("slot", slotd.Instant(ask.slot))
	case ask.date != 0:
		stay.Set("date", ask.date.String())
	case ask.month != 0:
		stay.Set("month", ask.month.String())
	}
	for _, name := range slices.Sorted(maps.Keys(stay)) {
		z.Stay = append(z.Stay, field{name, stay.Get(name)})
	}
	for _, p := range who.places {
		stay.Set("tz", p.Zone)
		z.Places = append(z.Places, namedLink{to.path + "?" + stay.Encode(), p.String()})
	}
	return z
}
