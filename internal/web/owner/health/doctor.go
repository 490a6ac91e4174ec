package health

import (
	"net/http"
	"slices"

	"slotd/internal/availability/snapshot"
	"slotd/internal/doctor"
	"slotd/internal/web/owner/page"
)

var doctorRoutes = []page.Route[visit]{page.At("/settings/doctor", page.Member, (*visit).doctorPage, (*visit).examine)}

type doctorContent struct {
	page.Form
	Asked   bool // other machines were asked too
	Summary string
	Groups  []doctorGroup
}

type doctorGroup struct {
	Title  string
	Checks []doctorCheck
}

type doctorCheck struct {
	doctor.Check
	Word string
	Path string // the page where it can be fixed
}

// doctorPage asks only the database: opening a page must not make the server call other machines.
func (v *visit) doctorPage() error { return v.showDoctor(false) }

// examine also asks other machines. It changes nothing, so sending the form again is harmless.
func (v *visit) examine() error { return v.showDoctor(true) }

func (v *visit) showDoctor(network bool) error {
	scope := doctor.Scope{Workspaces: []*snapshot.Config{v.Snapshot.Config}, Network: network}
	checks := v.Doctor.Examine(v.R.Context(), scope)
	c := &doctorContent{Form: v.NewForm(""), Asked: network, Summary: diagnosis(checks)}
	mine, server := doctorGroup{Title: "This workspace"}, doctorGroup{Title: "The server"}
	for _, check := range checks {
		line := doctorCheck{check, stateWords[check.State], ownChecks[check.Name]}
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
	return v.Show(http.StatusOK, "doctor", "Doctor", c)
}

// ownChecks maps the workspace's own checks to the pages where an owner can fix them.
var ownChecks = map[string]string{"mails": "/settings/mail", "calendars": "/settings/calendars",
	"payments": "/settings/payments"}

var stateWords = map[doctor.State]string{doctor.OK: "OK", doctor.Warn: "Warning", doctor.Fail: "Fails",
	doctor.Unknown: "Not known"}

// diagnosis sums up the checks in one sentence.
func diagnosis(checks []doctor.Check) string {
	switch doctor.Worst(checks) {
	case doctor.Fail:
		return "Something does not work."
	case doctor.Warn:
		return "Everything works, but something should be looked at."
	case doctor.Unknown:
		return "Nothing wrong was found, but not everything could be asked."
	}
	return "Everything is in order."
}
