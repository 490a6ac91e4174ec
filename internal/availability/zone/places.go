package zone

import (
	"cmp"
	_ "embed"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Place is a name that people know, and its time zone.
type Place struct{ Name, Zone string }

// String returns the place as pages list it: San Francisco (America/Los_Angeles).
func (p Place) String() string {
	if p.Name == p.Zone {
		return p.Name
	}
	return p.Name + " (" + p.Zone + ")"
}

// Places returns the places to suggest to people, sorted by name without regard to accents: the cities that zones are
// named after, and those in cities.txt and names.txt. Find knows more. It is empty if the tz database cannot be read.
func Places() []Place {
	var places []Place
	for _, e := range loadIndex().entries {
		places = append(places, e.Place)
	}
	return places
}

// maxTextLength is longer than the longest label that a page lists, "Name (Zone)".
const maxTextLength = 100

// Find returns at most limit places that match what a person typed. An exact IANA name, in any letter case, returns
// only that zone, and "Name (Zone)" only that place. Otherwise names are compared without regard to case, accents
// and punctuation: if the text is a whole name, Find returns all places with that name; if not, the names that start
// with the text, and then the names that contain a word that does. Of names that Places does not list, Find returns
// those that start with the text, if there are no others. exact reports whether the text is the whole name of what was
// found.
func Find(text string, limit int) (found []Place, exact bool) {
	if limit < 1 || len(text) > maxTextLength || !utf8.ValidString(text) {
		return nil, false
	}
	a := loadIndex()
	if p, ok := a.byLabel(text); ok {
		return []Place{p}, true
	}
	if p, ok := a.zones[zoneKey(text)]; ok && (strings.Contains(text, "/") || !a.hasPlace(text)) {
		return []Place{p}, true
	}
	if p, ok := a.zones[zoneKey(offsetZone(text))]; ok {
		return []Place{p}, true
	}
	found, exact = a.search(Fold(text))
	if city, _, ok := strings.Cut(text, ","); ok && found == nil { // Paris, France
		found, exact = a.search(Fold(city))
	}
	return found[:min(limit, len(found))], exact
}

// hasPlace reports whether text is the whole name of a place. Places take precedence over zones without a slash:
// EST is a zone that never had summer time, but people who type it mean New York.
func (a *index) hasPlace(text string) bool {
	_, exact := a.search(Fold(text))
	return exact
}

// offsetZone returns the zone that people write as UTC+2 or GMT-05:00. The sign in its IANA name is inverted.
func offsetZone(text string) string {
	text = strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	text = strings.TrimPrefix(strings.TrimPrefix(text, "UTC"), "GMT")
	if text == "" || text[0] != '+' && text[0] != '-' {
		return ""
	}
	hours, err := strconv.Atoi(strings.TrimSuffix(text[1:], ":00"))
	if err != nil || hours < 0 || hours > 14 {
		return ""
	}
	sign := "-"
	if text[0] == '-' {
		sign = "+"
	}
	return "Etc/GMT" + sign + strconv.Itoa(hours)
}

type index struct {
	entries []entry          // what Places returns
	more    []entry          // what only Find knows
	zones   map[string]Place // all zones, including legacy ones, by zoneKey
	labels  map[string]Place // by labelKey
}

type entry struct {
	Place
	folded string // the folded name
}

// The lists of places, as lines of Name|Zone. names.txt is our own.
//
//go:generate go run cities_gen.go
var (
	//go:embed cities.txt
	cities string
	//go:embed more_cities.txt
	moreCities string
	//go:embed names.txt
	otherNames string
)

// loadIndex builds the index at first use: that takes about 40 ms, and most commands never look up a city.
var loadIndex = sync.OnceValue(func() *index {
	names, err := Names()
	if err != nil {
		return &index{}
	}
	return newIndex(names, otherNames+cities, moreCities)
})

func newIndex(zones []string, listed, more string) *index {
	a := &index{zones: map[string]Place{}, labels: map[string]Place{}}
	for _, zone := range zones {
		a.addZone(Place{zone, zone})
	}
	a.addLines(listed, &a.entries)
	for _, zone := range zones {
		if isOffered(zone) {
			a.add(Place{cityOf(zone), zone}, &a.entries)
		}
	}
	a.addLines(more, &a.more)
	slices.SortFunc(a.entries, byName)
	slices.SortFunc(a.more, byName)
	return a
}

func (a *index) addLines(lines string, to *[]entry) {
	for line := range strings.Lines(lines) {
		name, zone, ok := strings.Cut(strings.TrimSpace(line), "|")
		if ok && !strings.HasPrefix(line, "#") {
			a.add(Place{name, zone}, to)
		}
	}
}

func (a *index) addZone(p Place) {
	a.zones[zoneKey(p.Zone)] = p
	a.labels[labelKey(Fold(p.Name), p.Zone)] = p
}

// add adds a place. It skips a name that the zone already has, such as "Sao Paulo" from the zone's name after
// "São Paulo" from the file, and a zone that the operator's own database lacks.
func (a *index) add(p Place, to *[]entry) {
	folded := Fold(p.Name)
	label := labelKey(folded, p.Zone)
	_, known := a.zones[zoneKey(p.Zone)]
	_, duplicate := a.labels[label]
	if !known || duplicate {
		return
	}
	*to = append(*to, entry{p, folded})
	a.labels[label] = p
	if folded == Fold(cityOf(p.Zone)) {
		a.zones[zoneKey(p.Zone)] = p
	}
}

// byLabel looks up a place by the label that pages list: "San Francisco (America/Los_Angeles)".
func (a *index) byLabel(text string) (Place, bool) {
	label, closed := strings.CutSuffix(strings.TrimSpace(text), ")")
	at := strings.LastIndexByte(label, '(')
	if !closed || at < 0 {
		return Place{}, false
	}
	p, ok := a.labels[labelKey(Fold(label[:at]), label[at+1:])]
	return p, ok
}

// search returns the places whose folded name matches the key. Among the places that only Find knows it looks for names
// that start with the key; there are too many to scan. It takes about 60 µs.
func (a *index) search(key string) (found []Place, isExact bool) {
	if key == "" {
		return nil, false
	}
	var exact, start, word, more []Place
	inside := " " + key
	for _, e := range a.entries {
		switch {
		case e.folded == key:
			exact = append(exact, e.Place)
		case strings.HasPrefix(e.folded, key):
			start = append(start, e.Place)
		case strings.Contains(e.folded, inside):
			word = append(word, e.Place)
		}
	}
	first := sort.Search(len(a.more), func(i int) bool { return a.more[i].folded >= key })
	for _, e := range a.more[first:] {
		switch {
		case e.folded == key:
			exact = append(exact, e.Place)
		case strings.HasPrefix(e.folded, key):
			more = append(more, e.Place)
		default:
			return bestOf(exact, append(start, word...), more)
		}
	}
	return bestOf(exact, append(start, word...), more)
}

// bestOf returns only exact matches if there are any: a whole name means exactly that name.
func bestOf(exact, listed, more []Place) (found []Place, isExact bool) {
	if exact == nil && listed != nil {
		return listed, false
	}
	if exact == nil {
		return more, false
	}
	slices.SortFunc(exact, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Zone, b.Zone))
	})
	return exact, true
}

func zoneKey(zone string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(zone)), " ", "_")
}

func labelKey(folded, zone string) string { return folded + "|" + zoneKey(zone) }

// cityOf returns the city in a zone's name: "Buenos Aires" for America/Argentina/Buenos_Aires.
func cityOf(zone string) string {
	return strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
}

func byName(a, b entry) int {
	return cmp.Or(strings.Compare(a.folded, b.folded), strings.Compare(a.Name, b.Name), strings.Compare(a.Zone, b.Zone))
}
