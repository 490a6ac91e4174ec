package calendars

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"slotd/internal/web/owner/page"

	"slotd"
)

// calendarMark is of the calendar that bookings go to, which may be changed with this one, and of this one's fields.
// One that was disconnected and connected again is another one.
func calendarMark(w *slotd.Workspace, name string) string {
	for _, c := range w.Calendars {
		if c.Name == name {
			return page.Versions(receiver(w), c.URL, c.Username, c.Calendar, strconv.Itoa(c.StaleAfterMinutes),
				strconv.FormatInt(c.ID, 10))
		}
	}
	return page.Versions(receiver(w))
}

// calendarConflict takes in what somebody else has made of it meanwhile, and shows where both were at it.
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
	fields, keep := c.receiving(now)
	if at >= 0 {
		cal := now.Calendars[at]
		fields = append(fields, c.beside(&cal)...)
		c.shownFor(&cal)
	}
	if at >= 0 && c.New {
		c.Theirs = []string{"There is a calendar " + c.Name + " now."}
	}
	c.Resolve(calendarMark(now, c.Name), fields...)
	keep()
	return v.showCalendar(http.StatusConflict, c)
}

// receiving is the field of where bookings go. Who does not tick it says nothing about other calendars.
func (c *calendarContent) receiving(now *slotd.Workspace) (fields []page.VersionedField, keep func()) {
	to := ""
	if c.WriteBack {
		to = c.Name
	}
	field := page.VersionedField{Label: "The calendar that receives bookings", Current: receiver(now),
		CurrentText: cmp.Or(receiver(now), "none"), Typed: &to, Untouched: !c.WriteBack && !c.OpenedWith(0, c.Name)}
	return []page.VersionedField{field}, func() { c.WriteBack = to == c.Name }
}

// beside pairs what was typed with what is there now. The address of a feed is a secret: the form never shows it.
func (c *calendarContent) beside(now *slotd.Calendar) []page.VersionedField {
	url := page.VersionedField{Label: "The address", Current: now.URL, CurrentText: shownAddress(now), Typed: &c.URL}
	if now.Type == slotd.ICSFeed {
		typed := c.URL
		url.Typed, url.Untouched = &typed, typed == ""
	}
	return []page.VersionedField{
		url, {Label: "The user name", Current: now.Username, Typed: &c.Username},
		{Label: "The calendar", Current: now.Calendar, Typed: &c.Calendar},
		{Label: "The number of minutes that what was read last counts for", Current: strconv.Itoa(now.StaleAfterMinutes),
			Typed: &c.StaleAfter},
	}
}
