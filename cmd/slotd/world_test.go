package main

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"slotd/test/harness"
)

// outcome is the result of a command.
type outcome struct {
	exit     int
	out, err string
}

// env is the environment of a command.
type env map[string]string

// list returns NAME=value pairs.
func (e env) list() (pairs []string) {
	for name, value := range e {
		pairs = append(pairs, name+"="+value)
	}
	return pairs
}

// lookup is like os.LookupEnv.
func (e env) lookup(name string) (value string, ok bool) {
	value, ok = e[name]
	return value, ok
}

// run runs the program in this process, with its own environment.
func run(t testing.TB, e env, stdin string, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	p := &program{in: strings.NewReader(stdin), out: &out, err: &errs, getenv: e.lookup}
	exit := p.main(context.Background(), args)
	return outcome{exit, out.String(), errs.String()}
}

func (o outcome) exits(t testing.TB, code int) outcome {
	t.Helper()
	if o.exit != code {
		t.Fatalf("exit %d, want %d\nout: %s\nerr: %s", o.exit, code, o.out, o.err)
	}
	return o
}

func (o outcome) says(t testing.TB, parts ...string) outcome {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(o.err, part) {
			t.Errorf("standard error lacks %q:\n%s", part, o.err)
		}
	}
	return o
}

func (o outcome) prints(t testing.TB, lines ...string) outcome {
	t.Helper()
	if want := strings.Join(append(lines, ""), "\n"); o.out != want {
		t.Errorf("printed:\n%swant:\n%s", o.out, want)
	}
	return o
}

// deployment is one data directory and database.
type deployment struct {
	*harness.Deployment
	t     testing.TB
	flags []string // that select data and database
	raw   *sql.DB  // the database as another process sees it; nil until db is called
	open  sync.Once
}

// eachDB runs the test on a SQLite file and on a PostgreSQL database.
func eachDB(t *testing.T, test func(t *testing.T, pl *deployment)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, onSQLite(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, onPostgres(t))
	})
}

func onSQLite(t testing.TB) *deployment {
	d := harness.OnSQLite(t)
	return &deployment{Deployment: d, t: t, flags: []string{"--data", d.Data}}
}

func onPostgres(t testing.TB) *deployment {
	d := harness.OnPostgres(t)
	return &deployment{Deployment: d, t: t, flags: []string{"--data", d.Data, "--database", d.Database}}
}

func (pl *deployment) run(args ...string) outcome {
	pl.t.Helper()
	return run(pl.t, nil, "", append(args, pl.flags...)...)
}

// apply runs apply with the text on standard input.
func (pl *deployment) apply(text string, args ...string) outcome {
	pl.t.Helper()
	return run(pl.t, nil, text, append(append([]string{"apply", "-f", "-"}, args...), pl.flags...)...)
}

func (pl *deployment) mustApply(text string) outcome {
	pl.t.Helper()
	return pl.apply(text).exits(pl.t, 0)
}

func (pl *deployment) token(workspace string) string {
	pl.t.Helper()
	o := pl.run("token", "create", "--workspace", workspace, "--name", "test").exits(pl.t, 0)
	return strings.TrimSuffix(o.out, "\n")
}

func (pl *deployment) export(workspace string) string {
	pl.t.Helper()
	return pl.run("export", "--workspace", workspace).exits(pl.t, 0).out
}

func (pl *deployment) db() *sql.DB {
	pl.t.Helper()
	pl.open.Do(func() { pl.raw = pl.DB(pl.t) })
	return pl.raw
}

// rows returns every row of a query, as text.
func (pl *deployment) rows(query string) (all []string) {
	pl.t.Helper()
	rows, err := pl.db().Query(query)
	if err != nil {
		pl.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			pl.t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		pl.t.Fatal(err)
	}
	return all
}

// versions returns the workspaces' versions, which change with every write that a server must see.
func (pl *deployment) versions() []string {
	return pl.rows("SELECT workspace_id || ':' || version || ':' || config_version || ':' || changed_seq FROM " +
		"workspace_versions ORDER BY workspace_id")
}

func (pl *deployment) wantSame(what string, got, want any) {
	pl.t.Helper()
	if !reflect.DeepEqual(got, want) {
		pl.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func write(t testing.TB, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func edit(t testing.TB, text string, oldNew ...string) string {
	t.Helper()
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(text, oldNew[i]) {
			t.Fatalf("the file has no %q", oldNew[i])
		}
		text = strings.Replace(text, oldNew[i], oldNew[i+1], 1)
	}
	return text
}

// acme is open day and night, so that no test depends on the time of day.
const acme = `workspace: {slug: acme, name: Acme Inc, time_zone: America/New_York}
host: {name: Ada Park, email: ada@acme.example}
schedules:
  default:
    time_zone: UTC
    weekly: {mon: ["00:00-24:00"], tue: ["00:00-24:00"], wed: ["00:00-24:00"], thu: ["00:00-24:00"], fri: ["00:00-24:00"], sat: ["00:00-24:00"], sun: ["00:00-24:00"]}
  second:
    time_zone: UTC
    weekly: {mon: ["00:00-24:00"], tue: ["00:00-24:00"], wed: ["00:00-24:00"], thu: ["00:00-24:00"], fri: ["00:00-24:00"], sat: ["00:00-24:00"], sun: ["00:00-24:00"]}
event_types:
  - {slug: intro, title: Intro call, duration_minutes: 30, location: {type: video, url: "https://meet.example/ada"}}
  - {slug: walk, title: Walk, duration_minutes: 60, location: {type: custom, text: "Meet at the gate."}, schedule: second}
`

// walk is acme's second event type.
const walk = `  - {slug: walk, title: Walk, duration_minutes: 60, location: {type: custom, text: "Meet at the gate."}, schedule: second}
`

const other = `workspace: {slug: other, name: Other, time_zone: UTC}
host: {name: Bo, email: bo@other.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"]}}}
event_types:
  - {slug: intro, title: Other call, duration_minutes: 30, location: {type: video}}
`
