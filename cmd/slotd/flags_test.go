package main

import (
	"fmt"
	"strings"
	"testing"

	"slotd/internal/cli"
)

func TestCommandLine_WrongUsageIsExit2(t *testing.T) {
	for _, line := range []string{
		"", "nonsense", "token", "token nonsense", "create token", "mail",
		"version --nonsense", "version extra", "serve extra", "serve --nonsense",
		"apply", "apply -f", "apply -f x extra", "apply --f= --dry-run=perhaps -f x",
		"export", "export acme", "token create --workspace acme", "token create --name x", "token list",
		"token revoke --workspace acme", "token revoke --workspace acme a b", "token revoke a",
		"preview", "preview -f x", "preview --event intro", "bridge", "bridge http://127.0.0.1:1",
		"serve --rate-reads many", "preview -f x --event y --days many",
	} {
		o := run(t, nil, "", strings.Fields(line)...)
		if o.exit != 2 || o.out != "" || !strings.Contains(o.err, "slotd: ") {
			t.Errorf("slotd %s: exit %d, out %q, err %q", line, o.exit, o.out, o.err)
		}
	}
}

func TestCommandLine_HelpIsExit0(t *testing.T) {
	for _, c := range commands {
		for _, flag := range []string{"--help", "-h", "-help"} {
			o := run(t, nil, "", append(strings.Fields(c.words()), flag)...)
			if o.exit != 0 || !strings.Contains(o.out+o.err, "Usage: slotd "+c.words()) ||
				strings.Contains(o.err, "slotd: ") {
				t.Errorf("slotd %s %s: exit %d, %s%s", c.words(), flag, o.exit, o.out, o.err)
			}
		}
	}
	for _, word := range []string{"help", "--help", "-h"} {
		o := run(t, nil, "", word).exits(t, 0)
		for _, c := range commands {
			if !strings.Contains(o.out, c.words()) {
				t.Errorf("slotd %s does not name %s", word, c.words())
			}
		}
	}
}

func TestCommandLine_HelpNamesEveryFlagOfServe(t *testing.T) {
	o := run(t, nil, "", "serve", "--help").exits(t, 0)
	for _, flag := range []string{"listen", "base-url", "data", "database", "secret-key-file", "allow-origins",
		"video-url", "rate-limit",
		"rate-reads", "rate-writes", "trusted-proxies", "log-format", "log-level", "metrics-listen", "demo", "stripe-key", "stripe-webhook-secret", "stripe-api", "payment-hold"} {
		if !strings.Contains(o.out+o.err, "  -"+flag) {
			t.Errorf("--%s is missing", flag)
		}
	}
}

// probe is a command with one flag of each kind.
type probe struct {
	name, fileName string
	many           cli.StringList
	loud           bool
	count          int
}

func (p *probe) parse(e env, wanted int, args ...string) ([]string, error) {
	fs := (&program{err: &strings.Builder{},
		getenv: func(name string) (string, bool) { v, ok := e[name]; return v, ok }}).flags("")
	fs.StringVar(&p.name, "the-name", "none", "")
	fs.StringVar(&p.fileName, "f", "", "")
	fs.Var(&p.many, "many", "")
	fs.BoolVar(&p.loud, "loud", false, "")
	fs.IntVar(&p.count, "count", 7, "")
	return fs.ParseArgs(args, wanted)
}

func TestFlags_StandBeforeBetweenAndAfterPositionals(t *testing.T) {
	for line, want := range map[string]string{
		"a b":                          "[a b] none [] false 7",
		"--the-name x a b":             "[a b] x [] false 7",
		"a b --the-name x":             "[a b] x [] false 7",
		"a --the-name=x b --loud":      "[a b] x [] true 7",
		"--many 1 a --many 2 b":        "[a b] none [1 2] false 7",
		"a -count 3 -- --loud":         "[a --loud] none [] false 3",
		"-- --the-name x":              "[--the-name x] none [] false 7",
		"--loud -- a b":                "[a b] none [] true 7",
		"a b --":                       "[a b] none [] false 7",
		"a - --loud":                   "[a -] none [] true 7",
		"a -- --":                      "[a --] none [] false 7",
		"a --loud=false b --the-name=": "[a b]  [] false 7",
		"--the-name -- a b --loud":     "[a b] -- [] true 7",
	} {
		var p probe
		words, err := p.parse(nil, 2, strings.Fields(line)...)
		if got := fmt.Sprint(words, " ", p.name, " ", p.many, " ", p.loud, " ", p.count); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %s", line, got, err, want)
		}
	}
}

