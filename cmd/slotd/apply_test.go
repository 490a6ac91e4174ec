package main

import (
	"os"
	"strings"
	"testing"
)

func TestApply_CreatesThenChangesThenChangesNothing(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme).prints(t, "workspace acme: created", "schedule default: added", "schedule second: added",
			"event type intro: added", "event type walk: added")
		first := pl.versions()
		pl.mustApply(acme).prints(t, "nothing changed")
		pl.wantSame("versions", pl.versions(), first)

		longer := edit(t, acme, "duration_minutes: 30", "duration_minutes: 45", "Acme Inc", "Acme Ltd", "ada@",
			"a.park@")
		pl.mustApply(longer).prints(t, `workspace name: "Acme Inc" → "Acme Ltd"`,
			`host email: "ada@acme.example" → "a.park@acme.example"`, "event type intro: duration_minutes: 30 → 45")
		if second := pl.versions(); len(second) != 1 || second[0] == first[0] {
			t.Errorf("no server learns of the change: %v, then %v", first, second)
		}
		pl.mustApply(longer).prints(t, "nothing changed")
		if exported := pl.export("acme"); !strings.Contains(exported, "duration_minutes: 45") ||
			!strings.Contains(exported, "Acme Ltd") {
			t.Error(exported)
		}
	})
}

func TestApply_DryRunPrintsTheSameAndChangesNothing(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		dry := pl.apply(acme, "--dry-run").exits(t, 0)
		pl.run("export", "--workspace", "acme").exits(t, 1)
		pl.wantSame("a dry run's output", dry.out, pl.mustApply(acme).out)

		before, exported := pl.versions(), pl.export("acme")
		changed := edit(t, acme, walk, "", "  second:", "  third:", "Intro call", "Hello", "Ada Park", "Ada P.")
		dry = pl.apply(changed, "--dry-run").exits(t, 0)
		pl.wantSame("versions", pl.versions(), before)
		pl.wantSame("workspace", pl.export("acme"), exported)
		if real := pl.mustApply(changed); real.out != dry.out || strings.Count(real.out, "\n") != 5 {
			t.Errorf("dry run:\n%sreal:\n%s", dry.out, real.out)
		}
		pl.apply(changed, "--dry-run").exits(t, 0).prints(t, "nothing changed")
	})
}

func TestApply_TakesJSONAndFiles(t *testing.T) {
	pl := onSQLite(t)
	const text = `{"workspace":{"slug":"acme","name":"Acme","time_zone":"UTC"},"host":{"name":"Ada","email":"ada@acme.example"},
 "schedules":{"default":{"weekly":{"mon":["09:00-17:00"]}}},
 "event_types":[{"slug":"intro","title":"Intro","duration_minutes":30,"location":{"type":"video"}}]}`
	path := write(t, "acme.json", text)
	pl.run("apply", "-f", path).exits(t, 0)
	pl.run("apply", "-f", path).exits(t, 0).prints(t, "nothing changed")
	pl.mustApply(text).prints(t, "nothing changed")
	same := "workspace: {slug: acme, name: Acme, time_zone: UTC}\nhost: {name: Ada, email: " +
		"ada@acme.example}\nschedules: {default: {weekly: {mon: ['09:00-17:00']}}}\n" +
		"event_types: [{slug: intro, title: Intro, duration_minutes: 30, location: {type: video}}]\n"
	pl.mustApply(same).prints(t, "nothing changed")
}

func TestApply_RefusesWithTheLineAndChangesNothing(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	before, exported := pl.versions(), pl.export("acme")
	for _, c := range []struct{ from, to, says string }{
		{"title: Intro call", "titel: Intro call", "line 11: event_types[0].titel"},
		{"name: Ada Park", "nmae: Ada Park", "line 2: host.nmae"},
		{"duration_minutes: 60", "duration_minutes: 1441", "line 12: event_types[1].duration_minutes"},
		{"duration_minutes: 60", "duration_minutes: sixty", "line 12: event_types[1].duration_minutes"},
		{"time_zone: America/New_York", "time_zone: America/Springfield", "line 1: workspace.time_zone"},
		{"slug: acme", "slug: login", "line 1: workspace.slug"},
		{`mon: ["00:00-24:00"]`, `mon: ["17:00-09:00"]`, "line 6: schedules.default.weekly.mon[0]"},
		{"schedule: second", "schedule: third", "line 12: event_types[1].schedule"},
		{"  second:", "  another:", "line 12: event_types[1].schedule"},
		{"schedules:", "schedules: {\nother:", "line "},
		{"type: custom", "type: zoom", "line 12: event_types[1].location.type"},
		{"slug: walk", "slug: intro", "line 12: event_types[1].slug"},
	} {
		for _, dry := range []string{"--dry-run=false", "--dry-run"} {
			o := pl.apply(edit(t, acme, "Acme Inc", "Changed", c.from, c.to), dry).exits(t, 1).says(t, c.says)
			if o.out != "" {
				t.Errorf("%s: printed %s", c.to, o.out)
			}
		}
	}
	pl.wantSame("versions", pl.versions(), before)
	pl.wantSame("workspace", pl.export("acme"), exported)
}

