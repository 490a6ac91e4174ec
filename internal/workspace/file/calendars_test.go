package file

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/seal"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
)

// calendarsAt is the line of the first calendar.
const calendarsAt = 5

// withCalendars appends the calendars to a small file, one per line.
func withCalendars(calendars ...string) string {
	text := "workspace: {slug: acme, name: Acme, time_zone: UTC}\nhost: {name: Ada, email: " +
		"ada@acme.example}\nschedules: {}\ncalendars:\n"
	for _, c := range calendars {
		text += "  - {" + c + "}\n"
	}
	return text
}

const club = `name: club, type: ics, url: "https://club.example/fixtures.ics"`

func TestRead_Calendars(t *testing.T) {
	file := mustRead(t, withCalendars(
		`name: office, type: caldav, url: "https://dav.example/ada/office/", username: ada, password_env: ADA_DAV, write_back: true, stale_after_minutes: 60`,
		club, `name: team, type: google, calendar: team@acme.example`,
		`name: 123, type: microsoft, url: null, write_back: false`))
	wantEqual(t, file.Workspace.Calendars, []slotd.Calendar{
		{Name: "office", Type: slotd.CalDAV, URL: "https://dav.example/ada/office/", Username: "ada", WriteBack: true,
			StaleAfterMinutes: 60},
		{Name: "club", Type: slotd.ICSFeed, URL: "https://club.example/fixtures.ics", StaleAfterMinutes: 15},
		{Name: "team", Type: slotd.Google, Calendar: "team@acme.example", StaleAfterMinutes: 15},
		{Name: "123", Type: slotd.Microsoft, StaleAfterMinutes: 15},
	})
	wantEqual(t, file.Passwords, map[string]PasswordEnv{"office": {Name: "ADA_DAV", Line: calendarsAt}})
	for _, none := range []string{"", "calendars: []\n", "calendars:\n", "calendars: null\n"} {
		if file := mustRead(t, strings.TrimSuffix(withCalendars(), "calendars:\n")+
			none); len(file.Workspace.Calendars) != 0 || len(file.Passwords) != 0 {
			t.Errorf("%q: %+v", none, file)
		}
	}
}

// wantCalendarProblem puts the wrong calendar after a valid one, on line 6.
func wantCalendarProblem(t *testing.T, calendar string, starts ...string) {
	t.Helper()
	for i := range starts {
		starts[i] = fmt.Sprintf("line %d: calendars[1]%s", calendarsAt+1, starts[i])
	}
	wantProblems(t, withCalendars(club, calendar), starts...)
}

func TestRead_RefusesHostileCalendars(t *testing.T) {
	const name = `name: x, type: ics, `
	wantCalendarProblem(t, `name: x`, ".type: is missing")
	wantCalendarProblem(t, `type: ics, url: "https://a.example/"`, ".name: is missing")
	wantCalendarProblem(t, `name: x, type: exchange`, ".type: must be ics, caldav, google or microsoft")
	wantCalendarProblem(t, `name: x, type: [ics]`, ".type: must be text")
	wantCalendarProblem(t, `name: {a: b}, type: google`, ".name: must be text")
	wantCalendarProblem(t, `name: "a\nb", type: google`, ".name: must be one line")
	wantCalendarProblem(t, name+`url: "https://a.example/", password: secret`,
		".password: is no known field; did you mean password_env?")
	wantCalendarProblem(t, name+`url: "https://a.example/", token: secret`, ".token: is no known field")
	for _, url := range []string{"https://user:pass@a.example/", "javascript:alert(1)", "https://a.example/a b",
		"file:///etc/passwd", "", "x", "//a.example/x", `https://a.example/\r\nHost: b`} {
		wantCalendarProblem(t, name+`url: "`+url+`"`, ".url: must")
	}
	wantCalendarProblem(t, name+`url: "https://a.example/#top"`, ".url: must have no part that begins with #")
	wantCalendarProblem(t, name+`url: [a]`, ".url: must be text")
	for _, user := range []string{"a:b", `a\r\nX: y`, strings.Repeat("a", 255)} {
		wantCalendarProblem(t, name+`url: "https://a.example/", username: "`+user+`", password_env: P`,
			".username: must be a user name")
	}
	wantCalendarProblem(t, name+`url: "https://a.example/", password_env: P`,
		".password_env: must come with a username")
	for _, flag := range []string{"yes", `"true"`, "1", "[]"} {
		wantCalendarProblem(t, `name: x, type: caldav, url: "https://a.example/", write_back: `+flag,
			".write_back: must be true or false")
	}
	wantCalendarProblem(t, name+`url: "https://a.example/", write_back: true`, ".write_back: must be left out")
	for _, minutes := range []string{"0", "-1", "10081", "99999999999999999999"} {
		wantCalendarProblem(t, name+`url: "https://a.example/", stale_after_minutes: `+minutes,
			".stale_after_minutes: must be")
	}
	for _, minutes := range []string{"1.5", `"15"`, "1e3", "0x10", "[]", "15m"} {
		wantCalendarProblem(t, name+`url: "https://a.example/", stale_after_minutes: `+minutes,
			".stale_after_minutes: must be a whole number")
	}
	wantCalendarProblem(t, `name: club, type: google`, ".name: must be different from the others")
}

