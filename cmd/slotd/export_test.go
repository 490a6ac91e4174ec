package main

import (
	"strings"
	"testing"
)

// hostile has the texts that people and attackers write where text is allowed.
const hostile = `workspace: {slug: "123", name: "no", time_zone: UTC}
host: {name: "Ada: {Park} # \"x\" 'y' &a *b !c %d @e ` + "`f`" + `", email: ada@acme.example}
look: {accent: "#0b7285", logo: "https://acme.example/logo.svg?a=b&c={d}"}
embed: {allowed_sites: ["https://acme.example", "http://127.0.0.1:8080"]}
schedules:
  "no":
    weekly: {mon: ["00:00-24:00"], sun: []}
    overrides: {"2027-12-24": [], "2027-12-31": ["09:00-12:00", "10:00-11:00"]}
  "? x: - [y] \u2028 \ufeff":
    time_zone: Asia/Kathmandu
    weekly: {}
  "on":
    weekly: {tue: ["09:05-09:06"]}
event_types:
  - slug: "0x1f"
    title: "<script>alert(1)</script> \U0001F600 \u202E e\u0301"
    description: "--- \n...\n# not a comment\n\n  deep\n\tand \"quoted\" \\ 'too'\n: ? - | > \n trailing \n\n"
    duration_minutes: 1440
    location: {type: in_person, text: " ~ "}
    schedule: "no"
  - slug: "null"
    title: "2027-01-01"
    duration_minutes: 1
    location: {type: phone, text: "true"}
    schedule: "on"
    price: {amount_cents: 50, currency: jpy}
    refund_policy: {full_until_hours_before: 0}
    reminders_minutes_before: []
    hidden: true
  - slug: "1e3"
    title: ">"
    description: "\n"
    duration_minutes: 7
    location: {type: video, url: "https://meet.example/a%20b?c=#d"}
    schedule: "on"
    buffer_before_minutes: 1440
    buffer_after_minutes: 1
    minimum_notice_minutes: 525600
    booking_window_days: 730
    slot_interval_minutes: 7
    max_per_day: 1000
    reminders_minutes_before: [40320, 1]
`

func TestExport_AppliesWithoutAnyChange(t *testing.T) {
	for name, file := range map[string][2]string{"plain": {acme, "acme"}, "hostile": {hostile, "123"}} {
		t.Run(name, func(t *testing.T) {
			eachDB(t, func(t *testing.T, pl *deployment) {
				pl.mustApply(file[0])
				before, exported := pl.versions(), pl.export(file[1])
				pl.mustApply(exported).prints(t, "nothing changed")
				pl.apply(exported, "--dry-run").exits(t, 0).prints(t, "nothing changed")
				pl.mustApply(file[0]).prints(t, "nothing changed")
				pl.wantSame("versions", pl.versions(), before)
				pl.wantSame("the second export", pl.export(file[1]), exported)
				// Applied to another database, it creates the same workspace.
				twin := onSQLite(t)
				twin.mustApply(exported)
				pl.wantSame("the twin's export", twin.export(file[1]), exported)
			})
		})
	}
}

func TestExport_AfterRetiringStillAppliesWithoutAnyChange(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		pl.mustApply(edit(t, acme, walk, ""))
		pl.mustApply(edit(t, acme, walk, strings.ReplaceAll(walk, "slug: walk", "slug: new")))
		before := pl.versions()
		pl.mustApply(pl.export("acme")).prints(t, "nothing changed")
		pl.wantSame("versions", pl.versions(), before)
	})
}

func TestExport_UnknownWorkspaceIsExit1(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	for _, slug := range []string{"nobody", "ACME", "acme ", "%"} {
		if o := pl.run("export", "--workspace", slug).exits(t, 1); o.out != "" {
			t.Errorf("%q: %s", slug, o.out)
		}
	}
}

func TestExport_HoldsNoToken(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	token := pl.token("acme")
	if text := pl.export("acme"); strings.Contains(text, token[len(token)-4:]) || strings.Contains(text, "slotd_mcp_") {
		t.Error(text)
	}
}
