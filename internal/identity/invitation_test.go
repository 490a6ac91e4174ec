package identity

import (
	"slices"
	"testing"
	"time"

	"slotd"

	"slotd/internal/jobs"
)

func TestInvite_OfAnOwnerIsNotedAsALinkOnly(t *testing.T) {
	w := newSQLiteWorld(t)
	id := w.workspace(1, "acme")
	for range 2 {
		ticket, err := w.Invite(background, id, "ada@acme.example", "", false, slotd.Operator)
		w.must(err)
		_, err = w.SignInByTicket(background, lastSegment(w.Path(ticket)), "", home)
		w.must(err)
		w.clock.Advance(time.Second)
	}
	got := slices.Sorted(slices.Values(w.activity(id)))
	if want := []string{"member.invited", "member.joined", "member.link", "signed.in", "signed.in"}; !slices.Equal(got,
		want) {
		t.Errorf("noted: %v", got)
	}
}

func TestInviter_IsWhoAskedForIt(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		id := w.workspace(1, "acme")
		_, session := w.signInByLink("ada@acme.example", home)
		for _, c := range []struct {
			by   slotd.Actor
			want string
		}{{slotd.NewUserActor(session.User.ID, ""), "ada@acme.example"}, {slotd.Operator, ""}, {slotd.NewUserActor(12345, ""),
			""}, {slotd.Actor{Kind: slotd.UserActor, ID: "x"}, ""}} {
			ticket, err := w.Invite(background, id, "cy@new.example", "", true, c.by)
			w.must(err)
			stored, err := w.TicketByID(background, ticket.ID.String())
			w.must(err)
			got, err := w.Inviter(background, stored)
			if err != nil || (got == nil) != (c.want == "") || got != nil && got.Email != c.want {
				t.Errorf("%v: %+v, %v", c.by, got, err)
			}
		}
	})
}

// The detail of a sign-in link is a page, not a user ID, and the detail of an invitation is not a page.
func TestInviter_IsNobodyOfASignInLink(t *testing.T) {
	w := newSQLiteWorld(t)
	_, session := w.signInByLink("ada@acme.example", home)
	detail := actorUserID(slotd.NewUserActor(session.User.ID, ""))
	if by, err := w.Inviter(background, &Ticket{Kind: SignIn, Detail: detail}); by != nil || err != nil {
		t.Error(by, err)
	}
	ticket, err := w.Invite(background, w.workspace(1, "acme"), "cy@new.example", "", true,
		slotd.NewUserActor(session.User.ID, ""))
	w.must(err)
	a, err := w.SignInByTicket(background, lastSegment(w.Path(ticket)), "", home)
	w.must(err)
	if a.RedirectPath != "" || a.CanSignInAgain {
		t.Errorf("%+v", a)
	}
}

func TestSignInByTicket_KnowsWhoHasAWayBack(t *testing.T) {
	w := newSQLiteWorld(t)
	_, session := w.signInByLink("ada@acme.example", home)
	w.must(w.SetPassword(background, session, "correct horse battery", home))
	a, err := w.SignInByTicket(background, w.link("ada@acme.example"), "", home)
	w.must(err)
	if !a.CanSignInAgain {
		t.Error("a password is no way")
	}
}

// The operator passes the link on; an owner's invitation is mailed.
func TestInvite_MailsOnlyIfAsked(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		acme := w.workspace(100, "acme")
		for want, sendMail := range []bool{false, true} {
			_, err := w.Invite(background, acme, "ada@acme.example", "", sendMail, slotd.Operator)
			w.must(err)
			if pending, err := jobs.List(background, w.db, false, 10); err != nil || len(pending) != want {
				t.Errorf("mailed %v: %d jobs, %v", sendMail, len(pending), err)
			}
		}
	})
}
