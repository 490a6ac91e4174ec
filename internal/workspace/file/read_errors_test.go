package file

import (
	"errors"
	"strings"
	"testing"
)

// wantProblems expects exactly these problems, each given as the start of its line.
func wantProblems(t *testing.T, data string, starts ...string) {
	t.Helper()
	file, err := Read([]byte(data))
	var problems *Error
	if file != nil || !errors.As(err, &problems) {
		t.Errorf("accepted, or another error (%v):\n%.2000s", err, data)
		return
	}
	wantSchemaRefuses(t, data, err)
	got := strings.Split(err.Error(), "\n")
	for i := range max(len(got), len(starts)) {
		if i >= len(got) || i >= len(starts) || !strings.HasPrefix(got[i], starts[i]) {
			t.Errorf("problems:\n%s\nwant:\n%s\nin:\n%.2000s", err, strings.Join(starts, "\n"), data)
			return
		}
	}
}

func TestRead_NamesWhatIsMissing(t *testing.T) {
	const needs = "line 1: the file must be a mapping with workspace, host"
	for _, empty := range []string{"", "\n", "  ", "# only a comment\n", "---\n", "~", "- a\n", "text", "\ufeff",
		"---\n...\n", "[]", "!!null ''"} {
		wantProblems(t, empty, needs)
	}
	wantProblems(t, "{}", "line 1: workspace: is missing", "line 1: host: is missing")
	wantProblems(t, "look: {}\n", "line 1: workspace: is missing", "line 1: host: is missing")
	wantProblems(t, "look: {}\nworkspace:\nhost: {}\n", "line 1: workspace: is missing",
		"line 3: host.name: is missing", "line 3: host.email: is missing")
	wantProblems(t, `workspace:
  name: A
host:

  name: A
schedules:
  default:
    time_zone: UTC
event_types:
  -

    slug: x
  - slug: y
    title: Y
    duration_minutes: 5
    location: {}
    price: {}
    refund_policy: {}
`, "line 1: workspace.slug: is missing", "line 1: workspace.time_zone: is missing", "line 3: host.email: is missing",
		"line 7: schedules.default.weekly: is missing",
		"line 12: event_types[0].title: is missing", "line 12: event_types[0].duration_minutes: is missing",
		"line 12: event_types[0].location: is missing",
		"line 16: event_types[1].location.type: is missing", "line 17: event_types[1].price.amount_cents: is missing",
		"line 17: event_types[1].price.currency: is missing",
		"line 18: event_types[1].refund_policy.full_until_hours_before: is missing")
}

func TestRead_GuessesWhatAnUnknownFieldMeans(t *testing.T) {
	for field, guess := range map[string]string{
		"duration": "did you mean duration_minutes?", "durration_minutes": "did you mean duration_minutes?",
		"Hidden":      "did you mean hidden?",
		"buffer":      "did you mean buffer_before_minutes or buffer_after_minutes?",
		"max-per-day": "did you mean max_per_day?",
		"weather":     "the fields here are slug, title,", "x": "the fields here are slug, title,",
	} {
		wantProblems(t, small+"    "+field+": 1\n", "line 9: event_types[0]."+field+": is no known field; "+guess)
	}
	wantProblems(t, small+"\"\\e[2J\": 1\n", `line 9: "\x1b[2J": is no known field; the fields here are workspace`)
	wantProblems(t, small+strings.Repeat("x", 900)+": 1\n", `line 9: "`+strings.Repeat("x", 40)+`": is no known field`)
}

