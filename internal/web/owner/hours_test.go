package owner

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/web/webtest"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

// holds fails unless the workspace's file contains all of these lines, and applying it again changes nothing.
func (w *world) holds(slug string, lines ...string) {
	w.T.Helper()
	text := w.export(slug)
	for _, want := range lines {
		if !strings.Contains(text, want) {
			w.T.Errorf("no %q in\n%s", want, text)
		}
	}
	version, err := w.DB.Read().Version(background, w.id(slug))
	w.Must(err)
	file, err := file.Read([]byte(text))
	w.Must(err)
	_, err = workspace.Put(background, w.DB, workspace.Change{Desired: &file.Workspace, Now: w.Clock.Now()})
	w.Must(err)
	if after, err := w.DB.Read().Version(background, w.id(slug)); err != nil || after != version {
		w.T.Errorf("applying the export changed something: version %v to %v, %v\n%s", version, after, err, text)
	}
}

// scheduleOf returns the part of the file with one schedule.
func (w *world) scheduleOf(slug, name string) string {
	w.T.Helper()
	_, rest, ok := strings.Cut(w.export(slug), "\n  "+name+":\n")
	if !ok {
		w.T.Fatalf("no schedule %s in\n%s", name, w.export(slug))
	}
	part := ""
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "    ") {
			break
		}
		part += line
	}
	return part
}

func TestHours_ListSaysWhoGoesByEach(t *testing.T) {
	w := lite(t)
	w.ada().get("/settings/hours").says(200, "default", "Monday–Friday 09:00-17:00", "Used by: Intro call, Consulting",
		"UTC", "A schedule's name can't be changed later")
}

func TestHours_NewAndCopyAreInTheFile(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit("/settings/hours", "name", "evenings").leads("/settings/hours/evenings")
	ada.submit("/settings/hours/evenings", "mon", "18:00-24:00", "tue", "", "wed", "", "thu", "", "fri",
		"").leads("/settings/hours/evenings?saved=week")
	ada.submit("/settings/hours/evenings", "from", "2027-03-01", "until",
		"2027-03-01").leads("/settings/hours/evenings?month=2027-03&saved=away&closed=1&replaced=0#dates")
	ada.submit("/settings/hours", "name", "late", "from", "evenings").leads("/settings/hours/late")
	if a, b := w.scheduleOf("acme", "evenings"), w.scheduleOf("acme", "late"); a != b ||
		!strings.Contains(a, "18:00-24:00") {
		t.Errorf("a copy of\n%s is\n%s", a, b)
	}
	w.holds("acme", "  evenings:", "  late:", `mon: ["18:00-24:00"]`)
	ada.get("/settings/hours").says(200, "Not used by any event type")
}

func TestHours_ANameThatIsTakenOrNoneIsRefusedAndKept(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	before := w.export("acme")
	for name, want := range map[string]string{
		"default":                "already",
		" \t ":                   "The name must not be empty",
		strings.Repeat("a", 201): "The name must be at most 200 characters",
		"two\nlines":             "The name must be one line",
		"a\x00b":                 "The name must be one line",
	} {
		p := ada.submit("/settings/hours", "name", name).says(422, want)
		if trimmed := strings.TrimSpace(name); !p.keeps("name", trimmed) {
			t.Errorf("%q was not kept: %s", name, p.Body)
		}
	}
	ada.post("/settings/hours", "workspace", "acme", "name", "x", "from", "nothing").says(422,
		"“nothing” no longer exists")
	if w.export("acme") != before {
		t.Error("something was changed")
	}
}

// keeps reports whether a field has the value that was typed. A field of one line cannot hold a line break.
func (p *response) keeps(name, value string) bool {
	for _, f := range p.Page().Forms() {
		if f.Names[name] && f.Values.Get(name) == strings.NewReplacer("\r", "", "\x00", "\ufffd").Replace(value) {
			return true
		}
	}
	return false
}

func TestHours_AnyNameHasAPage(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, name := range []string{".", "..", "~", "~.", "a/b", "100%", "a?b#c", "<script>alert(1)</script>", `"'>`,
		"new", "été ☃", "שלום", "a/date", "%2e%2e", "a b+c", "delete"} {
		p := ada.submit("/settings/hours", "name", name)
		if p.Status != 303 || !strings.HasPrefix(p.Location(), "/settings/hours/") {
			t.Fatalf("%q: %d %q", name, p.Status, p.Text())
		}
		ada.get(p.Location()).says(200, name)
		ada.submit(p.Location(), "sun", "10:00-11:00").leads(p.Location() + "?saved=week")
		if list := ada.get("/settings/hours"); strings.Contains(list.Body, "<script>alert") ||
			!strings.Contains(list.Text(), name) {
			t.Errorf("%q is not in the list as it is", name)
		}
	}
	w.holds("acme")
}

