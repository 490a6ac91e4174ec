package owner

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store/sqlcgen"
)

const eventTypesPath = "/settings/event-types"

// A slug may be "new" or "preview": such an event type has its page behind a dash, which is no slug.
var eventTypeRoutes = []route{
	{eventTypesPath, member, (*visit).eventTypesPage, (*visit).changeEventTypes},
	{eventTypesPath + "/new", member, (*visit).newEventTypePage, (*visit).createEventType},
	{eventTypesPath + "/preview", member, nil, (*visit).previewEventType},
	{eventTypesPath + "/{slug}", member, (*visit).eventTypePage, (*visit).saveEventType},
	{eventTypesPath + "/-/{slug}", member, (*visit).eventTypePage, (*visit).saveEventType},
}

func eventTypePath(slug string) string {
	if slug == "new" || slug == "preview" {
		return eventTypesPath + "/-/" + slug
	}
	return eventTypesPath + "/" + slug
}

type eventTypesContent struct {
	form
	Standstill *standstill
	Revived    bool // the last one that was made had been offered before
	Offered    []eventTypeLine
	Retired    []eventTypeLine
}

// eventTypeLine is one of the list, with what its buttons send.
type eventTypeLine struct {
	Slug, Title, Duration, Place, Icon, Price string
	Was                                       string // its mark
	Edit, Copy, Public                        string // where it is changed, copied, and booked
	Hidden, Unpaid, First, Last               bool
	ToCome                                    string // its bookings, in words; empty: none
}

// eventTypesPage lists what can be booked, and what no longer is.
func (v *visit) eventTypesPage() error {
	return v.showEventTypes(http.StatusOK, "")
}

func (v *visit) showEventTypes(status int, trouble string) error {
	toCome, err := v.bookingsToCome()
	if err != nil {
		return err
	}
	live := offeredOf(v.snapshot.EventTypes)
	c := &eventTypesContent{form: v.newForm(orderMark(live)), Standstill: v.standstill(),
		Revived: v.value("revived") != ""}
	c.Trouble = trouble
	for i := range v.snapshot.EventTypes {
		e := &v.snapshot.EventTypes[i]
		line := v.eventTypeLine(e, toCome[e.ID])
		if e.Retired {
			c.Retired = append(c.Retired, line)
			continue
		}
		line.First, line.Last = len(c.Offered) == 0, len(c.Offered) == len(live)-1
		c.Offered = append(c.Offered, line)
	}
	return v.show(status, "event_types", "Event types", c)
}

func (v *visit) eventTypeLine(e *slotd.EventType, toCome int64) eventTypeLine {
	line := eventTypeLine{
		Slug: e.Slug, Title: e.Title, Duration: spellMinutes(e.DurationMinutes), Icon: string(e.Location.Type),
		Was:  eventTypeMark(e),
		Edit: eventTypePath(e.Slug), Copy: eventTypesPath + "/new?copy=" + e.Slug,
		Public: v.Booking.URL(v.snapshot.Slug, e.Slug),
		Hidden: e.Hidden, Unpaid: v.cannotBePaid(e),
	}
	line.Place, _, _ = strings.Cut(e.Location.Sentence(v.snapshot.Host), "\n")
	if e.Price != nil {
		line.Price = e.Price.String()
	}
	if toCome > 0 {
		line.ToCome = countedNoun(int(toCome), "booking") + " to come"
	}
	return line
}

// cannotBePaid: guests are then told that it cannot be booked.
func (v *visit) cannotBePaid(e *slotd.EventType) bool {
	return e.Price != nil && v.Accounts.Account(v.snapshot.Config) == ""
}

// bookingsToCome counts by event type.
func (v *visit) bookingsToCome() (map[int64]int64, error) {
	now := v.now.UnixMilli()
	rows, err := v.DB.Read().BookingsToCome(v.r.Context(), sqlcgen.BookingsToComeParams{
		WorkspaceID: v.snapshot.WorkspaceID, HostID: v.snapshot.HostID,
		FromAt: v.now.Add(-slots.LongestClaim).UnixMilli(), StartsAt: now, HeldUntil: now,
	})
	if err != nil {
		return nil, fmt.Errorf("count the bookings to come: %w", err)
	}
	count := map[int64]int64{}
	for _, row := range rows {
		count[row.EventTypeID] = row.Bookings
	}
	return count, nil
}

// changeEventTypes is a button of the list.
func (v *visit) changeEventTypes() error {
	slug := v.value("slug")
	var err error
	switch do := v.value("do"); do {
	case "up", "down":
		err = v.moveEventType(slug, do == "up")
	case "hide", "show":
		err = v.changeListed(slug, func(w *slotd.Workspace, at int) { w.EventTypes[at].Hidden = do == "hide" })
	case "delete":
		err = v.changeListed(slug, func(w *slotd.Workspace,
			at int) {
			w.EventTypes = slices.Delete(w.EventTypes, at, at+1)
		})
	case "revive":
		err = v.reviveEventType(slug)
	default:
		err = slotd.Errorf(slotd.InvalidArgument, "There is no such button. Please open the page anew.")
	}
	if errors.Is(err, errChanged) {
		return v.listChanged()
	} else if err != nil {
		return err
	}
	return v.leave(eventTypesPath + "?saved=1#type-" + slug)
}

// listChanged shows the list as it is now.
func (v *visit) listChanged() (err error) {
	if v.snapshot, err = v.Cache.Latest(v.r.Context(), v.snapshot.WorkspaceID); err != nil {
		return err
	}
	return v.showEventTypes(http.StatusConflict,
		"Somebody else has changed the event types meanwhile, so nothing was done. This is how they are now; press "+
			"again if you still want to.")
}

// moveEventType changes places with the one above or below. At the end of the list nothing is left to do.
func (v *visit) moveEventType(slug string, up bool) error {
	mark := func(w *slotd.Workspace) string { return orderMark(w.EventTypes) }
	return v.edit(v.value("seen"), mark, func(w *slotd.Workspace) error {
		at := indexOfSlug(w.EventTypes, slug)
		if at < 0 {
			return errChanged
		}
		other := at + 1
		if up {
			other = at - 1
		}
		if other >= 0 && other < len(w.EventTypes) {
			w.EventTypes[at], w.EventTypes[other] = w.EventTypes[other], w.EventTypes[at]
		}
		return nil
	})
}

// changeListed changes the one event type that a button stands beside, if it still is what was seen there.
func (v *visit) changeListed(slug string, change func(w *slotd.Workspace, at int)) error {
	return v.edit(v.value("was"), markOfSlug(slug), func(w *slotd.Workspace) error {
		at := indexOfSlug(w.EventTypes, slug)
		if at < 0 {
			return errChanged
		}
		change(w, at)
		return nil
	})
}

// reviveEventType offers a retired one again as it was. Where that is no longer right, such as a schedule that is gone,
// the form asks for the rest.
func (v *visit) reviveEventType(slug string) error {
	e := v.snapshot.EventTypeBySlug(slug)
	if e == nil || !e.Retired {
		return errChanged
	}
	again := *e
	again.Retired = false
	c := v.eventTypeForm(&again, "")
	c.New = true
	if c.Problems = v.judgeEventType(&again, -1); len(c.Problems) == 0 {
		return v.addEventType(&again)
	}
	if err := v.showEventType(http.StatusUnprocessableEntity, c, &again); err != nil {
		return err
	}
	return errAnswered
}