func TestRead_ReportsTheLineOfAValue(t *testing.T) {
	const e = "line 9: event_types[0]."
	for written, starts := range map[string][]string{
		"duration_minutes: 30": {"line 9: \"duration_minutes\" stands here for the second time"},
		"max_per_day: \"5\"":   {e + "max_per_day: must be a whole number in plain digits"},
		"max_per_day: 5.0":     {e + "max_per_day: must be a whole number"},
		"max_per_day: 0x5":     {e + "max_per_day: must be a whole number"},
		"max_per_day: 05":      {e + "max_per_day: must be a whole number"},
		"max_per_day: +5":      {e + "max_per_day: must be a whole number"},
		"max_per_day: 1_0":     {e + "max_per_day: must be a whole number"},
		"max_per_day: 1e2":     {e + "max_per_day: must be a whole number"},
		"max_per_day: [5]":     {e + "max_per_day: must be a whole number"},
		"max_per_day: true":    {e + "max_per_day: must be a whole number"},
		"max_per_day: 0": {e +
			"max_per_day: must be at least 1; leave it out for no limit"},
		"max_per_day: -1":                       {e + "max_per_day: must be a whole number from 1 to 1000"},
		"max_per_day: 1001":                     {e + "max_per_day: must be a whole number from 1 to 1000"},
		"max_per_day: 99999999999999999999999":  {e + "max_per_day: must be a whole number from 1 to 1000"},
		"max_per_day: -99999999999999999999999": {e + "max_per_day: must be a whole number from 1 to 1000"},
		"slot_interval_minutes: 0":              {e + "slot_interval_minutes: must be at least 1; leave it out"},
		"booking_window_days: 0": {e +
			"booking_window_days: must be a whole number from 1 to 730"},
		"buffer_before_minutes: 1441": {e +
			"buffer_before_minutes: must be a whole number from 0 to 1440"},
		"hidden: yes":               {e + "hidden: must be true or false"},
		"hidden: \"true\"":          {e + "hidden: must be true or false"},
		"hidden: True":              {e + "hidden: must be true or false"},
		"description: [a]":          {e + "description: must be text"},
		"description: {a: b}":       {e + "description: must be text"},
		"description: \"a\\r\\nb\"": {e + "description: must hold no control characters"},
		"schedule: other":           {e + "schedule: must name one of the schedules"},
		"schedule: \"\"":            {e + "schedule: must name one of the schedules"},
		"price: 50":                 {e + "price: must be a mapping with amount_cents, currency"},
		"price: []":                 {e + "price: must be a mapping with amount_cents, currency"},
		"price: {amount_cents: 49, currency: USD}": {e + "price.amount_cents: must be",
			e + "price.currency: must be an ISO 4217 code"},
		"price:\n      amount_cents: 0\n": {"line 9: event_types[0].price.currency: is missing",
			"line 10: event_types[0].price.amount_cents: must be a whole number from 50"},
		"refund_policy: {full_until_hours_before: 24}": {e + "refund_policy: must be left out"},
		"reminders_minutes_before: 60":                 {e + "reminders_minutes_before: must be a list"},
		"reminders_minutes_before: [1,\n\n      0, 1]": {"line 11: event_types[0].reminders_minutes_before[1]: must be",
			"line 11: event_types[0].reminders_minutes_before[2]: must differ"},
		"reminders_minutes_before: [60, ~]": {e +
			"reminders_minutes_before[1]: must be a whole number in plain digits"},
		"<<: {hidden: true}":         {"line 9: merge keys (<<) are not used here"},
		"? [a]\n    : b":             {"line 9: a name is expected before the colon"},
		"description: !!binary aGk=": {"line 9: tags such as !!binary are not used here"},
		"hidden: !!bool \"true\"":    {"line 9: tags such as !!bool are not used here", e + "hidden: must be"},
	} {
		wantProblems(t, small+"    "+written+"\n", starts...)
	}
}

func TestRead_ReportsTheLineOfHours(t *testing.T) {
	wantProblems(t, `workspace: {slug: a, name: A, time_zone: Local}
host: {name: A, email: a@a.example}
embed:
  allowed_sites:
    - https://a.example
    - https://a.example/
    - [x]
schedules:
  default:
    weekly:
      mon: ["09:00-12:00",
            "9-5"]
      tue: 09:00-12:00
      monday: []
    overrides:
      2026-02-30: []
      2026-03-01:
      1999-12-31: []
      2026-03-02: [{}]
  other:
  third: {weekly: []}
event_types: {}
calendars: {}
`, `line 1: workspace.time_zone: "Local" is no IANA time zone name`,
		"line 6: embed.allowed_sites[1]: must be a site's origin", "line 7: embed.allowed_sites[2]: must be text",
		`line 12: schedules.default.weekly.mon[1]: "9-5" is no window; a right one is "09:00-12:00"`,
		"line 13: schedules.default.weekly.tue: must be a list",
		"line 14: schedules.default.weekly.monday: is no known field; did you mean mon?",
		`line 16: schedules.default.overrides.2026-02-30: "2026-02-30" is no date`,
		"line 17: schedules.default.overrides.2026-03-01: must be a list",
		`line 18: schedules.default.overrides.1999-12-31: "1999-12-31" is no date`,
		"line 19: schedules.default.overrides.2026-03-02[0]: must be text",
		"line 20: schedules.other: must be a mapping with time_zone, weekly, overrides",
		"line 21: schedules.third.weekly: must be a mapping with mon, tue",
		"line 22: event_types: must be a list", "line 23: calendars: must be a list")
}

