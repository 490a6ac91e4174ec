package owner

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"slotd/internal/web/owner/eventtypes"
	"slotd/internal/web/webtest"
	"slotd/internal/workspace"
)

// listedInput is an input that a list of fields says there is, with texts that may be valid in it.
type listedInput struct {
	name, label string
	flag        bool
	candidates  []string
}

// texts are tried for fields with text. Nobody answers at the first two, not even the name server.
var texts = []string{"http://10.0.0.1/theirs", "http://10.0.0.1/mine", "Theirs", "Mine", "early", "late",
	"Europe/Paris", "Asia/Tokyo", "#112233", "#445566", "eve@acme.example", "joe@acme.example",
	"https://theirs.example", "https://mine.example"}

// inputsIn returns the inputs of fields that can be changed.
func inputsIn[T any](fields []workspace.Field[T]) (all []listedInput) {
	for _, f := range fields {
		in := listedInput{name: f.Input, label: f.Label.String()}
		switch k := f.Kind.(type) {
		case workspace.Object[T]:
			all = append(all, inputsIn(k.Fields)...)
			continue
		case workspace.Week[T]:
			for i, day := range workspace.Weekdays {
				all = append(all, listedInput{name: day, label: time.Weekday((i + 1) % 7).String(),
					candidates: []string{"05:00-06:00", "06:00-07:00"}})
			}
			continue
		case workspace.Text[T]:
			// The first choice of a location is video, which has no text: the last ones keep it.
			in.candidates = slices.DeleteFunc(slices.Concat(k.Format.Choices[max(0, len(k.Format.Choices)-3):], texts),
				func(s string) bool { return k.Format.Check(s) != nil })
		case workspace.Texts[T]:
			in.candidates = slices.DeleteFunc(slices.Clone(texts),
				func(s string) bool { return k.Format.Check(s) != nil })
		case workspace.Number[T]:
			in.candidates = []string{strconv.Itoa(k.Min + 1), strconv.Itoa(k.Min + 2)}
		case workspace.Numbers[T]:
			in.candidates = []string{strconv.Itoa(k.Min + 1), strconv.Itoa(k.Min + 2)}
		case workspace.Flag[T]:
			in.flag, in.candidates = true, []string{"on"}
		}
		if f.Input != "" && !f.Fixed {
			all = append(all, in)
		}
	}
	return all
}

const everything = `
workspace: {slug: acme, name: Acme Inc, time_zone: UTC}
host: {name: Ada Park, email: ada@acme.example}
schedules:
  default: {weekly: {mon: ["09:00-17:00"]}}
  early: {weekly: {}}
  late: {weekly: {}}
event_types:
  - {slug: intro, title: Intro call, duration_minutes: 30, location: {type: video}, price: {amount_cents: 5000, currency: usd}}
  - {slug: visit, title: Visit, duration_minutes: 60, location: {type: in_person, text: 12 Harbor Street}}
calendars:
  - {name: Club, type: ics, url: "http://10.0.0.1/club.ics"}
  - {name: Office, type: caldav, url: "http://10.0.0.1/office/"}
  - {name: Work, type: google}
`

// editedForm is a form of the settings, on one or more pages, and the inputs that it must have.
type editedForm struct {
	pages  []string
	inputs []listedInput
}

// pagesOfWorkspace are the pages that change the parts of a workspace.
var pagesOfWorkspace = map[string]string{"workspace": "/settings/look", "look": "/settings/look",
	"embed": "/settings/look", "host": "/settings/mail"}

// editedForms returns all forms that change a workspace. Each part of the lists of fields is on one of them.
func editedForms(w *world) []editedForm {
	w.T.Helper()
	forms := []editedForm{
		{[]string{eventtypes.EventTypePath("intro"), eventtypes.EventTypePath("visit")},
			inputsIn(workspace.EventTypeFields)},
		{[]string{usual}, inputsIn(workspace.ScheduleFields)},
		{[]string{w.calendarPath("Club"), w.calendarPath("Office"), w.calendarPath("Work")},
			inputsIn(workspace.CalendarFields)},
	}
	for _, f := range workspace.Fields {
		if pagesOfWorkspace[f.Name] == "" {
			w.T.Errorf("say which page changes %s", f.Name)
		}
		forms = append(forms, editedForm{[]string{pagesOfWorkspace[f.Name]},
			inputsIn(workspace.Parts(workspace.Fields, f.Name))})
	}
	return forms
}

// editor tries what happens to one input of a page.
type editor struct {
	w        *world
	ada, eve *window
	page     string
	listedInput
}

// save types the value into the open form, and sends it.
func (e *editor) save(b *window, opened *response, name, value string) *response {
	e.w.T.Helper()
	form := opened.formWith(name)
	if form.Values.Set(name, value); value == "" && form.Optional[name] {
		form.Values.Del(name)
	}
	if form.Names["password"] { // a calendar, which nobody can read
		form.Values.Set("anyway", "on")
		if form.Values.Get("username") != "" {
			form.Values.Set("password", "secret")
		}
	}
	if form.Action == "" {
		form.Action = e.page
	}
	return b.postForm(form.Action, form.Values)
}