func TestRead_RefusesCalendarsThatDoNotGoTogether(t *testing.T) {
	dav := func(name string) string {
		return fmt.Sprintf(`name: %s, type: caldav, url: "https://a.example/", write_back: true`, name)
	}
	wantProblems(t, withCalendars(dav("a"), club, dav("b"), dav("c")),
		"line 7: calendars[2].write_back: must be true for one calendar only")
	var many []string
	for i := range 21 {
		many = append(many, fmt.Sprintf(`name: c%d, type: google`, i))
	}
	mustRead(t, withCalendars(many[:20]...))
	wantProblems(t, withCalendars(many...), "line 4: calendars: must hold at most 20 calendars")
	for _, list := range []string{"calendars: {}\n", "calendars: office\n", "calendars: 1\n"} {
		wantProblems(t, strings.TrimSuffix(withCalendars(), "calendars:\n")+list,
			"line 4: calendars: must be a list, such as - name: office")
	}
	wantProblems(t, withCalendars(club)+"  - office\n", "line 6: calendars[1]: must be a mapping with name, type")
}

// anyCalendar generates valid calendars with unusual texts.
func anyCalendar(t *rapid.T, i int) slotd.Calendar {
	c := slotd.Calendar{
		Name:              fmt.Sprintf("%.150s %d", anyName.Draw(t, "name"), i),
		StaleAfterMinutes: rapid.OneOf(rapid.Just(15), rapid.IntRange(1, 10080)).Draw(t, "stale"),
		Type: rapid.SampledFrom([]slotd.CalendarType{slotd.ICSFeed, slotd.CalDAV, slotd.Google,
			slotd.Microsoft}).Draw(t, "type"),
	}
	if c.ByConsent() {
		c.Calendar = rapid.SampledFrom([]string{"", "ada@acme.example", "a,b", "{a:b}", "true", "[x]", "&a", "*a",
			"a:b", "0x1"}).Draw(t, "id")
		return c
	}
	c.URL = rapid.SampledFrom([]string{"https://a.example/x.ics?a=[1],{b}&c=%20", "http://127.0.0.1:5232/",
		"https://a.example/!x*'(y):,"}).Draw(t, "url")
	c.Username = rapid.SampledFrom([]string{"", "ada", "no", "12", "{x}", "a, b", "# c", `"`, "'", "ädä", "null",
		"- a"}).Draw(t, "user")
	return c
}

func anyCalendars(t *rapid.T) (all []slotd.Calendar) {
	for i := range rapid.IntRange(0, 4).Draw(t, "calendars") {
		all = append(all, anyCalendar(t, i))
	}
	if len(all) > 0 && all[0].Type != slotd.ICSFeed {
		all[0].WriteBack = rapid.Bool().Draw(t, "write back")
	}
	return all
}

func TestExport_CalendarsReadBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := acme()
		w.Calendars = anyCalendars(t)
		if problems := workspace.Validate(&w); len(problems) > 0 {
			t.Fatalf("the test draws what is not valid: %v", problems)
		}
		data := Export(&w)
		file, err := Read(data)
		if err != nil {
			t.Fatalf("%v\nin:\n%s", err, data)
		}
		wantEqual(t, file.Workspace.Calendars, w.Calendars)
		if len(file.Passwords) != 0 {
			t.Fatalf("it says where passwords are: %v\nin:\n%s", file.Passwords, data)
		}
		wantEqual(t, string(Export(&file.Workspace)), string(data))
		if diff := Diff(&w, &file.Workspace); len(diff) != 0 {
			t.Fatalf("applying it would change %v", diff)
		}
	})
}

func TestExport_CalendarsReadLikeTheExample(t *testing.T) {
	w := acme()
	w.Calendars = []slotd.Calendar{
		{ID: 7, Name: "office", Type: slotd.CalDAV, URL: "https://dav.example/ada/office/", Username: "ada",
			WriteBack: true, StaleAfterMinutes: 15},
		{ID: 8, Name: "club: one", Type: slotd.ICSFeed, URL: "https://club.example/fixtures.ics",
			StaleAfterMinutes: 60},
	}
	_, got, _ := strings.Cut(string(Export(&w)), "calendars:\n")
	wantEqual(t, got, `  - {name: office, type: caldav, url: "https://dav.example/ada/office/", username: ada, write_back: true}
  - {name: "club: one", type: ics, url: "https://club.example/fixtures.ics", stale_after_minutes: 60}
`)
}

