package calendar

import (
	"maps"
	"slices"
)

// Gathered is a read of a service that sends single events, while it is put together. The parts of a series are events
// of their own there, and go with it.
type EventSet struct {
	parts map[string][]string // of series, those that are kept
	items map[string]Item
	gone  map[string]bool
}

func NewEventSet() *EventSet {
	return &EventSet{map[string][]string{}, map[string]Item{}, map[string]bool{}}
}

// Keeps notes a part of a series that an earlier read has found.
func (g *EventSet) AddKnownPart(id, series string) { g.parts[series] = append(g.parts[series], id) }

// Again forgets what this read has of an event so far: one that changes during the read is on two pages.
func (g *EventSet) Forget(id string) { delete(g.items, id) }

func (g *EventSet) Add(item Item) { g.items[item.ID] = item }

// Remove takes an event out, and with a series those of its parts that this read does not have.
func (g *EventSet) Remove(id string) {
	g.gone[id] = true
	for _, part := range g.parts[id] {
		g.gone[part] = true
	}
}

// Changes are what was gathered, in an order that does not depend on the service's.
func (g *EventSet) Changes() (c Changes) {
	for _, id := range slices.Sorted(maps.Keys(g.items)) {
		c.Items = append(c.Items, g.items[id])
	}
	for _, id := range slices.Sorted(maps.Keys(g.gone)) {
		if _, read := g.items[id]; !read {
			c.Gone = append(c.Gone, id)
		}
	}
	return c
}
