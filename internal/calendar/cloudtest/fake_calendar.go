package cloudtest

import (
	"cmp"
	"fmt"
	"slices"
)

// fakeCalendar is one calendar. Every change gives its event a new version, so the changes since a version are the
// events with newer ones. The first version is 1: a client at 0 knows nothing yet.
type fakeCalendar struct {
	version int
	entries map[string]*entry
}

type entry struct {
	event   Event
	version int
	deleted bool
}

func newFakeCalendar() *fakeCalendar { return &fakeCalendar{version: 1, entries: map[string]*entry{}} }

func (b *fakeCalendar) put(id string, e Event) *entry {
	b.version++
	b.entries[id] = &entry{event: e, version: b.version}
	return b.entries[id]
}

func (b *fakeCalendar) remove(id string) {
	b.version++
	e := b.entries[id]
	e.deleted, e.version = true, b.version
}

// lookup returns an event that has not been deleted.
func (b *fakeCalendar) lookup(id string) (*entry, bool) {
	e, ok := b.entries[id]
	return e, ok && !e.deleted
}

// changedSince returns what has changed since a version, the oldest change first.
func (b *fakeCalendar) changedSince(version int) []*entry {
	var changed []*entry
	for _, e := range b.entries {
		if e.version > version {
			changed = append(changed, e)
		}
	}
	slices.SortFunc(changed, func(a, b *entry) int { return cmp.Compare(a.version, b.version) })
	return changed
}

// page is the position of a client in a read: the version that it had before (0: none), the calendar's version when
// the read began, and the last version that it was sent. The next read begins at startVersion, so that changes during
// this read are not lost.
type page struct{ since, startVersion, sentVersion int }

func (b *fakeCalendar) firstPage(since int) page { return page{since, b.version, since} }

func (p page) String() string { return fmt.Sprintf("%d.%d.%d", p.since, p.startVersion, p.sentVersion) }

func parsePage(text string) (p page, ok bool) {
	n, err := fmt.Sscanf(text, "%d.%d.%d", &p.since, &p.startVersion, &p.sentVersion)
	return p, err == nil && n == 3
}

// nextPage returns the next page of the entries to include, and where the page after it begins. more is false on the
// last page.
func (b *fakeCalendar) nextPage(p page, size int, include func(*entry) bool) (found []*entry, next page, more bool) {
	next = p
	for _, e := range b.changedSince(p.sentVersion) {
		if !include(e) {
			continue
		}
		if len(found) == size {
			return found, next, true
		}
		found = append(found, e)
		next.sentVersion = e.version
	}
	return found, next, false
}
