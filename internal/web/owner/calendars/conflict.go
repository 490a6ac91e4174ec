package calendars

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"slotd/internal/web/owner/page"

	"slotd"
)

// receiverName stands for the calendar that receives bookings in the versions of the forms.
const receiverName = "receiver"

// calendarVersion combines the versions of the calendar that receives bookings, which this form may change too, and of
// this calendar's fields. The id is one of them: a calendar that was disconnected and connected again is a different
// one.
func calendarVersion(w *slotd.Workspace, name string) string {
	for _, c := range w.Calendars {
		if c.Name == name {
			return page.Versions(receiverName, receiver(w), "url", c.URL, "username", c.Username, "calendar", c.Calendar,
				"stale_after", strconv.Itoa(c.StaleAfterMinutes), "id", strconv.FormatInt(c.ID, 10))
		}
	}
	return page.Versions(receiverName, receiver(w))
}

// calendarConflict merges the form with somebody else's changes, and shows the fields that both have changed.
func (v *visit) calendarConflict(c *calendarContent) (err error) {
	if v.Snapshot, err = v.Cache.Latest(v.R.Context(), v.Snapshot.WorkspaceID); err != nil {
		return err
	}
	now := &v.Snapshot.Workspace
	at := slices.IndexFunc(now.Calendars, func(o slotd.Calendar) bool { return o.Name == c.Name })
	if at < 0 && !c.New {
		return v.Message(http.StatusConflict, c.Name+" was disconnected meanwhile",
			"Somebody else did that while you were changing it. Nothing was changed. Connect it anew if it is still "+
				"wanted.")
	}
	c.Receiver = receiver(now)
	fields, applyReceiver := c.receiverField(now)
	if at >= 0 {
		cal := now.Calendars[at]
		fields = append(fields, c.versionedFields(&cal)...)
		c.fillFrom(&cal)
	}
	if at >= 0 && c.New {
		c.Theirs = []string{"There is a calendar " + c.Name + " now."}
	}
	c.Resolve(calendarVersion(now, c.Name), fields...)
	applyReceiver()
	return v.showCalendar(http.StatusConflict, c)
}

// receiverField returns the field for the calendar that receives bookings, and a function that puts its result back
// into the form. An owner who does not tick the box makes no statement about other calendars.
func (c *calendarContent) receiverField(now *slotd.Workspace) (fields []page.VersionedField, apply func()) {
	to := ""
	if c.WriteBack {
		to = c.Name
	}
	field := page.VersionedField{Name: receiverName, Label: "The calendar that receives bookings", Current: receiver(now),
		CurrentText: cmp.Or(receiver(now), "none"), Typed: &to, Untouched: !c.WriteBack && !c.OpenedWith(receiverName, c.Name)}
	return []page.VersionedField{field}, func() { c.WriteBack = to == c.Name }
}

// versionedFields pairs what was typed with what is stored now. The address of a feed is a secret that the form never
// shows.
func (c *calendarContent) versionedFields(now *slotd.Calendar) []page.VersionedField {
	url := page.VersionedField{Name: "url", Label: "The address", Current: now.URL, CurrentText: shownAddress(now), Typed: &c.URL}
	if now.Type == slotd.ICSFeed {
		typed := c.URL
		url.Typed, url.Untouched = &typed, typed == ""
	}
	return []page.VersionedField{
		url, {Name: "username", Label: "The user name", Current: now.Username, Typed: &c.Username},
		{Name: "calendar", Label: "The calendar", Current: now.Calendar, Typed: &c.Calendar},
		{Name: "stale_after", Label: "The number of minutes that what was read last counts for",
			Current: strconv.Itoa(now.StaleAfterMinutes),
			Typed:   &c.StaleAfter},
	}
}
