package hours

import (
	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

// usersOf returns the titles of the event types that use the schedule.
func usersOf(schedule string, w *slotd.Workspace) (titles []string) {
	for _, e := range w.EventTypes {
		if e.Schedule == schedule && !e.Retired {
			titles = append(titles, e.Title)
		}
	}
	return titles
}

// needsOf returns the titles of retired event types that need the schedule as long as their bookings can be moved.
func (v *visit) needsOf(schedule string) (titles []string, err error) {
	for i := range v.Snapshot.EventTypes {
		e := &v.Snapshot.EventTypes[i]
		if e.Schedule != schedule || !e.Retired {
			continue
		}
		n, err := v.Workspaces.CountMovable(v.R.Context(), v.Snapshot.Config, e, v.Now)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			titles = append(titles, e.Title)
		}
	}
	return titles, nil
}

// refuseDeletion returns an error that names the event types, possibly retired ones, that need the schedule.
func (c *scheduleContent) refuseDeletion(users []string) error {
	if len(users) > 0 {
		return page.Refuse(slotd.InvalidArgument, say.T("This schedule is used by %s. Choose another schedule there first.",
			page.JoinNames(users)))
	}
	if len(c.Needs) > 0 {
		return page.Refuse(slotd.InvalidArgument, say.T("Bookings of %s (deleted) still use this schedule. Delete it when they "+
			"are over.", page.JoinNames(c.Needs)))
	}
	return nil
}