func TestRead_MissesAColorWithoutQuotes(t *testing.T) {
	for _, look := range []string{"look:\n  accent: #0b7285\n", "look:\n  accent: #0b7285\n  logo:\n",
		"look:\n  accent:   #0b7285 or so\n#x\n"} {
		wantProblems(t, small+look,
			`line 10: YAML reads what follows a # as a comment; write "#0b7285" with its quotes`)
	}
	mustRead(t, small+"look:\n  accent: \"#0b7285\" #0b7285\n  logo: #none\n")
}

func TestRead_DoesNotRepeatWhatFollows(t *testing.T) {
	wantProblems(t, strings.Replace(small, `{default: {weekly: {mon: ["09:00-12:00"]}}}`, "[default]", 1),
		"line 3: schedules: must be a mapping")
	wantProblems(t, strings.Replace(small, `{default: {weekly: {mon: ["09:00-12:00"]}}}`, "{default: 1}", 1),
		"line 3: schedules.default: must be a mapping")
}

func TestRead_ReportsTheLineInJSON(t *testing.T) {
	wantProblems(t, "{\n\"workspace\": {\n\"slug\": \"A\",\n\"name\": \"A\", \"time_zone\":\n \"UTC\"},\n\"host\": "+
		"[],\n\"event_types\": [\n{}]}",
		"line 3: workspace.slug: must be 1 to 64", "line 6: host: must be a mapping",
		"line 8: event_types[0].slug: is missing", "line 8: event_types[0].title", "line 8: event_types[0].duration",
		"line 8: event_types[0].location",
		`line 8: event_types[0].schedule: must name one of the schedules; there is none called "default"`)
	wantProblems(t, "{\"host\": 1,\n\"host\": 2}", "line 2: this name stands twice")
	wantProblems(t, "\n{\n\"host\": }", "line 3: a value is expected here")
	wantProblems(t, "{}\n\n{}", "line 3: more text follows the value")
	wantProblems(t, "{\"a\":\n\"\xff\"}", "line 2: the file is not valid UTF-8")
}

func TestRead_ReportsTheLineOfASyntaxError(t *testing.T) {
	const head = "workspace:\n  slug: a\n" // the error starts on line 3
	for trouble, line := range map[string]string{
		" name: b\n": "line 3: ", "  name: b: c\n": "line 3: ", "  name: \"b\nhost: 1\n\nlook: 2\n": "line 3: ",
		"  name: [b\nhost: 1\n": "line 3: ",
		"  name: 'x' y\n":       "line 3: ", "\tname: b\n": "line 3: ", "  name: @b\n": "line 3: ",
		"  name: *b\nlook: 1\n": "line 3: ", "  name: \x01\nlook: 1\n": "line 3: ",
		"  - b\nlook: 1\nhost: 2\n": "line 3: ", "}\n": "line 3: ", "  name: |\n        x\n      y\n": "line 5: ",
		"  # a\n\n  # b\n  name: 'x' y\n# c\n\n": "line 6: ",
		"  name: !x!y z\n":                       "line 3: ", "  name: \"\\q\"\n": "line 3: ",
		"---\na: b\n": "line 3: a second YAML document", "...\n---\n": "line 4: a second YAML document",
		"---\n  a\n b: 1": "line 5: ", "%TAG ! x\n---\n": "line 3: directives",
		"  name: \xff\n": "line 3: the file is not valid UTF-8",
	} {
		wantProblems(t, head+trouble, line)
	}
	wantProblems(t, "a: b: c", "line 1: this is no YAML: mapping values are not allowed in this context")
	wantProblems(t, "%YAML 1.2\n---\n"+small, "line 1: directives")
	wantProblems(t, "# hi\r\n\r\n%YAML 1.2\r\n---\n"+small, "line 3: directives")
}
