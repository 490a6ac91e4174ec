package public

import (
	"net/http"
	"strings"
	"time"

	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
)

// viewer is how times are shown to a guest.
type viewer struct {
	local        when.Local
	zoneInURL    bool         // the URL names the zone, so links must keep it
	hasOwnZone   bool         // the zone is the guest's own, not the fallback
	firstWeekday time.Weekday // first day of the week
	zoneQuery    string       // what the guest typed as a zone, if it matches none or several
	zoneMatches  []zone.Place // the places it matches
}

// zoneCookie holds the browser's time zone and nothing else. The page's script sets it, so that the next page is right
// at once.
const zoneCookie = "slotd_zone"

const maxPlaces = 8

// newViewer takes the zone from the URL, else from the cookie, else the fallback.
func newViewer(r *http.Request, fallback string) viewer {
	var cookieZone string
	if cookie, err := r.Cookie(zoneCookie); err == nil {
		cookieZone = cookie.Value
	}
	return newViewerWithCookie(r, fallback, cookieZone)
}

// newViewerWithCookie is newViewer with the given value of the cookie, which may be empty.
func newViewerWithCookie(r *http.Request, fallback, cookie string) viewer {
	l := when.LocaleOf(r.Header.Get("Accept-Language"))
	v := viewer{local: when.InNamed(fallback, l.TwelveHour), firstWeekday: l.FirstWeekday}
	v.setZone(cookie, l)
	query := strings.TrimSpace(strings.ToValidUTF8(r.FormValue("tz"), "\ufffd"))
	if query == "" || v.hasOwnZone && query == v.local.ZoneName() {
		return v
	}
	if strings.Contains(query, "/") && v.setZone(query, l) { // EST is a zone too, but not the one that people mean
		v.zoneInURL = true
		return v
	}
	v.findZone(query, l)
	return v
}

// setZone sets the zone with exactly this name and reports whether there is one.
func (v *viewer) setZone(name string, l when.Locale) bool {
	z, err := zone.Load(zone.CurrentName(name))
	if err == nil {
		v.local, v.hasOwnZone = when.In(z, l.TwelveHour), true
	}
	return err == nil
}

// findZone sets the zone that matches what a person typed. If several match, the page asks which one.
func (v *viewer) findZone(text string, l when.Locale) {
	found, exact := zone.Find(text, maxPlaces)
	if exact && sameZone(found) {
		v.setZone(found[0].Zone, l)
		v.zoneInURL = true
		return
	}
	v.zoneQuery, v.zoneMatches = text, found
}

func sameZone(places []zone.Place) bool {
	for _, p := range places[1:] {
		if p.Zone != places[0].Zone {
			return false
		}
	}
	return true
}
