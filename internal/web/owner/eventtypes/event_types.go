package eventtypes

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

const EventTypesPath = "/settings/event-types"

// A slug may be "new" or "preview": such an event type has its page behind a dash, which is no slug.
var eventTypeRoutes = []page.Route[visit]{
	page.At(EventTypesPath, page.Member, (*visit).eventTypesPage, (*visit).changeEventTypes),
	page.At(EventTypesPath+"/new", page.Member, (*visit).newEventTypePage, (*visit).createEventType),
	page.At(EventTypesPath+"/preview", page.Member, nil, (*visit).previewEventType),
	page.At(EventTypesPath+"/{slug}", page.Member, (*visit).eventTypePage, (*visit).saveEventType),
	page.At(EventTypesPath+"/-/{slug}", page.Member, (*visit).eventTypePage, (*visit).saveEventType),
}

func EventTypePath(slug string) string {
	if slug == "new" || slug == "preview" {
		return EventTypesPath + "/-/" + slug
	}
	return EventTypesPath + "/" + slug
}

type eventTypesContent struct {
	page.Form
	Standstill *page.PausedNotice
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
	toCome, err := v.Records.UpcomingByEventType(v.R.Context(), v.Snapshot.Config, v.Now)
	if err != nil {
		return err
	}
	live := OfferedOf(v.Snapshot.EventTypes)
	c := &eventTypesContent{Form: v.NewForm(orderMark(live)), Standstill: v.Paused(),
		Revived: v.Value("revived") != ""}
	c.Trouble = trouble
	for i := range v.Snapshot.EventTypes {
		e := &v.Snapshot.EventTypes[i]
		line := v.eventTypeLine(e, toCome[e.ID])
		if e.Retired {
			c.Retired = append(c.Retired, line)
			continue
		}
		line.First, line.Last = len(c.Offered) == 0, len(c.Offered) == len(live)-1
		c.Offered = append(c.Offered, line)
	}
	return v.Show(status, "event_types", "Event types", c)
}

func (v *visit) eventTypeLine(e *slotd.EventType, toCome int64) eventTypeLine {
	line := eventTypeLine{
		Slug: e.Slug, Title: e.Title, Duration: spellMinutes(e.DurationMinutes), Icon: string(e.Location.Type),
		Was:  eventTypeMark(e),
		Edit: EventTypePath(e.Slug), Copy: EventTypesPath + "/new?copy=" + e.Slug,
		Public: v.Booking.URL(v.Snapshot.Slug, e.Slug),
		Hidden: e.Hidden, Unpaid: v.cannotBePaid(e),
	}
	line.Place, _, _ = strings.Cut(e.Location.Sentence(v.Snapshot.Host), "\n")
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
	return e.Price != nil && v.Accounts.Account(v.Snapshot.Config) == ""
}

// changeEventTypes is a button of the list.
func (v *visit) changeEventTypes() error {
	slug := v.Value("slug")
	var err error
	switch do := v.Value("do"); do {
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
	if errors.Is(err, page.ErrChanged) {
		return v.listChanged()
	} else if err != nil {
		return err
	}
	return v.Leave(EventTypesPath + "?saved=1#type-" + slug)
}

// listChanged shows the list as it is now.
func (v *visit) listChanged() (err error) {
	if v.Snapshot, err = v.Cache.Latest(v.R.Context(), v.Snapshot.WorkspaceID); err != nil {
		return err
	}
	return v.showEventTypes(http.StatusConflict,
		"Somebody else has changed the event types meanwhile, so nothing was done. This is how they are now; press "+
			"again if you still want to.")
}

// moveEventType changes places with the one above or below. At the end of the list nothing is left to do.
func (v *visit) moveEventType(slug string, up bool) error {
	mark := func(w *slotd.Workspace) string { return orderMark(w.EventTypes) }
	return v.Edit(v.Value("seen"), mark, func(w *slotd.Workspace) error {
		at := indexOfSlug(w.EventTypes, slug)
		if at < 0 {
			return page.ErrChanged
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
	return v.Edit(v.Value("was"), markOfSlug(slug), func(w *slotd.Workspace) error {
		at := indexOfSlug(w.EventTypes, slug)
		if at < 0 {
			return page.ErrChanged
		}
		change(w, at)
		return nil
	})
}

// reviveEventType offers a retired one again as it was. Where that is no longer right, such as a schedule that is gone,
// the form asks for the rest.
func (v *visit) reviveEventType(slug string) error {
	e := v.Snapshot.EventTypeBySlug(slug)
	if e == nil || !e.Retired {
		return page.ErrChanged
	}
	again := *e
	again.Retired = false
	c := v.eventTypeForm(&again, "")
	c.New = true
	if c.Problems = v.judgeEventType(&again, -1); len(c.Problems) == 0 {
		return Add(v.Visit, &again)
	}
	if err := v.showEventType(http.StatusUnprocessableEntity, c, &again); err != nil {
		return err
	}
	return kit.ErrAnswered
}