func TestFlags_AreReadFromTheEnvironment(t *testing.T) {
	var p probe
	_, err := p.parse(env{"SLOTD_THE_NAME": "from env", "SLOTD_LOUD": "true", "SLOTD_COUNT": "3",
		"SLOTD_MANY": "a b\n\nc,d\n", "SLOTD_F": "x"}, 0)
	if got := fmt.Sprintf("%v %q %v %v %v", err, []string(p.many), p.name, p.loud,
		p.count); got != `<nil> ["a b" "c,d"] from env true 3` {
		t.Error(got)
	}
}

func TestFlags_TheCommandLineWinsOverTheEnvironment(t *testing.T) {
	var p probe
	_, err := p.parse(env{"SLOTD_THE_NAME": "env", "SLOTD_LOUD": "true", "SLOTD_COUNT": "no number",
		"SLOTD_MANY": "env"}, 0,
		"--the-name", "flag", "--loud=false", "--count", "7", "--many", "flag")
	if got := fmt.Sprint(err, p.name, p.loud, p.count, p.many); got != "<nil>flagfalse 7 [flag]" {
		t.Error(got)
	}
}

func TestFlags_AFileHoldsTheValueWithoutItsLastNewline(t *testing.T) {
	for text, want := range map[string]string{"x y\n": "x y", "x y": "x y", "x y\r\n": "x y", " x\ty \n": " x\ty "} {
		var p probe
		if _, err := p.parse(env{"SLOTD_THE_NAME_FILE": write(t, "value", text)}, 0); err != nil || p.name != want {
			t.Errorf("%q: %q, %v", text, p.name, err)
		}
	}
	var p probe
	_, err := p.parse(env{"SLOTD_MANY_FILE": write(t, "value", "a\nb\n")}, 0)
	if err != nil || fmt.Sprint(p.many) != "[a b]" {
		t.Errorf("%v, %v", p.many, err)
	}
	_, err = p.parse(env{"SLOTD_THE_NAME_FILE": "/nowhere/value"}, 0)
	if err == nil || !strings.Contains(err.Error(), "SLOTD_THE_NAME_FILE") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestFlags_ValueAndFileTogetherAreRefused(t *testing.T) {
	both := env{"SLOTD_WORKSPACE": "acme", "SLOTD_WORKSPACE_FILE": write(t, "value", "acme")}
	run(t, both, "", "export", "--data", t.TempDir()).exits(t, 2).says(t, "SLOTD_WORKSPACE and SLOTD_WORKSPACE_FILE")
	// A flag on the command line overrides both.
	run(t, both, "", "export", "--data", t.TempDir(), "--workspace", "acme").exits(t, 1).says(t, "there is no database")
}

func TestFlags_ABadValueInTheEnvironmentNamesTheFlag(t *testing.T) {
	var p probe
	_, err := p.parse(env{"SLOTD_COUNT": "many"}, 0)
	if err == nil || !strings.Contains(strings.ToLower(err.Error()), "count") {
		t.Error(err)
	}
}

func TestFlags_EveryCommandOnTheDatabaseTakesItFromTheEnvironment(t *testing.T) {
	pl := onSQLite(t)
	e := env{"SLOTD_DATA_FILE": write(t, "value", pl.Data+"\n"), "SLOTD_WORKSPACE": "acme", "SLOTD_NAME": "ci"}
	run(t, e, acme, "apply", "-f", "-").exits(t, 0)
	run(t, e, "", "token", "create").exits(t, 0)
	o := run(t, e, "", "token", "list").exits(t, 0)
	id := strings.Fields(o.out)[0]
	run(t, e, "", "token", "revoke", id, "--secret-key-file", "unused").exits(t, 0)
	run(t, e, "", "export", "--secret-key-file", "unused").exits(t, 0)
}

func TestDatabase_MustBePostgreSQL(t *testing.T) {
	for _, command := range []string{"export --workspace acme", "token list --workspace acme", "apply -f -",
		"serve --listen 127.0.0.1:0"} {
		o := run(t, nil, acme, append(strings.Fields(command), "--data", t.TempDir(), "--database",
			"mysql://ada:hunter2@db.example/slotd")...).exits(t, 2)
		if strings.Contains(o.err, "hunter2") {
			t.Errorf("%s: the password is shown: %s", command, o.err)
		}
	}
}

func TestDatabase_PasswordsAreNeverShown(t *testing.T) {
	for _, database := range []string{
		"postgres://ada:hunter2@127.0.0.1:1/slotd", "postgres://ada:hunter2@127.0.0.1:none/slotd",
		"postgres://ada:hunter2@[::1/slotd",
		"postgres://ada:hunter2@127.0.0.1:1/slotd?sslmode=nonsense",
		"postgres://127.0.0.1:1/slotd?user=ada&password=hunter2&connect_timeout=x",
	} {
		o := run(t, nil, "", "export", "--workspace", "acme", "--data", t.TempDir(), "--database", database).exits(t, 1)
		if strings.Contains(o.err+o.out, "hunter2") {
			t.Errorf("%s: %s", database, o.err)
		}
	}
}
