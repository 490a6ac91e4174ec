package eventtypes

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
)

// EventTypesPath is the path of the list of event types.
const EventTypesPath = "/settings/event-types"

// A slug may be "new" or "preview". Such an event type has its page below a dash, which cannot be a slug.
var eventTypeRoutes = []page.Route[visit]{
	page.At(EventTypesPath, page.Member, (*visit).eventTypesPage, (*visit).changeEventTypes),
	page.At(EventTypesPath+"/new", page.Member, (*visit).newEventTypePage, (*visit).createEventType),
	page.At(EventTypesPath+"/preview", page.Member, nil, (*visit).previewEventType),
	page.At(EventTypesPath+"/{slug}", page.Member, (*visit).eventTypePage, (*visit).saveEventType),
	page.At(EventTypesPath+"/-/{slug}", page.Member, (*visit).eventTypePage, (*visit).saveEventType),
}

// EventTypePath returns the path of an event type's page.
func EventTypePath(slug string) string {
	if slug == "new" || slug == "preview" {
		return EventTypesPath + "/-/" + slug
	}
	return EventTypesPath + "/" + slug
}

type eventTypesContent struct {
	page.Form
	Paused  *page.PausedNotice
	Revived bool // the event type that was just created had been offered before
	Offered []eventTypeLine
	Retired []eventTypeLine
}

// eventTypeLine is one event type of the list, with what its buttons send.
type eventTypeLine struct {
	Slug, Title, Duration, Place, Icon, Price string
	Version                                   string // the version that the buttons send
	Edit, Copy, Public                        string // where it is edited, copied and booked
	Hidden, Unpaid, First, Last               bool
	Upcoming                                  int // bookings
}

// eventTypesPage lists the event types that can be booked, and the retired ones.
func (v *visit) eventTypesPage() error {
	return v.showEventTypes(http.StatusOK, "")
}

func (v *visit) showEventTypes(status int, trouble string) error {
	upcoming, err := v.Records.UpcomingByEventType(v.R.Context(), v.Snapshot.Config, v.Now)
	if err != nil {
		return err
	}
	offered := Offered(v.Snapshot.EventTypes)
	c := &eventTypesContent{Form: v.NewForm(orderVersion(offered)), Paused: v.Paused(),
		Revived: v.Value("revived") != ""}
	c.Trouble = trouble
	for i := range v.Snapshot.EventTypes {
		e := &v.Snapshot.EventTypes[i]
		line := v.eventTypeLine(e, upcoming[e.ID])
		if e.Retired {
			c.Retired = append(c.Retired, line)
			continue
		}
		line.First, line.Last = len(c.Offered) == 0, len(c.Offered) == len(offered)-1
		c.Offered = append(c.Offered, line)
	}
	return v.Show(status, "event_types", say.T("Event types"), c)
}

func (v *visit) eventTypeLine(e *slotd.EventType, upcoming int64) eventTypeLine {
	line := eventTypeLine{
		Slug: e.Slug, Title: e.Title, Duration: page.SpellMinutes(e.DurationMinutes), Icon: string(e.Location.Type),
		Version: Form.Version(e),
		Edit:    EventTypePath(e.Slug), Copy: EventTypesPath + "/new?copy=" + e.Slug,
		Public: v.Booking.URL(v.Snapshot.Slug, e.Slug),
		Hidden: e.Hidden, Unpaid: v.cannotBePaid(e), Upcoming: int(upcoming),
	}
	line.Place, _, _ = strings.Cut(e.Location.Sentence(v.Snapshot.Host), "\n")
	if e.Price != nil {
		line.Price = e.Price.String()
	}
	return line
}

// cannotBePaid reports whether the event type has a price but no account receives payments. Guests then read that it
// cannot be booked.
func (v *visit) cannotBePaid(e *slotd.EventType) bool {
	return e.Price != nil && v.Accounts.Account(v.Snapshot.Config) == ""
}

// changeEventTypes handles the buttons of the list.
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
		err = page.Refuse(slotd.InvalidArgument, say.T("This button no longer exists. Please reload the page."))
	}
	if errors.Is(err, page.ErrChanged) {
		return v.listChanged()
	} else if err != nil {
		return err
	}
	return v.Redirect(EventTypesPath + "?saved=1#type-" + slug)
}

// listChanged shows the list as it is now.
func (v *visit) listChanged() (err error) {
	if v.Snapshot, err = v.Cache.Latest(v.R.Context(), v.Snapshot.WorkspaceID); err != nil {
		return err
	}
	return v.showEventTypes(http.StatusConflict,
		say.T("Someone else changed the event types in the meantime, so nothing was done. This is the current list; press "+
			"the button again if you still want to."))
}

// moveEventType swaps an event type with the one above or below. At the end of the list it does nothing.
func (v *visit) moveEventType(slug string, up bool) error {
	version := func(w *slotd.Workspace) string { return orderVersion(w.EventTypes) }
	return v.Edit(v.Value("seen"), version, func(w *slotd.Workspace) error {
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

// changeListed changes the event type next to a button, if it is still what the owner saw.
func (v *visit) changeListed(slug string, change func(w *slotd.Workspace, at int)) error {
	return v.Edit(v.Value("was"), versionOfSlug(slug), func(w *slotd.Workspace) error {
		at := indexOfSlug(w.EventTypes, slug)
		if at < 0 {
			return page.ErrChanged
		}
		change(w, at)
		return nil
	})
}

// reviveEventType offers a retired event type again as it was. If that is no longer valid, for example because its
// schedule is gone, the form asks for what is missing.
func (v *visit) reviveEventType(slug string) error {
	e := v.Snapshot.EventTypeBySlug(slug)
	if e == nil || !e.Retired {
		return page.ErrChanged
	}
	revived := *e
	revived.Retired = false
	c := v.eventTypeForm(&revived, "")
	c.New = true
	if c.Problems = v.checkEventType(c.Typed, &revived, -1); len(c.Problems) == 0 {
		return Add(v.Visit, &revived)
	}
	if err := v.showEventType(http.StatusUnprocessableEntity, c, &revived); err != nil {
		return err
	}
	return kit.ErrAnswered
}
