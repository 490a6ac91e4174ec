package main

import (
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// followSignInLink posts to a sign-in link as a browser does and returns the final status and path.
func (p *process) followSignInLink(link string) (status int, at string) {
	p.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := http.NewRequest("POST", link, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	response, err := (&http.Client{Jar: jar}).Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode, response.Request.URL.Path
}

func TestUserAdd_PrintsALinkThatSignsInOnce(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		pl.run("user", "add", "--workspace", "acme", "--email", "ada@acme.example").exits(t, 1).says(t,
			"start slotd serve once").prints(t)
		s := pl.serve(nil)
		// The second round is for an owner who is locked out.
		for _, says := range []string{"opens this link becomes an owner of acme",
			"signs in as ada@acme.example, who is already an owner of acme"} {
			o := pl.run("user", "add", "--workspace", "acme", "--email", "Ada@Acme.Example", "--name",
				"Ada Park").exits(t, 0).says(t, says, "works once")
			link := strings.TrimSuffix(o.out, "\n")
			if !regexp.MustCompile(`^` + regexp.QuoteMeta(s.url) + `/login/[\w-]+$`).MatchString(link) {
				t.Fatalf("printed %q", o.out)
			}
			if status, at := s.followSignInLink(link); status != http.StatusOK || !strings.HasPrefix(at, "/settings/") {
				t.Errorf("%d at %s", status, at)
			}
			if status, _ := s.followSignInLink(link); status != http.StatusForbidden {
				t.Errorf("a second time: %d", status)
			}
		}
		pl.run("workspace", "list").prints(t, "acme  Acme Inc  1 owner  0 upcoming bookings")
	})
}

func TestUserAdd_WrongUsage(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	pl.run("user", "add", "--workspace", "acme").exits(t, 2).says(t, "--email is required")
	pl.run("user", "add", "--email", "ada@acme.example").exits(t, 2).says(t, "--workspace is required")
	pl.run("user", "add", "--workspace", "acme", "--email", "ada@acme.example\nBcc: x@x.example").exits(t, 2).says(t,
		"must be an e-mail address")
	pl.run("user", "add", "--workspace", "acme", "--email", "ada@acme.example", "--name", "a\nb").exits(t, 2).says(t,
		"--name must be one line")
	pl.run("user", "add", "--workspace", "nobody", "--email", "ada@acme.example").exits(t, 1).says(t, "no workspace")
}

func TestOperator_LeavesTracesInTheActivity(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	pl.mustApply(acme) // changes nothing, so nothing is recorded
	pl.apply(edit(t, acme, "Acme Inc", "Acme Ltd"), "--dry-run").exits(t, 0)
	pl.mustApply(edit(t, acme, "Acme Inc", "Acme Ltd"))
	pl.run("payments", "connect", "--workspace", "acme", "--own-key", "sk_test_"+strings.Repeat("a", 24),
		"--own-webhook-secret", "whsec_"+strings.Repeat("b", 32)).exits(t, 0)
	pl.run("payments", "disconnect", "--workspace", "acme").exits(t, 0)
	want := []string{
		`operator payments.connected `, `operator payments.disconnected `,
		`operator workspace.changed workspace name: "Acme Inc" → "Acme Ltd"`, `operator workspace.created acme`,
	}
	got := pl.activity()
	slices.Sort(got)
	pl.wantSame("the activity", got, want)
}

func TestDemo_PrintsALinkToItsSettings(t *testing.T) {
	t.Parallel()
	s := onSQLite(t).serve(nil, "--demo")
	link := lineWith(t, s.printed(), s.url+"/login/")
	if status, at := s.followSignInLink(link); status != http.StatusOK || !strings.HasPrefix(at, "/settings/") {
		t.Errorf("%d at %s", status, at)
	}
}
