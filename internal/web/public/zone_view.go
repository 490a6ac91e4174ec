package public

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"slotd"
)

// zoneView shows the time zone of the page and lets the guest change it.
type zoneView struct {
	Label  string
	Path   string
	Params []field // the URL's other parameters
	Query  string  // what the guest typed, if it matches none or several
	Places []namedLink
}

type field struct{ Name, Value string }

// newZoneView shows the zone's offset at the given time, which may differ from today's.
func newZoneView(who viewer, to pageURL, sel selection, at time.Time) *zoneView {
	z := &zoneView{Label: who.local.At(at), Path: to.path, Query: who.zoneQuery}
	params := url.Values{}
	if len(to.params) > 0 {
		params, _ = url.ParseQuery(to.params[1:])
	}
	params.Del("tz")
	switch {
	case !sel.slot.IsZero():
		params.Set("slot", slotd.Instant(sel.slot))
	case sel.date != 0:
		params.Set("date", sel.date.String())
	case sel.month != 0:
		params.Set("month", sel.month.String())
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		z.Params = append(z.Params, field{name, params.Get(name)})
	}
	for _, p := range who.zoneMatches {
		params.Set("tz", p.Zone)
		z.Places = append(z.Places, namedLink{to.path + "?" + params.Encode(), p.String()})
	}
	return z
}
