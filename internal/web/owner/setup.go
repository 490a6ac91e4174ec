package owner

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"slotd"
	"slotd/internal/access"
	"slotd/internal/owners"
	"slotd/internal/slots"
	"slotd/internal/store"
	"slotd/internal/workspace"
	"slotd/internal/zone"
)

// Setting up takes four screens and ends on the booking page. Each keeps what it asked for, so that it can be left and gone on with.
var setupDoors = []door{
	{"/setup", signedIn, (*visit).resume, nil},
	{"/setup/{token}", anyone, (*visit).youPage, (*visit).you},
	{"/setup/workspace", signedIn, (*visit).workspacePage, (*visit).workspace},
	{"/setup/hours", member, (*visit).firstHoursPage, (*visit).firstHours},
	{"/setup/event-type", member, (*visit).firstEventTypePage, (*visit).firstEventType},
}

// resume goes on where it was left.
func (v *visit) resume() error {
	switch {
	case v.picture == nil:
		return v.leave("/setup/workspace")
	case len(v.picture.EventTypes) == 0:
		return v.leave("/setup/hours")
	}
	return v.leave("/settings")
}

type youContent struct {
	form
	Name, Email string
	ToFiles     bool
}

// youPage asks the first owner who they are.
func (v *visit) youPage() error {
	if err := v.Owners.LookFirst(v.r.Context(), v.r.PathValue("token")); err != nil {
		return v.deadLink(err)
	}
	return v.showYou(http.StatusOK, &youContent{})
}

func (v *visit) showYou(status int, c *youContent) error {
	c.ToFiles = v.ToFiles
	return v.show(status, "setup_you", "Set up slotd", c)
}

func (v *visit) you() error {
	if err := v.Owners.LookFirst(v.r.Context(), v.r.PathValue("token")); err != nil {
		return v.deadLink(err)
	}
	c := &youContent{Name: v.value("name"), Email: v.value("email")}
	password := v.r.PostFormValue("password")
	c.wrong("name", sentence("Your name", workspace.CheckName(c.Name)))
	c.wrong("email", sentence("Your address", workspace.CheckEmail(c.Email)))
	if password != "" || v.ToFiles {
		c.wrong("password", sentence("The password", owners.CheckPassword(password, c.Email)))
	}
	if len(c.Problems) > 0 {
		return v.showYou(http.StatusUnprocessableEntity, c)
	}
	a, err := v.Owners.First(v.r.Context(), v.r.PathValue("token"), c.Name, c.Email, password, v.cookie(), v.client)
	if err != nil {
		return v.deadLink(err)
	}
	v.welcome(a)
	return v.leave("/setup/workspace")
}

// sentence joins what is judged and the judgement.
func sentence(subject, reason string) string {
	if reason == "" {
		return ""
	}
	return subject + " " + reason + "."
}

type workspaceContent struct {
	form
	Name, Slug, Zone string
	First            bool // of this owner
	BaseURL          string
}

func (v *visit) workspacePage() error {
	c := &workspaceContent{Zone: v.browserZone()}
	return v.showWorkspace(http.StatusOK, c)
}

func (v *visit) showWorkspace(status int, c *workspaceContent) error {
	c.First, c.BaseURL = v.picture == nil, v.Booking.BaseURL
	return v.show(status, "setup_workspace", "Your workspace", c)
}

// browserZone is the one that the pages' script has remembered.
func (v *visit) browserZone() string {
	cookie, err := v.r.Cookie("slotd_zone")
	if err != nil {
		return ""
	}
	if _, err := zone.Load(cookie.Value); err != nil {
		return ""
	}
	return cookie.Value
}

// maxWorkspaces of one owner.
const maxWorkspaces = 50

