package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestVersion_NamesVersionCommitGoAndTimeZones(t *testing.T) {
	o := run(t, nil, "", "version").exits(t, 0)
	want := regexp.MustCompile(`^slotd \d+\.\d+\.\d+\S*\ncommit \S+\n` + regexp.QuoteMeta(runtime.Version()) +
		`\ntzdata 20\d\d[a-z] \(embedded\)\n$`)
	if os.Getenv("ZONEINFO") == "" && !want.MatchString(o.out) {
		t.Errorf("%s", o.out)
	}
}

func versionWith(t *testing.T, e env) string {
	t.Helper()
	p := start(t, e, "version")
	if exit := p.Wait(t); exit != 0 {
		t.Fatalf("exit %d: %s", exit, p.Log)
	}
	return p.Out.String()
}

func TestVersion_SaysWhereTimeZonesComeFrom(t *testing.T) {
	if said := versionWith(t, nil); !strings.Contains(said, "(embedded)") {
		t.Error(said)
	}
	dir := ownZones(t)
	if said := versionWith(t, env{"ZONEINFO": dir}); !strings.Contains(said, "tzdata 2099z ("+dir+")") {
		t.Error(said)
	}
	path := filepath.Join(t.TempDir(), "zones.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, _ := z.Create("+VERSION")
	w.Write([]byte("2098a\n"))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if said := versionWith(t, env{"ZONEINFO": path}); !strings.Contains(said, "tzdata 2098a ("+path+")") {
		t.Error(said)
	}
	if said := versionWith(t, env{"ZONEINFO": "/nowhere"}); !strings.Contains(said, "/nowhere") {
		t.Error(said)
	}
}

// ownZones creates a tz database with Acme/Town as its only zone.
func ownZones(t *testing.T) (dir string) {
	t.Helper()
	// The smallest TZif file: version 1, one type, an hour and a half east (RFC 8536, 3).
	town := "TZif" + strings.Repeat("\x00", 16) +
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x04" +
		"\x00\x00\x15\x18\x00\x00" + "ACT\x00"
	dir = t.TempDir()
	for name, text := range map[string]string{"+VERSION": "2099z\n", "Acme/Town": town} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestZoneInfo_DecidesWhichZonesExist(t *testing.T) {
	file := write(t, "file.yaml", `workspace: {slug: acme, name: Acme, time_zone: Acme/Town}
host: {name: Ada, email: ada@acme.example}
schedules: {default: {weekly: {mon: ["10:00-11:00"]}}}
event_types:
  - {slug: intro, title: Intro, duration_minutes: 60, location: {type: video}}
`)
	args := []string{"preview", "-f", file, "--event", "intro", "--now", "2027-02-01T00:00:00Z", "--days", "1"}
	p := start(t, env{"ZONEINFO": ownZones(t)}, args...)
	if exit := p.Wait(t); exit != 0 || !strings.Contains(p.Out.String(), `"slots":["2027-02-01T08:30:00.000Z"]`) {
		t.Errorf("exit %d: %s%s", exit, p.Out, p.Log)
	}
	p = start(t, nil, args...)
	if exit := p.Wait(t); exit != 1 || !strings.Contains(p.Log.String(), "Acme/Town") {
		t.Errorf("exit %d: %s%s", exit, p.Out, p.Log)
	}
}

// The machine's time zone changes nothing.
func TestTZ_ChangesNothing(t *testing.T) {
	file := write(t, "office.yaml", office)
	var answers []string
	for _, tz := range []string{"UTC", "Pacific/Kiritimati", "America/Los_Angeles"} {
		p := start(t, env{"TZ": tz}, "preview", "-f", file, "--event", "intro", "--now", mondayMorning)
		p.Wait(t)
		answers = append(answers, p.Out.String())
	}
	if answers[0] == "" || answers[0] != answers[1] || answers[0] != answers[2] {
		t.Error(strings.Join(answers, "\n"))
	}
}
