package owner

import (
	"strings"
	"testing"

	"slotd"
)

const noWay = "/settings/account?done=no-way"

// accepts accepts a new invitation, and returns where it leads.
func (w *world) accepts(email string) (*window, *response) {
	w.T.Helper()
	b := w.stranger()
	return b, b.post(w.Owners.Path(w.invitation("acme", email)))
}

func TestInvitation_LeadsToThePasswordWhereNoMailIsSent(t *testing.T) {
	w := lite(t)
	w.ToFiles = true
	ada := w.withPassword(w.ada())
	ada.submit("/settings/members", "email", "cy@new.example").leads("/settings/members?done=invited")
	cy, p := w.accepts("cy@new.example")
	p.leads(noWay)
	cy.get(noWay).says(200, "Please set a password now: this server doesn't send email", "Set password")
	w.withPassword(cy)
	if p := cy.get(noWay).says(200); strings.Contains(p.Text(), "set a password now") {
		t.Error("who has one is told to set one")
	}
	link := w.linkFor("cy@new.example")
	w.stranger().post(link).leads("/settings")
}

func TestInvitation_LeadsToTheSettingsWhereMailIsSent(t *testing.T) {
	w := lite(t)
	w.ada().submit("/settings/members", "email", "cy@new.example")
	_, p := w.accepts("cy@new.example")
	p.leads("/settings")
}

// linkFor creates a sign-in link for an owner, as the operator's command does.
func (w *world) linkFor(email string) string {
	w.T.Helper()
	t, err := w.Owners.Invite(background, w.id("acme"), email, "", false, slotd.Operator)
	w.Must(err)
	return w.Owners.Path(t)
}

func TestActivity_ALinkForAnOwnerIsNoInvitation(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	w.linkFor("ada@acme.example")
	p := ada.get("/settings/activity").says(200, "The operator created a sign-in link for an owner ada@acme.example")
	if n := strings.Count(p.Text(), "invited another owner ada@acme.example"); n != 1 { // from when she joined
		t.Errorf("%d invitations: %s", n, p.Text())
	}
}
