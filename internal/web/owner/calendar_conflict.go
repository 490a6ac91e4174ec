package owner

import (
	"net/http"
	"slices"
	"strconv"

	"slotd"
	"slotd/internal/workspace"
)

// calendarMark is of one calendar, and of the one that bookings go to, which may be changed with it.
func calendarMark(w *slotd.Workspace, name string) string {
	for _, c := range w.Calendars {
		if c.Name == name {
			return workspace.Mark(c.ID, c, receiver(w))
		}
	}
	return workspace.Mark(receiver(w))
}

// calendarConflict shows what somebody else has made of it meanwhile.
func (v *visit) calendarConflict(c *calendarContent) (err error) {
	if v.picture, err = v.Booking.Shelf.Latest(v.r.Context(), v.picture.WorkspaceID); err != nil {
		return err
	}
	now := &v.picture.Workspace
	at := slices.IndexFunc(now.Calendars, func(o slotd.Calendar) bool { return o.Name == c.Name })
	if at < 0 && !c.New {
		return v.message(http.StatusConflict, c.Name+" was disconnected meanwhile", "Somebody else did that while you were changing it. Nothing was changed. Connect it anew if it is still wanted.")
	}
	c.Seen, c.Receiver = calendarMark(now, c.Name), receiver(now)
	if at >= 0 {
		cal := now.Calendars[at]
		c.Theirs = c.differences(&cal)
		c.shownFor(&cal)
	}
	if c.Receiver != "" {
		c.Theirs = append(c.Theirs, "Bookings are written into "+c.Receiver+" now.")
	}
	if len(c.Theirs) == 0 {
		c.Theirs = []string{"It is what you typed already, or no bookings are written into any calendar now."}
	}
	return v.showCalendar(http.StatusConflict, c)
}

// differences are in what is there now, as far as it is not what was typed.
func (c *calendarContent) differences(now *slotd.Calendar) (lines []string) {
	say := func(different bool, line string) {
		if different {
			lines = append(lines, line)
		}
	}
	say(c.New, "There is a calendar "+now.Name+" now.")
	say(now.Type != slotd.ICSFeed && now.URL != c.URL || c.URL != "" && now.URL != c.URL, "The address is "+shownAddress(now)+" now.")
	say(now.Username != c.Username, "The user name is “"+now.Username+"” now.")
	say(now.Calendar != c.Calendar, "It is "+shownAddress(now)+" now.")
	say(now.WriteBack && !c.WriteBack, "Bookings are written into it now.")
	say(!now.WriteBack && c.WriteBack, "Bookings are not written into it any more.")
	say(strconv.Itoa(now.StaleAfterMinutes) != c.StaleAfter, "What was read last counts for "+counted(now.StaleAfterMinutes, "minute")+" now.")
	return lines
}