// reset makes everything as it was, and returns the open form.
func (e *editor) reset() *response {
	e.w.T.Helper()
	e.w.Apply(everything)
	return e.ada.get(e.page).says(200)
}

// values returns up to two values that can be saved, and the files that this makes.
func (e *editor) values() (values, files []string) {
	e.w.T.Helper()
	before := e.w.export("acme")
	for _, value := range e.candidates {
		opened := e.reset()
		if !slices.ContainsFunc(opened.Page().Forms(), hasField(e.name)) {
			return nil, nil
		}
		p := e.save(e.ada, opened, e.name, value)
		file := e.w.export("acme")
		if p.Status == http.StatusSeeOther && file != before && !slices.Contains(files, file) {
			values, files = append(values, value), append(files, file)
		}
		if len(values) == 2 {
			break
		}
	}
	e.reset()
	return values, files
}

// Two owners change the same field: the second is told, and sees both values.
func (e *editor) bothChangeIt(theirs, mine, wantFile string) {
	t := e.w.T
	t.Helper()
	opened := e.reset()
	if p := e.save(e.eve, e.eve.get(e.page), e.name, theirs); p.Status != http.StatusSeeOther {
		t.Fatalf("%s: theirs is not saved: %d %s", e.name, p.Status, p.Text())
	}
	between := e.w.export("acme")
	p := e.save(e.ada, opened, e.name, mine).says(http.StatusConflict, e.label+" is now ", "Save again to replace")
	shown := strings.TrimSuffix(theirs, "theirs") // the path of a feed is a secret
	if !strings.Contains(strings.ToLower(p.Text()), strings.ToLower(shown)) {
		t.Errorf("%s: the page does not show %s: %s", e.name, theirs, p.Text())
	}
	if got := p.typed(e.name); got != mine {
		t.Errorf("%s: %q was typed, the form has %q", e.name, mine, got)
	}
	if e.w.export("acme") != between {
		t.Errorf("%s: theirs is overwritten", e.name)
	}
	if p := e.save(e.ada, p, e.name, mine); p.Status != http.StatusSeeOther || e.w.export("acme") != wantFile {
		t.Errorf("%s: saved again: %d, not as if it were mine alone:\n%s", e.name, p.Status, e.w.export("acme"))
	}
}

// Two owners change different fields: both changes hold.
func (e *editor) eachChangesOne(theirs string, other listedInput, mine string) {
	t := e.w.T
	t.Helper()
	e.reset()
	e.save(e.eve, e.eve.get(e.page), e.name, theirs)
	e.save(e.ada, e.ada.get(e.page), other.name, mine)
	want := e.w.export("acme")
	opened := e.reset()
	e.save(e.eve, e.eve.get(e.page), e.name, theirs)
	p := e.save(e.ada, opened, other.name, mine).says(http.StatusConflict, "Save again to keep both")
	if strings.Contains(p.Text(), other.label+" is now") {
		t.Errorf("%s and %s: %s", e.name, other.name, p.Text())
	}
	if p := e.save(e.ada, p, other.name, mine); p.Status != http.StatusSeeOther || e.w.export("acme") != want {
		t.Errorf("%s and %s: %d, not both hold:\n%swant\n%s", e.name, other.name, p.Status, e.w.export("acme"), want)
	}
}

// The cases come from the lists of fields: a field that has an input is edited by two owners at once here.
func TestConflict_OfEveryFieldOfEveryForm(t *testing.T) {
	w := lite(t)
	w.Apply(everything)
	ada, eve := w.ada(), w.owner("acme", "eve@acme.example")
	tried := 0
	for _, form := range editedForms(w) {
		for i, in := range form.inputs {
			shown := false
			for _, page := range form.pages {
				e := &editor{w, ada, eve, page, in}
				values, files := e.values()
				if len(values) == 0 || len(values) == 1 && !in.flag {
					continue
				}
				shown = true
				tried++
				if !in.flag {
					e.bothChangeIt(values[0], values[1], files[1])
				}
				for next := range form.inputs {
					other := form.inputs[(i+1+next)%len(form.inputs)]
					if mine, _ := (&editor{w, ada, eve, page, other}).values(); len(mine) == 2 && other.name != in.name {
						e.eachChangesOne(values[0], other, mine[1])
						break
					}
				}
			}
			if !shown {
				t.Errorf("%s: nobody can change %s there (tried %q)", form.pages, in.name, in.candidates)
			}
		}
	}
	if tried < 40 {
		t.Errorf("only %d inputs were tried", tried)
	}
}

func hasField(name string) func(*webtest.Form) bool {
	return func(f *webtest.Form) bool { return f.Names[name] && f.Method == "post" }
}
