package health

import (
	"net/http"
	"slices"

	"slotd/internal/availability/snapshot"
	"slotd/internal/doctor"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

var doctorRoutes = []page.Route[visit]{page.At("/settings/doctor", page.Member, (*visit).doctorPage, (*visit).examine)}

type doctorContent struct {
	page.Form
	Asked   bool // other machines were asked too
	Summary say.Sentence
	Groups  []doctorGroup
}

type doctorGroup struct {
	Title  say.Sentence
	Checks []doctorCheck
}

type doctorCheck struct {
	doctor.Check
	Title say.Sentence
	Word  say.Sentence
	Path  string // the page where it can be fixed
}

// doctorPage asks only the database: opening a page must not make the server call other machines.
func (v *visit) doctorPage() error { return v.showDoctor(false) }

// examine also asks other machines. It changes nothing, so sending the form again is harmless.
func (v *visit) examine() error { return v.showDoctor(true) }

func (v *visit) showDoctor(network bool) error {
	scope := doctor.Scope{Workspaces: []*snapshot.Config{v.Snapshot.Config}, Network: network}
	checks := v.Doctor.Examine(v.R.Context(), scope)
	c := &doctorContent{Form: v.NewForm(""), Asked: network, Summary: diagnosis(checks)}
	mine, server := doctorGroup{Title: "This workspace"}, doctorGroup{Title: "Server"}
	for _, check := range checks {
		line := doctorCheck{check, titles[check.Name], stateWords[check.State], ownChecks[check.Name]}
		if line.Path != "" {
			mine.Checks = append(mine.Checks, line)
		} else {
			server.Checks = append(server.Checks, line)
		}
	}
	c.Groups = []doctorGroup{mine, server}
	for _, g := range c.Groups {
		slices.SortStableFunc(g.Checks, func(a, b doctorCheck) int { return b.State.Compare(a.State) })
	}
	return v.Show(http.StatusOK, "doctor", say.T("System health"), c)
}

// ownChecks maps the workspace's own checks to the pages where an owner can fix them.
var ownChecks = map[say.Sentence]string{"mails": "/settings/mail", "calendars": "/settings/calendars",
	"payments": "/settings/payments"}

// titles are the headings of the checks.
var titles = map[say.Sentence]say.Sentence{"base URL": "Base URL", "HTTPS": "HTTPS", "mail": "Email delivery",
	"database": "Database", "clock": "Clock", "time zones": "Time zones", "disk": "Disk space", "jobs": "Background jobs",
	"failed jobs": "Failed jobs", "late jobs": "Late jobs", "mails": "Emails", "calendars": "Calendars",
	"payments": "Payments", "rate limits": "Rate limits", "log": "Log", "sign-up": "Sign-up",
	"clock offset": "Clock offset"}

var stateWords = map[doctor.State]say.Sentence{doctor.OK: "OK", doctor.Warn: "Warning", doctor.Fail: "Failed",
	doctor.Unknown: "Unknown"}

// diagnosis sums up the checks in one sentence.
func diagnosis(checks []doctor.Check) say.Sentence {
	switch doctor.Worst(checks) {
	case doctor.Fail:
		return "Something isn't working."
	case doctor.Warn:
		return "Everything works, but some things need attention."
	case doctor.Unknown:
		return "No problems found, but some checks haven't run."
	}
	return "Everything looks good."
}