func TestHours_DeletingIsRefusedWhileItIsNeeded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.ada()
		ada.submit("/settings/hours", "name", "spare")
		seen := func(name string) string {
			return ada.get("/settings/hours/" + name).Page().Forms()[1].Values.Get("seen")
		}
		ada.post("/settings/hours/default/delete", "workspace", "acme", "seen", seen("default")).says(422,
			"used by Intro call and Consulting")
		w.holds("acme", "  default:", "  spare:")
		ada.post("/settings/hours/spare/delete", "workspace", "acme", "seen", "stale").says(409,
			"Someone else changed this")
		ada.post("/settings/hours/spare/delete", "workspace", "acme", "seen",
			seen("spare")).leads("/settings/hours?saved=1")
		if strings.Contains(w.export("acme"), "spare") {
			t.Error("it is still there")
		}
		ada.get("/settings/hours/spare").says(404, "Schedule not found")
		ada.post("/settings/hours/spare", "workspace", "acme", "mon", "09:00-10:00").says(404)
		ada.post("/settings/hours/spare/delete", "workspace", "acme").says(404)
	})
}

func TestHours_DeletingWaitsForBookingsOfRetiredEventTypes(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	_, err := w.Booking.Create(background, booking.Attendee(w.id("acme")), booking.Request{
		EventType: "intro", StartsAt: monday.Add(3 * time.Hour),
		Attendee: slotd.Attendee{Name: "Guest", Email: "guest@example.com", TimeZone: "UTC"},
	})
	w.Must(err)
	file, _, _ := strings.Cut(acme, "event_types:")
	w.Apply(file)
	ada.get("/settings/hours").says(200, "Used by bookings of deleted event types: Intro call")
	p := ada.get(usual).says(200, "Used by bookings of deleted event types, which can still be moved within these hours: Intro call",
		"You can delete it when the bookings of these event types are over: Intro call")
	if strings.Contains(p.Text(), "Not used by any") || strings.Contains(p.Text(), "Consulting") {
		t.Error(p.Text())
	}
	seen := p.Page().Forms()[1].Values.Get("seen")
	ada.post(usual+"/delete", "workspace", "acme", "seen", seen).says(422, "Bookings of Intro call (deleted) still use",
		"when they are over")
	w.Clock.Advance(4 * time.Hour)
	ada.get(usual).says(200, "Not used by any event type yet")
	ada.post(usual+"/delete", "workspace", "acme", "seen", seen).leads("/settings/hours?saved=1")
	ada.get("/settings/hours").says(200, "No schedules yet")
}

// A workspace file may contain such names.
func TestHours_ANameWithBlanksAtItsEndsCanBeChosen(t *testing.T) {
	w := lite(t)
	w.Apply(strings.NewReplacer("  default:\n", "  \" office \":\n", "duration_minutes: 30,",
		"duration_minutes: 30, schedule: \" office \",", "duration_minutes: 60,",
		"duration_minutes: 60, schedule: \" office \",").Replace(acme))
	ada := w.ada()
	ada.submit("/settings/event-types/intro", "title", "First call").leads("/settings/event-types/intro?saved=1")
	ada.submit("/settings/hours", "name", "late", "from", " office ").leads("/settings/hours/late")
	if got := ada.get("/settings/hours?copy=+office+").says(200).Page().Forms(); len(got) == 0 ||
		!slices.ContainsFunc(got, func(f *webtest.Form) bool { return f.Values.Get("from") == " office " }) {
		t.Error("the copy is not chosen")
	}
	w.holds("acme", "First call", `schedule: " office "`)
	if a, b := w.scheduleOf("acme", `" office "`), w.scheduleOf("acme", "late"); a != b {
		t.Errorf("a copy of\n%s is\n%s", a, b)
	}
}

func TestHours_AtMostFifty(t *testing.T) {
	w := lite(t)
	file := acme
	for i := range 49 {
		file = strings.Replace(file, "schedules:\n", fmt.Sprintf("schedules:\n  s%d: {weekly: {}}\n", i), 1)
	}
	w.Apply(file)
	ada := w.ada()
	ada.submit("/settings/hours", "name", "one more").says(422, "at most 50 schedules")
}

func TestHours_OthersSeeAndTouchNothing(t *testing.T) {
	w := lite(t)
	ada, bo := w.ada(), w.bo()
	ada.submit("/settings/hours", "name", "secret plan")
	before := w.export("acme")
	seen := ada.get("/settings/hours/secret%20plan").Page().Forms()[1].Values.Get("seen")
	for _, path := range []string{"", "/date", "/dates", "/away", "/holidays", "/delete"} {
		path = "/settings/hours/secret%20plan" + path
		for _, slug := range []string{"acme", "other"} {
			p := bo.post(path, "workspace", slug, "seen", seen, "mon", "", "date", "2027-02-03", "kind", "closed",
				"from", "2027-02-03", "until", "2027-02-04",
				"remove", "past", "country", "de", "year", "2027", "day", "2027-03-26")
			if want := map[string]int{"acme": 409, "other": 404}[slug]; p.Status != want {
				t.Errorf("%s as %s: %d %s", path, slug, p.Status, p.Text())
			}
		}
		if p := w.stranger().post(path, "workspace", "acme"); p.Status != 403 {
			t.Errorf("%s by nobody: %d", path, p.Status)
		}
	}
	bo.get("/settings/hours/secret%20plan").says(404)
	if strings.Contains(bo.get("/settings/hours").Body, "secret plan") || w.export("acme") != before {
		t.Error("bo got at acme's hours")
	}
}
