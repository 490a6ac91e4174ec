package calendars

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
)

// receiverName stands for the calendar that receives bookings in the versions of the forms.
const receiverName = "receiver"

// calendarVersion combines the versions of the calendar that receives bookings, which this form may change too, and of
// this calendar's fields. The id is one of them: a calendar that was disconnected and connected again is a different
// one.
func calendarVersion(w *slotd.Workspace, name string) string {
	for _, c := range w.Calendars {
		if c.Name == name {
			return form.Version(&c, receiverName, receiver(w), "id", strconv.FormatInt(c.ID, 10))
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
		return v.Message(http.StatusConflict, say.T("%s was disconnected in the meantime", c.Name),
			say.T("Somebody else disconnected it while you were changing it. Nothing was saved. Connect it again "+
				"if you still need it."))
	}
	c.Receiver = receiver(now)
	receives, applyReceiver := c.receiverField(now)
	version := calendarVersion(now, c.Name)
	if at >= 0 && c.New {
		c.Theirs = []string{say.T("Somebody else has connected a calendar named %s.", c.Name)}
	}
	if at >= 0 {
		cal := now.Calendars[at]
		c.fillFrom(&cal)
		form.Merge(&c.Filled, &cal, version, receives)
	} else {
		c.Resolve(version, receives)
	}
	applyReceiver()
	return v.showCalendar(http.StatusConflict, c)
}

// receiverField returns the field for the calendar that receives bookings, and a function that puts its result back
// into the form. An owner who does not tick the box makes no statement about other calendars.
func (c *calendarContent) receiverField(now *slotd.Workspace) (field page.VersionedField, apply func()) {
	to, ticked := "", c.Typed["write_back"] == inputs.Yes
	if ticked {
		to = c.Name
	}
	field = page.VersionedField{Name: receiverName, Label: say.T("The calendar that receives bookings"),
		Current: receiver(now), CurrentText: cmp.Or(receiver(now), say.T("none")), Typed: &to,
		Untouched: !ticked && !c.OpenedWith(receiverName, c.Name)}
	return field, func() {
		if c.Typed["write_back"] = "no"; to == c.Name {
			c.Typed["write_back"] = inputs.Yes
		}
	}
}
