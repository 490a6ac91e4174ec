package owner

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd"

	"slotd/internal/identity"
)

func (w *world) members(slug string) (all []string) {
	w.T.Helper()
	members, err := w.Owners.Members(background, w.id(slug))
	w.Must(err)
	for _, m := range members {
		all = append(all, m.Email)
	}
	return all
}

// invitation returns the open invitation of an address.
func (w *world) invitation(slug, email string) identity.Ticket {
	w.T.Helper()
	waiting, err := w.Owners.Invitations(background, w.id(slug))
	w.Must(err)
	for _, t := range waiting {
		if t.Email == email {
			return t
		}
	}
	w.T.Fatalf("no invitation waits for %s", email)
	return identity.Ticket{}
}

func TestMembers_InviteJoinRemove(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, file := w.ada(), w.export("acme")
		ada.submit("/settings/members", "email", "Cy@New.Example", "name",
			"Cy <i>").leads("/settings/members?done=invited")
		ada.get("/settings/members?done=invited").says(200, "The invitation was sent.", "cy@new.example", "Cy <i>")
		cy := w.stranger()
		cy.post(w.Owners.Path(w.invitation("acme", "cy@new.example"))).leads("/settings")
		cy.get("/settings/members").says(200, "cy@new.example you", "ada@acme.example")
		p := ada.get("/settings/members").says(200, "cy@new.example")
		if strings.Contains(p.Text(), "Pending invitations") {
			t.Error("what was accepted waits still")
		}
		again := w.owner("acme", "cy@new.example") // in a second browser
		ada.fillTo(p, "/settings/members/remove").leads("/settings/members?done=removed")
		for _, b := range []*window{cy, again} {
			b.get("/settings/bookings").leads("/setup")
			b.post("/settings/members", "workspace", "acme", "email", "x@x.example").says(403)
		}
		ada.fillTo(p, "/settings/members/remove").says(409, "no longer an owner")
		ada.get("/settings/activity").says(200, "invited another owner cy@new.example",
			"cy@new.example became an owner", "removed an owner cy@new.example")
		if got := w.members("acme"); len(got) != 1 || w.export("acme") != file {
			t.Errorf("%v", got)
		}
	})
}

func TestMembers_LeaveShowsAnotherWorkspaceOrTheSetup(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, bo := w.ada(), w.owner("acme", "bo@other.example")
		both := w.owner("other", "bo@other.example")
		bo.fillTo(bo.get("/settings/members"), "/settings/members/leave").leads("/settings")
		if p := bo.get("/settings/members").says(200); !strings.Contains(p.Body, `href="/other"`) {
			t.Error("does not show the other workspace")
		}
		both.fillTo(w.withAnother(both), "/settings/members/leave").leads("/setup")
		both.get("/settings").leads("/setup")
		if got := fmt.Sprint(w.members("acme"), w.members("other")); got != "[ada@acme.example] [cy@new.example]" {
			t.Error(got)
		}
		p := ada.get("/settings/members").says(200, "You're the only owner")
		if strings.Contains(p.Body, "/settings/members/leave") {
			t.Error("the last one is offered to leave")
		}
		ada.post("/settings/members/leave", "workspace", "acme").says(409, "needs at least one owner")
		ada.get("/settings/members").says(200)
	})
}

// withAnother returns the members page of the workspace "other" after somebody else has joined.
func (w *world) withAnother(b *window) *response {
	w.owner("other", "cy@new.example")
	return b.get("/settings/members").says(200)
}

