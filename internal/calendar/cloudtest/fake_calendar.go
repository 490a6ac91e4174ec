package cloudtest

import (
	"cmp"
	"fmt"
	"slices"
)

// book is one calendar. Every change gives its event a new version, so that a difference is what is newer than a
// version. The first version is 1: who is at 0 knows nothing yet.
type book struct {
	version int
	entries map[string]*entry
}

type entry struct {
	event   Event
	version int
	gone    bool
}

func newBook() *book { return &book{version: 1, entries: map[string]*entry{}} }

func (b *book) put(id string, e Event) *entry {
	b.version++
	b.entries[id] = &entry{event: e, version: b.version}
	return b.entries[id]
}

func (b *book) remove(id string) {
	b.version++
	e := b.entries[id]
	e.gone, e.version = true, b.version
}

// live finds an event that was not deleted.
func (b *book) live(id string) (*entry, bool) {
	e, ok := b.entries[id]
	return e, ok && !e.gone
}

// after is what changed since a version, the oldest change first.
func (b *book) after(version int) []*entry {
	var changed []*entry
	for _, e := range b.entries {
		if e.version > version {
			changed = append(changed, e)
		}
	}
	slices.SortFunc(changed, func(a, b *entry) int { return cmp.Compare(a.version, b.version) })
	return changed
}

// page is where a client stands in a read: what it had before (0: nothing), the calendar's version when the read began,
// and the last version that it was sent. The next read begins at the second, so that no change during this one is lost.
type page struct{ since, began, at int }

func (b *book) from(since int) page { return page{since, b.version, since} }

func (p page) String() string { return fmt.Sprintf("%d.%d.%d", p.since, p.began, p.at) }

func parsePage(text string) (p page, ok bool) {
	n, err := fmt.Sscanf(text, "%d.%d.%d", &p.since, &p.began, &p.at)
	return p, err == nil && n == 3
}

// cut is the next page of what passes, and where the one after it begins; more is false on the last one.
func (b *book) cut(p page, size int, passes func(*entry) bool) (found []*entry, next page, more bool) {
	next = p
	for _, e := range b.after(p.at) {
		if !passes(e) {
			continue
		}
		if len(found) == size {
			return found, next, true
		}
		found = append(found, e)
		next.at = e.version
	}
	return found, next, false
}
