package calendars

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"slotd"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// foundForm has the inputs that apply to all chosen calendars.
var foundForm = form.Only("stale_after")

// foundContent lists the calendars of an account to choose from.
type foundContent struct {
	inputs.Filled
	Ticket   string
	Found    []foundCalendar
	Receives string // the number of the calendar that is to receive bookings
	Receiver string // the workspace's present one
	Retry    bool
}

type foundCalendar struct {
	Number    int
	Address   string
	Name      string
	Writable  bool
	Connected string // the name under which it is already connected; empty: it is not
	Use       bool
}

// foundCalendars returns the form before anything is chosen.
func (v *visit) foundCalendars(t *foundTicket) (*foundContent, error) {
	text, err := v.sealTicket(t)
	if err != nil {
		return nil, err
	}
	var cal slotd.Calendar
	workspace.SetDefaults(&cal, workspace.CalendarFields)
	w := &v.Snapshot.Workspace
	c := &foundContent{Filled: foundForm.Fill(v.NewForm(calendarVersion(w, "")), foundForm.Show(&cal)), Ticket: text,
		Receiver: receiver(w)}
	for i, f := range t.Found {
		line := foundCalendar{Number: i, Address: f.URL, Name: safehttp.Printable(f.Name, workspace.MaxName/2),
			Writable: f.Writable}
		at := slices.IndexFunc(w.Calendars,
			func(o slotd.Calendar) bool { return o.Type == slotd.CalDAV && o.URL == f.URL })
		if at >= 0 {
			line.Connected = w.Calendars[at].Name
		}
		c.Found = append(c.Found, line)
	}
	return c, nil
}

// connectFound connects all chosen calendars, or none.
func (v *visit) connectFound() error {
	t, err := v.openTicket(v.Value("ticket"))
	if err != nil {
		return err
	}
	c, err := v.foundCalendars(t)
	if err != nil {
		return err
	}
	chosen := v.chosenCalendars(t, c)
	if answered, err := v.refuseFound(t, c, chosen); answered || err != nil {
		return err
	}
	passwords := map[string]string{}
	for _, cal := range chosen {
		if t.Username != "" {
			passwords[cal.Name] = t.Password
		}
	}
	err = v.EditWith(workspace.EditRequest{Passwords: passwords, Edit: func(w *slotd.Workspace) error {
		if calendarVersion(w, "") != c.Version {
			return page.ErrChanged
		}
		for _, cal := range chosen {
			putCalendar(w, cal, true)
		}
		return nil
	}})
	if errors.Is(err, page.ErrChanged) {
		return v.foundConflict(c)
	} else if c.AddProblems(err, v.foundField(c)) {
		return v.Show(http.StatusUnprocessableEntity, "found", say.T("Choose calendars"), c)
	} else if err != nil {
		return err
	}
	return v.readChosen(chosen)
}

// chosenCalendars reads the form into c, and returns the calendars to connect.
func (v *visit) chosenCalendars(t *foundTicket, c *foundContent) (chosen []slotd.Calendar) {
	c.Version, c.Typed, c.Receives = v.Value("seen"), foundForm.Typed(v.Visit), v.Value("receives")
	for i := range c.Found {
		f, number := &c.Found[i], strconv.Itoa(i)
		f.Name, f.Use = v.Value("name_"+number), slices.Contains(v.R.PostForm["use"], number)
		receives := c.Receives == number
		switch {
		case f.Use && f.Connected != "":
			c.AddProblem("use_"+number, say.T("%s is already connected.", f.Connected))
		case receives && !f.Use:
			c.AddProblem("use_"+number, say.T("Bookings can only be added to a connected calendar. "+
				"Select %s too, or choose another one.", f.Name))
		case receives && !f.Writable:
			c.AddProblem("use_"+number, say.T("%s is read-only. Choose another calendar for bookings.", f.Name))
		}
		if f.Use {
			cal := slotd.Calendar{Name: f.Name, Type: slotd.CalDAV, URL: t.Found[i].URL, Username: t.Username,
				WriteBack: receives}
			foundForm.Read(&cal, c.Typed)
			chosen = append(chosen, cal)
		}
	}
	return chosen
}

func (v *visit) refuseFound(t *foundTicket, c *foundContent, chosen []slotd.Calendar) (answered bool, err error) {
	if len(chosen) == 0 && len(c.Problems) == 0 {
		c.Trouble = say.T("Select at least one calendar.")
	}
	trial := v.Snapshot.Workspace
	trial.Calendars = slices.Clone(trial.Calendars)
	for _, cal := range chosen {
		putCalendar(&trial, cal, true)
	}
	c.AddProblems(&workspace.ValidationError{Problems: workspace.Validate(&trial)}, v.foundField(c))
	ctx, cancel := context.WithTimeout(v.R.Context(), tryTimeout)
	defer cancel()
	for i := 0; i < len(chosen) && len(c.Problems) == 0 && c.Trouble == "" && v.Value("anyway") == ""; i++ {
		reason, err := v.tryRead(ctx, &chosen[i], t.Password)
		if err != nil {
			return false, err
		}
		if reason != "" {
			c.Trouble, c.Retry = say.T("%s can't be read. %s", chosen[i].Name, reason), true
		}
	}
	if len(c.Problems) == 0 && c.Trouble == "" {
		return false, nil
	}
	return true, v.Show(http.StatusUnprocessableEntity, "found", say.T("Choose calendars"), c)
}

// foundField maps a path to a field of the form. In the list that was validated, the chosen calendars follow the
// connected ones.
func (v *visit) foundField(c *foundContent) func(path string) (field, subject string) {
	var used []int
	for _, f := range c.Found {
		if f.Use {
			used = append(used, f.Number)
		}
	}
	return func(path string) (string, string) {
		field, subject := fieldOf(path, c.Typed)
		position, _, _ := strings.Cut(strings.TrimPrefix(path, "calendars["), "]")
		n, err := strconv.Atoi(position)
		switch n -= len(v.Snapshot.Calendars); {
		case field == "stale_after":
			return field, subject
		case err != nil || n < 0 || n >= len(used):
			return "found", subject
		case field == "name":
			return "name_" + strconv.Itoa(used[n]), subject
		}
		return "use_" + strconv.Itoa(used[n]), subject
	}
}

// foundConflict handles the only change that can conflict: which calendar receives bookings.
func (v *visit) foundConflict(c *foundContent) (err error) {
	if v.Snapshot, err = v.Cache.Latest(v.R.Context(), v.Snapshot.WorkspaceID); err != nil {
		return err
	}
	c.Version, c.Receiver = calendarVersion(&v.Snapshot.Workspace, ""), receiver(&v.Snapshot.Workspace)
	c.Theirs = []string{say.T("Bookings aren't added to any calendar now.")}
	if c.Receiver != "" {
		c.Theirs = []string{say.T("Bookings are added to %s now.", c.Receiver)}
	}
	return v.Show(http.StatusConflict, "found", say.T("Choose calendars"), c)
}

func (v *visit) readChosen(chosen []slotd.Calendar) error {
	ids := make([]int64, len(chosen))
	for i, cal := range chosen {
		id, err := v.calendarID(cal.Name)
		if err != nil {
			return err
		}
		ids[i] = id
	}
	if err := v.readNow(ids...); err != nil {
		return err
	}
	return v.Redirect("/settings/calendars?saved=1")
}