func (v *visit) workspace() error {
	c := &workspaceContent{Name: v.value("name"), Slug: v.value("slug"), Zone: v.value("zone")}
	if c.Slug == "" {
		c.Slug = slugOf(c.Name)
	}
	if z, ok := findZone(c.Zone); ok {
		c.Zone = z
	}
	mine, err := v.Owners.Workspaces(v.r.Context(), v.session.User.ID)
	if err != nil {
		return err
	}
	if len(mine) >= maxWorkspaces {
		return slotd.Errorf(slotd.InvalidArgument, "You have %d workspaces, which is the most one owner can have.", len(mine))
	}
	w := v.newWorkspace(c)
	if problems := workspace.Validate(w); len(problems) > 0 {
		c.explain(&workspace.Invalid{Problems: problems}, workspaceField)
		return v.showWorkspace(http.StatusUnprocessableEntity, c)
	}
	id, err := v.create(w)
	if c.explain(err, workspaceField) {
		return v.showWorkspace(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	if err := v.Owners.Choose(v.r.Context(), v.session, id); err != nil {
		return err
	}
	return v.leave("/setup/hours")
}

// newWorkspace is one with ordinary hours and nothing to book yet.
func (v *visit) newWorkspace(c *workspaceContent) *slotd.Workspace {
	name := v.session.User.Name
	if name == "" {
		name, _, _ = strings.Cut(v.session.User.Email, "@")
	}
	return &slotd.Workspace{
		Slug: c.Slug, Name: c.Name, TimeZone: c.Zone, Host: slotd.Host{Name: name, Email: v.session.User.Email},
		Schedules: map[string]slotd.Schedule{"default": {Weekly: ordinaryWeek()}},
	}
}

func ordinaryWeek() map[time.Weekday][]slots.Window {
	week := map[time.Weekday][]slots.Window{}
	for day := time.Monday; day <= time.Friday; day++ {
		week[day] = []slots.Window{{From: 9 * 60, Until: 17 * 60}}
	}
	return week
}

// create makes the workspace and its first owner in one transaction. One that is there already stays whose it is.
func (v *visit) create(w *slotd.Workspace) (id int64, err error) {
	_, err = workspace.Put(v.r.Context(), v.Booking.DB, workspace.Change{Desired: w, New: true, Now: v.now,
		Then: func(ctx ctx, tx *store.Tx, workspaceID int64, _ workspace.Before, _ *slotd.Workspace) error {
			id = workspaceID
			if err := v.Owners.Join(ctx, tx, workspaceID, v.session.User.ID); err != nil {
				return err
			}
			return access.Note(ctx, tx, workspaceID, v.actor(), "workspace.created", w.Slug, v.now)
		}})
	return id, err
}

func workspaceField(path string) (field, subject string) {
	switch path {
	case "workspace.name":
		return "name", "The name"
	case "workspace.slug":
		return "slug", "The address"
	case "workspace.time_zone":
		return "zone", "The time zone:"
	}
	return "name", path
}

// slugOf turns a name into what can stand in an address.
func slugOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	slug := strings.Join(words, "-")
	return strings.Trim(slug[:min(len(slug), 64)], "-")
}

// findZone takes a zone's name, or a city.
func findZone(text string) (string, bool) {
	if _, err := zone.Load(text); err == nil {
		return text, true
	}
	found, exact := zone.Find(text, 1)
	if exact && len(found) > 0 {
		return found[0].Zone, true
	}
	return "", false
}

type firstHoursContent struct {
	form
	Zone string
	Days []firstDay
}

// firstDay is a day of the week with one window; more of them are made in the settings.
type firstDay struct {
	ID, Name    string
	Open        bool
	From, Until string
}

func (v *visit) firstHoursPage() error {
	s, ok := v.picture.Schedules["default"]
	if !ok {
		return v.leave("/settings/hours")
	}
	c := &firstHoursContent{form: v.newForm(workspace.Mark(s)), Zone: v.picture.TimeZone}
	for i, id := range workspace.Weekdays {
		day := time.Weekday((i + 1) % 7)
		d := firstDay{ID: id, Name: day.String(), From: "09:00", Until: "17:00"}
		if windows := s.Weekly[day]; len(windows) > 0 {
			from, until, _ := strings.Cut(windows[0].String(), "-")
			d.Open, d.From, d.Until = true, from, until
		}
		c.Days = append(c.Days, d)
	}
	return v.show(http.StatusOK, "setup_hours", "Your hours", c)
}

func (v *visit) firstHours() error {
	c := &firstHoursContent{form: v.newForm(v.value("seen")), Zone: v.picture.TimeZone}
	week := map[time.Weekday][]slots.Window{}
	for i, id := range workspace.Weekdays {
		day := time.Weekday((i + 1) % 7)
		d := firstDay{ID: id, Name: day.String(), Open: v.value(id) != "", From: v.value(id + "_from"), Until: v.value(id + "_until")}
		c.Days = append(c.Days, d)
		if !d.Open {
			continue
		}
		w, err := slots.ParseWindow(d.From + "-" + d.Until)
		if err != nil {
			c.wrong(id+"_from", d.Name+" must begin before it ends, such as 09:00 to 17:00.")
			continue
		}
		week[day] = []slots.Window{w}
	}
	if len(c.Problems) > 0 {
		return v.show(http.StatusUnprocessableEntity, "setup_hours", "Your hours", c)
	}
	err := v.edit(c.Seen, func(w *slotd.Workspace) string { return workspace.Mark(w.Schedules["default"]) }, func(w *slotd.Workspace) error {
		s := w.Schedules["default"]
		s.Weekly = week
		w.Schedules["default"] = s
		return nil
	})
	if errors.Is(err, errChanged) {
		return v.leave("/setup/hours")
	} else if err != nil {
		return err
	}
	return v.leave("/setup/event-type")
}

type firstEventTypeContent struct {
	form
	Title, Duration, Place, Text string
	Address                      string // of the booking page
}

func (v *visit) firstEventTypePage() error {
	return v.showFirstEventType(http.StatusOK, &firstEventTypeContent{form: v.newForm(""), Title: "Intro call", Duration: "30", Place: "video"})
}

func (v *visit) showFirstEventType(status int, c *firstEventTypeContent) error {
	c.Address = v.Booking.BaseURL + "/" + v.picture.Slug
	return v.show(status, "setup_event_type", "What can be booked", c)
}

// firstEventType ends the setup on the page that guests see.
func (v *visit) firstEventType() error {
	c := &firstEventTypeContent{form: v.newForm(""), Title: v.value("title"), Duration: v.value("duration"), Place: v.value("place"), Text: v.value("text")}
	e := slotd.EventType{
		Slug: slugOf(c.Title), Title: c.Title, DurationMinutes: whole(c.Duration), Schedule: "default",
		BookingWindowDays: 60, RemindersMinutesBefore: []int{1440, 60},
		Location: slotd.Location{Type: slotd.LocationType(c.Place)},
	}
	switch {
	case e.Location.Type == slotd.Phone && c.Text == "":
		e.Location.Ask = true
	case e.Location.Type != slotd.Video:
		e.Location.Text = c.Text
	}
	if e.Slug == "" {
		e.Slug = "meeting"
	}
	err := v.edit("", func(*slotd.Workspace) string { return "" }, func(w *slotd.Workspace) error {
		w.EventTypes = slices.DeleteFunc(w.EventTypes, func(o slotd.EventType) bool { return o.Slug == e.Slug }) // sent twice
		w.EventTypes = append(w.EventTypes, e)
		return nil
	})
	if c.explain(err, firstEventTypeField) {
		return v.showFirstEventType(http.StatusUnprocessableEntity, c)
	} else if err != nil {
		return err
	}
	return v.leave("/" + v.picture.Slug)
}

func firstEventTypeField(path string) (field, subject string) {
	_, name, _ := strings.Cut(path, "].")
	switch name {
	case "duration_minutes":
		return "duration", "The duration"
	case "location.type":
		return "place", "The place"
	case "location", "location.text":
		return "text", "The place"
	}
	return "title", "The title"
}
