package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
)

var tokenShape = regexp.MustCompile(`^slotd_mcp_[0-9A-Za-z]{49}\n$`)

func TestTokenCreate_PrintsTheTokenAloneAndOnce(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		o := pl.run("token", "create", "--workspace", "acme", "--name", "Ada's agent").exits(t, 0)
		if !tokenShape.MatchString(o.out) || o.err != "" {
			t.Fatalf("out %q, err %q", o.out, o.err)
		}
		token := strings.TrimSpace(o.out)
		again := pl.run("token", "create", "--workspace", "acme", "--name", "Ada's agent").exits(t, 0)
		if again.out == o.out {
			t.Error("the same token twice")
		}
		for _, args := range [][]string{{"token", "list", "--workspace", "acme"},
			{"token", "list", "--workspace", "acme", "--json"}} {
			if listed := pl.run(args...).exits(t, 0); strings.Contains(listed.out+listed.err, token[10:30]) {
				t.Errorf("the token is shown again: %s", listed.out)
			}
		}
		// The token is not stored either, only its hash.
		for _, row := range pl.rows("SELECT id || ' ' || name || ' ' || last_four FROM tokens") {
			if strings.Contains(row, token[10:30]) {
				t.Error(row)
			}
		}
	})
}

func TestTokenCreate_RefusesBadNamesAndUnknownWorkspaces(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	for _, name := range []string{"two\nlines", "esc\x1b[31m", strings.Repeat("x", 201), "  ", "\xff"} {
		if o := pl.run("token", "create", "--workspace", "acme", "--name", name).exits(t, 2); o.out != "" {
			t.Errorf("%q: %s", name, o.out)
		}
	}
	if o := pl.run("token", "create", "--workspace", "nobody", "--name", "x").exits(t, 1); o.out != "" ||
		!strings.Contains(o.err, "nobody") {
		t.Errorf("out %s err %s", o.out, o.err)
	}
	pl.wantSame("tokens", pl.run("token", "list", "--workspace", "acme").exits(t, 0).out, "")
}

var listLine = regexp.MustCompile(`^(\S+)\s+(\S.*?)\s+created (\S+)\s+last used (\S+)\s+\S*?([0-9A-Za-z]{4})$`)

func TestTokenList_IsOneLinePerTokenWithTheIDFirst(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		pl.mustApply(other)
		pl.token("other")
		var tokens []string
		began := time.Now().Truncate(time.Second)
		for _, name := range []string{"first one", "x", strings.Repeat("long ", 30) + "end"} {
			o := pl.run("token", "create", "--workspace", "acme", "--name", name).exits(t, 0)
			tokens = append(tokens, strings.TrimSpace(o.out))
		}
		lines := strings.Split(strings.TrimSuffix(pl.run("token", "list", "--workspace", "acme").exits(t, 0).out, "\n"),
			"\n")
		if len(lines) != 3 {
			t.Fatalf("%d lines: %q", len(lines), lines)
		}
		for i, line := range lines {
			f := listLine.FindStringSubmatch(line)
			if f == nil {
				t.Fatalf("not id, name, created, last used, last four: %q", line)
			}
			if created, err := time.Parse(time.RFC3339, f[3]); err != nil || created.Before(began) ||
				created.After(time.Now()) || f[4] != "never" {
				t.Errorf("created %s, last used %s", f[3], f[4])
			}
			if !strings.HasSuffix(tokens[i], f[5]) {
				t.Errorf("%s is not the end of the token", f[5])
			}
		}
	})
}

type listedToken struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Created  string `json:"created"`
	LastUsed string `json:"last_used"`
	LastFour string `json:"last_four"`
}

func (pl *deployment) listTokens(workspace string) (tokens []listedToken) {
	pl.t.Helper()
	o := pl.run("token", "list", "--json", "--workspace", workspace).exits(pl.t, 0)
	if err := json.Unmarshal([]byte(o.out), &tokens); err != nil {
		pl.t.Fatalf("%v: %s", err, o.out)
	}
	return tokens
}

func TestTokenList_JSONIsAnArrayEvenIfEmpty(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	pl.run("token", "list", "--json", "--workspace", "acme").exits(t, 0).prints(t, "[]")
	token := pl.token("acme")
	tokens := pl.listTokens("acme")
	if len(tokens) != 1 || tokens[0].ID == "" || tokens[0].Name != "test" || tokens[0].Created == "" ||
		tokens[0].LastFour != token[len(token)-4:] {
		t.Errorf("%+v", tokens)
	}
	pl.run("token", "list", "--workspace", "nobody").exits(t, 1).says(t, "nobody")
}

func TestTokenRevoke_TakesItOffTheListAndKnowsItsOwnWorkspaceOnly(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		pl.mustApply(other)
		pl.token("acme")
		pl.token("acme")
		before := pl.listTokens("acme")
		pl.run("token", "revoke", "--workspace", "other", before[0].ID).exits(t, 1).says(t, before[0].ID)
		pl.run("token", "revoke", "--workspace", "acme", "tok_nonsense").exits(t, 1).says(t, "tok_nonsense")
		pl.run("token", "revoke", "--workspace", "nobody", before[0].ID).exits(t, 1).says(t, "nobody")
		pl.wantSame("tokens", pl.listTokens("acme"), before)
		pl.run("token", "revoke", before[0].ID, "--workspace", "acme").exits(t, 0)
		pl.wantSame("tokens", pl.listTokens("acme"), before[1:])
		pl.run("token", "revoke", "--workspace", "acme", before[0].ID).exits(t, 1)
	})
}

func TestToken_WorksAndEndsAtTheNextRequestOfEveryServer(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		servers := []*process{pl.serve(nil), pl.serve(nil)}
		token := pl.token("acme") // created while they run
		began := time.Now().Truncate(time.Second)
		for i, s := range servers {
			s.mustBook(token, "intro", slotIn(2+i))
		}
		listed := pl.listTokens("acme")
		if used, err := time.Parse(time.RFC3339, listed[0].LastUsed); err != nil || used.Before(began) ||
			used.After(time.Now()) {
			t.Errorf("last used %q", listed[0].LastUsed)
		}
		pl.run("token", "revoke", "--workspace", "acme", listed[0].ID).exits(t, 0)
		for i, s := range servers {
			if text, failed := s.call(token, "create_booking",
				bookingOf("intro", slotIn(5+i))); failed != "unauthorized" {
				t.Errorf("server %d still takes a revoked token: %s", i, text)
			}
		}
	})
}