// A round trip: apply the file, export it from the database, and apply the export without the password.
func TestExport_OfWhatWasAppliedChangesNothing(t *testing.T) {
	db := testdb.Open(t, testdb.SQLite(t))
	keys, err := seal.Ensure(filepath.Join(t.TempDir(), "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	put := func(text string, passwords map[string]string) (version int64, exported string) {
		t.Helper()
		change := workspace.Change{Desired: &mustRead(t, text).Workspace, Passwords: passwords, Keys: keys,
			Now: time.UnixMilli(0)}
		if _, err := workspace.Put(t.Context(), db, change); err != nil {
			t.Fatal(err)
		}
		c, err := snapshot.LoadConfig(t.Context(), db.Read(), "acme")
		if err != nil {
			t.Fatal(err)
		}
		v, err := db.Read().Version(t.Context(), c.WorkspaceID)
		if err != nil {
			t.Fatal(err)
		}
		return v.Version, string(Export(&c.Workspace))
	}
	text := withCalendars(club, `name: office, type: caldav, url: "https://dav.example/", username: ada, password_env: ADA_DAV, write_back: true`)
	version, exported := put(text, map[string]string{"office": "correct horse"})
	if strings.Contains(exported, "horse") || strings.Contains(exported, "password") ||
		!strings.Contains(exported, "username: ada") {
		t.Errorf("exported:\n%s", exported)
	}
	again, same := put(exported, nil)
	if again != version || same != exported {
		t.Errorf("version %d → %d, exported:\n%s", version, again, same)
	}
}

func TestDiff_Calendars(t *testing.T) {
	calendars := func() []slotd.Calendar {
		return []slotd.Calendar{
			{ID: 7, Name: "office", Type: slotd.CalDAV, URL: "https://dav.example/", Username: "ada",
				StaleAfterMinutes: 15},
			{ID: 8, Name: "club: one", Type: slotd.ICSFeed, URL: "https://club.example/", StaleAfterMinutes: 15},
		}
	}
	diff := func(edit func(c []slotd.Calendar) []slotd.Calendar, want ...string) {
		t.Helper()
		old, next := acme(), acme()
		old.Calendars, next.Calendars = calendars(), edit(calendars())
		wantEqual(t, Diff(&old, &next), want)
	}
	diff(func(c []slotd.Calendar) []slotd.Calendar { c[0].ID = 0; return c })
	diff(func(c []slotd.Calendar) []slotd.Calendar { return c[:1] }, `calendar "club: one": disconnected`)
	diff(func(c []slotd.Calendar) []slotd.Calendar { return append(c, slotd.Calendar{Name: "team"}) },
		`calendar team: connected`)
	diff(func(c []slotd.Calendar) []slotd.Calendar {
		c[0] = slotd.Calendar{Name: "office", Type: slotd.Google, Calendar: "x", WriteBack: true, StaleAfterMinutes: 30}
		return c
	}, "calendar office: type: caldav → google", `calendar office: url: "https://dav.example/" → none`,
		`calendar office: username: "ada" → none`,
		`calendar office: calendar: none → "x"`, "calendar office: write_back: false → true",
		"calendar office: stale_after_minutes: 15 → 30")
}

func TestDiff_SaysThatCalendarsAreInAnotherOrder(t *testing.T) {
	a, b := slotd.Calendar{Name: "a"}, slotd.Calendar{Name: "b"}
	old, next := &slotd.Workspace{Calendars: []slotd.Calendar{a, b}},
		&slotd.Workspace{Calendars: []slotd.Calendar{b, a}}
	if got := Diff(old, next); len(got) != 1 || got[0] != "calendars: new order: b, a" {
		t.Errorf("%q", got)
	}
	if got := Diff(old, old); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// The path of a feed may be secret, and the output of apply may end up in a log.
func TestDiff_HidesTheAddressOfAFeed(t *testing.T) {
	feed := func(path string) *slotd.Workspace {
		return &slotd.Workspace{Calendars: []slotd.Calendar{{Name: "a", Type: slotd.ICSFeed,
			URL: "https://club.example/" + path}}}
	}
	got := Diff(feed("secret-1"), feed("secret-2"))
	if len(got) != 1 || strings.Contains(got[0], "secret") || !strings.Contains(got[0], "https://club.example/…") {
		t.Errorf("%q", got)
	}
}