func TestApply_SaysEverythingThatIsWrongInJSONToo(t *testing.T) {
	pl := onSQLite(t)
	pl.apply("{\"workspace\":{\"slug\":\"acme\",\"name\":\"Acme\",\"time_zone\":\"UTC\"},\n\"host\":{\"name\":\"Ada\",\"email\":\"ada\"},\n\"schedules\":{},\n\"event_types\":[],\n\"nonsense\":1}").
		exits(t, 1).says(t, "line 2: host.email", "line 5: nonsense")
	if _, err := os.Stat(pl.Data); !os.IsNotExist(err) {
		t.Errorf("a file that cannot be read made a database: %v", err)
	}
}

func TestApply_AMissingFileIsExit1AndNamed(t *testing.T) {
	onSQLite(t).run("apply", "-f", "/nowhere/acme.yaml").exits(t, 1).says(t, "/nowhere/acme.yaml")
}

func TestApply_AMissingPasswordChangesNothing(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	before := pl.versions()
	withCalendar := edit(t, acme, "Acme Inc", "Changed") +
		"calendars:\n  - {name: dav, type: caldav, url: \"https://dav.example/\", username: ada, password_env: " +
		"NOT_SET}\n"
	o := pl.apply(withCalendar).exits(t, 1).says(t, "line 14: ", "NOT_SET", "nothing was changed")
	pl.wantSame("output", o.out, "")
	pl.wantSame("versions", pl.versions(), before)
	pl.mustApply(acme+"calendars: []\n").prints(t, "nothing changed")
}

func TestApply_WithoutItsVariableTheStoredPasswordStays(t *testing.T) {
	pl := onSQLite(t)
	calendar := "calendars:\n  - {name: dav, type: caldav, url: \"https://dav.example/\", username: ada, " +
		"password_env: DAV_PASSWORD}\n"
	apply := append([]string{"apply", "-f", "-"}, pl.flags...)
	run(t, env{"DAV_PASSWORD": "hunter2"}, acme+calendar, apply...).exits(t, 0)
	before := pl.versions()
	for _, e := range []env{nil, {"DAV_PASSWORD": ""}} {
		o := run(t, e, acme+calendar, apply...).exits(t, 0).prints(t, "nothing changed")
		pl.wantSame("what it says", o.err, "calendar dav: DAV_PASSWORD isn't set, so the stored password is kept\n")
	}
	pl.wantSame("versions", pl.versions(), before)
	for _, other := range []string{"https://dav.example/ada/", "https://elsewhere.example/"} {
		moved := strings.Replace(acme+calendar, "https://dav.example/", other, 1)
		pl.apply(moved).exits(t, 1).says(t, "line 14: ", "DAV_PASSWORD", "no password is stored for this url",
			"nothing was changed")
	}
	pl.wantSame("versions", pl.versions(), before)
}

func TestApply_WarnsOfPricesThatNobodyCanPay(t *testing.T) {
	pl := onSQLite(t)
	paid := edit(t, acme, "title: Walk,", "title: Walk, price: {amount_cents: 5000, currency: usd},")
	for _, args := range [][]string{{"--dry-run"}, nil, nil} {
		o := pl.apply(paid, args...).exits(t, 0).says(t, "warning: ", "walk")
		if strings.Contains(o.err, "intro") || strings.Contains(o.out, "warning") {
			t.Errorf("out %s err %s", o.out, o.err)
		}
	}
	pl.wantSame("warnings", pl.mustApply(acme).err, "")
}

func TestApply_TouchesOneWorkspaceOnly(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(other)
		before, exported := pl.versions(), pl.export("other")
		pl.mustApply(acme)
		pl.mustApply(edit(t, acme, walk, ""))
		pl.wantSame("the other workspace", pl.export("other"), exported)
		if after := strings.Join(pl.versions(), " "); !strings.Contains(after, before[0]) {
			t.Errorf("the other workspace's version was %v, is in %v", before, after)
		}
	})
}
