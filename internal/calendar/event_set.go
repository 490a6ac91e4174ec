package calendar

import (
	"maps"
	"slices"
)

// EventSet collects one read of a service that sends single events. Such a service lists the parts of a series as
// separate events; removing the series removes its parts.
type EventSet struct {
	knownParts map[string][]string // stored parts by series id
	items      map[string]Item
	gone       map[string]bool
}

// NewEventSet returns an empty set.
func NewEventSet() *EventSet {
	return &EventSet{map[string][]string{}, map[string]Item{}, map[string]bool{}}
}

// AddKnownPart records a part of a series that an earlier read found.
func (g *EventSet) AddKnownPart(id, series string) {
	g.knownParts[series] = append(g.knownParts[series], id)
}

// Forget drops what this read has found about an event so far: an event that changes during the read is on two pages.
func (g *EventSet) Forget(id string) { delete(g.items, id) }

// Add adds an event that this read found.
func (g *EventSet) Add(item Item) { g.items[item.ID] = item }

// Remove removes an event. If it is a series, Remove also removes those of its parts that this read does not contain.
func (g *EventSet) Remove(id string) {
	g.gone[id] = true
	for _, part := range g.knownParts[id] {
		g.gone[part] = true
	}
}

// Changes returns the collected changes in an order that does not depend on the service.
func (g *EventSet) Changes() (c Changes) {
	for _, id := range slices.Sorted(maps.Keys(g.items)) {
		c.Items = append(c.Items, g.items[id])
	}
	for _, id := range slices.Sorted(maps.Keys(g.gone)) {
		if _, found := g.items[id]; !found {
			c.Gone = append(c.Gone, id)
		}
	}
	return c
}