func TestMembers_AnInvitationIsTakenBackAndReplaced(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit("/settings/members", "email", "cy@new.example").leads("/settings/members?done=invited")
	first := w.Owners.Path(w.invitation("acme", "cy@new.example"))
	ada.submit("/settings/members", "email", "cy@new.example").leads("/settings/members?done=invited")
	second := w.Owners.Path(w.invitation("acme", "cy@new.example"))
	w.stranger().post(first).says(403)
	p := ada.get("/settings/members")
	ada.fillTo(p, "/settings/members/take-back").leads("/settings/members?done=taken-back")
	w.stranger().post(second).says(403)
	ada.fillTo(p, "/settings/members/take-back").says(409, "is no longer pending")
	for _, id := range []string{"", "x", "\x00", "00000000-0000-0000-0000-000000000000"} {
		ada.post("/settings/members/take-back", "workspace", "acme", "invitation", id).says(409)
	}
	ada.submit("/settings/members", "email", "ADA@acme.example").says(409,
		"ada@acme.example is already an owner of this workspace")
	if got := w.members("acme"); len(got) != 1 {
		t.Error(got)
	}
}

func TestMembers_WrongValuesAreSaidAndKept(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, typed := range []struct{ email, name string }{
		{"", ""}, {"cy", ""}, {"cy@new.example, bo@x.example", ""}, {"cy@new.example\r\nBcc: x@x.example", ""},
		{"cy@new.example", "a\nb"},
		{"cy@new.example", strings.Repeat("n", 201)}, {"cy@new.example", "\x00"},
		{"<script>@new.example", "<script>alert(1)</script>"}, {"\xff@x.example", "\xfe"},
	} {
		p := ada.post("/settings/members", "workspace", "acme", "email", typed.email, "name", typed.name).says(422,
			"Please fix the following")
		if strings.Contains(p.Body, "<script>") {
			t.Errorf("%q is shown as it is", typed)
		}
	}
	for _, member := range []string{"", "x", "-1", "0", "9223372036854775808", "\x00"} {
		ada.post("/settings/members/remove", "workspace", "acme", "member", member).says(409)
	}
	waiting, err := w.Owners.Invitations(background, w.id("acme"))
	if err != nil || len(waiting) != 0 {
		t.Errorf("%v, %v", waiting, err)
	}
}

func TestMembers_AreBounded(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	w.Owners.Limits = identity.Limits{}
	page := ada.get("/settings/members")
	for i := range identity.MaxMembers - 1 {
		_, err := w.Owners.Invite(background, w.id("acme"), fmt.Sprintf("o%d@new.example", i), "", true,
			slotd.Operator)
		w.Must(err)
	}
	ada.get("/settings/members").says(200, "A workspace can have at most 50 owners")
	ada.fill(page, "/settings/members", "email", "cy@new.example").says(409, "at most 50 owners")
	// This invitation replaces the earlier one for the same address.
	ada.fill(page, "/settings/members", "email", "o7@new.example").leads("/settings/members?done=invited")
}

func TestMembers_OfAnotherWorkspaceAreOutOfReach(t *testing.T) {
	w := lite(t)
	ada, bo := w.ada(), w.bo()
	ada.submit("/settings/members", "email", "cy@new.example").leads("/settings/members?done=invited")
	t1 := w.invitation("acme", "cy@new.example")
	members, err := w.Owners.Members(background, w.id("acme"))
	w.Must(err)
	bo.post("/settings/members/take-back", "workspace", "other", "invitation", t1.ID.String()).says(409)
	bo.post("/settings/members/remove", "workspace", "other", "member", fmt.Sprint(members[0].ID)).says(409)
	bo.post("/settings/members/remove", "workspace", "acme", "member", fmt.Sprint(members[0].ID)).says(409,
		"another workspace")
	w.invitation("acme", "cy@new.example")
	if got := w.members("acme"); len(got) != 1 {
		t.Error(got)
	}
}

func TestMembers_NeedAFreshSignIn(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	w.Clock.Advance(identity.FreshFor + time.Minute)
	ada.get("/settings/members").leads("/login/again?to=%2Fsettings%2Fmembers")
	w.Clock.Advance(identity.FreshFor)
	ada.post("/settings/members", "workspace", "acme", "email", "cy@new.example").says(403, "Please sign in again")
}
