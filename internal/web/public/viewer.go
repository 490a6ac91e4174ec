package public

import (
	"net/http"
	"strings"
	"time"

	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
)

// viewer is how a guest reads times.
type viewer struct {
	local  when.Local
	chosen bool         // the zone stands in the address, so it has to stay there
	given  bool         // the zone is the guest's own, not just the workspace's
	first  time.Weekday // of the week
	typed  string       // what was typed for a zone and names none or several
	places []zone.Place // which it may be
}

// zoneCookie holds the browser's own time zone, nothing else. The page's script sets it, so that
// the next page is right at once.
const zoneCookie = "slotd_zone"

const mostPlaces = 8

// viewerOf takes the zone from the address, else from the cookie, else the one given.
func viewerOf(r *http.Request, otherwise string) viewer {
	var own string
	if cookie, err := r.Cookie(zoneCookie); err == nil {
		own = cookie.Value
	}
	return viewerIn(r, otherwise, own)
}

// viewerIn is viewerOf with the cookie's value, or without one.
func viewerIn(r *http.Request, otherwise, cookie string) viewer {
	l := when.LocaleOf(r.Header.Get("Accept-Language"))
	v := viewer{local: when.InNamed(otherwise, l.Twelve), first: l.First}
	v.read(cookie, l)
	asked := strings.TrimSpace(strings.ToValidUTF8(r.FormValue("tz"), "\ufffd"))
	if asked == "" || v.given && asked == v.local.ZoneName() {
		return v
	}
	if strings.Contains(asked, "/") && v.read(asked, l) { // EST is a zone too, but not the one that is meant
		v.chosen = true
		return v
	}
	v.search(asked, l)
	return v
}

// read takes the exact name of a zone.
func (v *viewer) read(name string, l when.Locale) bool {
	z, err := zone.Load(zone.Present(name))
	if err == nil {
		v.local, v.given = when.In(z, l.Twelve), true
	}
	return err == nil
}

// search takes what people type. If it may be several zones, the page asks which.
func (v *viewer) search(text string, l when.Locale) {
	found, exact := zone.Find(text, mostPlaces)
	if exact && sameZone(found) {
		v.read(found[0].Zone, l)
		v.chosen = true
		return
	}
	v.typed, v.places = text, found
}

func sameZone(places []zone.Place) bool {
	for _, p := range places[1:] {
		if p.Zone != places[0].Zone {
			return false
		}
	}
	return true
}
