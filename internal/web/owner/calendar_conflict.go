package owner

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"slotd"
)

// calendarMark is of the calendar that bookings go to, which may be changed with this one, and of this one's fields.
// One that was disconnected and connected again is another one.
func calendarMark(w *slotd.Workspace, name string) string {
	for _, c := range w.Calendars {
		if c.Name == name {
			return versions(receiver(w), c.URL, c.Username, c.Calendar, strconv.Itoa(c.StaleAfterMinutes),
				strconv.FormatInt(c.ID, 10))
		}
	}
	return versions(receiver(w))
}

// calendarConflict takes in what somebody else has made of it meanwhile, and shows where both were at it.
func (v *visit) calendarConflict(c *calendarContent) (err error) {
	if v.snapshot, err = v.Cache.Latest(v.r.Context(), v.snapshot.WorkspaceID); err != nil {
		return err
	}
	now := &v.snapshot.Workspace
	at := slices.IndexFunc(now.Calendars, func(o slotd.Calendar) bool { return o.Name == c.Name })
	if at < 0 && !c.New {
		return v.message(http.StatusConflict, c.Name+" was disconnected meanwhile",
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
	c.conflict(calendarMark(now, c.Name), fields...)
	keep()
	return v.showCalendar(http.StatusConflict, c)
}

// receiving is the field of where bookings go. Who does not tick it says nothing about other calendars.
func (c *calendarContent) receiving(now *slotd.Workspace) (fields []versionedField, keep func()) {
	to := ""
	if c.WriteBack {
		to = c.Name
	}
	field := versionedField{what: "The calendar that receives bookings", now: receiver(now),
		told: cmp.Or(receiver(now), "none"), typed: &to, left: !c.WriteBack && !c.openedWith(0, c.Name)}
	return []versionedField{field}, func() { c.WriteBack = to == c.Name }
}

// beside pairs what was typed with what is there now. The address of a feed is a secret: the form never shows it.
func (c *calendarContent) beside(now *slotd.Calendar) []versionedField {
	url := versionedField{what: "The address", now: now.URL, told: shownAddress(now), typed: &c.URL}
	if now.Type == slotd.ICSFeed {
		typed := c.URL
		url.typed, url.left = &typed, typed == ""
	}
	return []versionedField{
		url, {what: "The user name", now: now.Username, typed: &c.Username},
		{what: "The calendar", now: now.Calendar, typed: &c.Calendar},
		{what: "The number of minutes that what was read last counts for", now: strconv.Itoa(now.StaleAfterMinutes),
			typed: &c.StaleAfter},
	}
}
