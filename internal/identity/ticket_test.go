package identity

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/identity/links"
)

func TestSignInByTicket_WorksOnce(t *testing.T) {
	w := newSQLiteWorld(t)
	link := w.link("ada@acme.example")
	_, err := w.SignInByTicket(background, link, "", home)
	w.must(err)
	_, err = w.SignInByTicket(background, link, "", abroad)
	w.wantRefused(err, slotd.Unauthorized, "made up, used or too old")
	if !strings.Contains(err.Error(), string(slotd.LinkUsed)) {
		t.Errorf("it says %q", err)
	}
}

func TestRace_OfManyWithOneTicketOneGetsIn(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		w.signInByLink("ada@acme.example", home) // otherwise two sign-ins would also create the user
		for range 8 {
			w.Limits = NewLimits()
			link := w.link("ada@acme.example")
			succeeded, errs := runConcurrently(6, func() error {
				_, err := w.SignInByTicket(background, link, "", home)
				return err
			})
			if succeeded != 1 {
				t.Fatalf("%d got in", succeeded)
			}
			for _, err := range errs {
				w.wantRefused(err, slotd.Unauthorized, "")
			}
		}
	})
}

func TestSignInByTicket_TooOld(t *testing.T) {
	w := newSQLiteWorld(t)
	link, late := w.link("ada@acme.example"), w.link("ada@acme.example")
	w.clock.Advance(signInLifetime - time.Millisecond)
	_, err := w.SignInByTicket(background, link, "", home)
	w.must(err)
	w.clock.Advance(time.Millisecond)
	_, err = w.SignInByTicket(background, late, "", home)
	w.wantRefused(err, slotd.Unauthorized, "made up, used or too old")
}

// A token that was signed or issued for one purpose does not work for another.
func TestSignInByTicket_NothingButALinkToSignIn(t *testing.T) {
	w := newSQLiteWorld(t)
	setup, err := w.SetupLink(background)
	w.must(err)
	_, id, ok := w.Links.Verify(links.Setup, lastSegment(setup))
	if !ok {
		t.Fatal("the setup link is not signed")
	}
	good := w.link("ada@acme.example")
	for name, token := range map[string]string{
		"empty": "", "short": "abc", "changed": good[:40] + map[bool]string{true: "A", false: "B"}[good[40] != 'A'] +
			good[41:], "longer": good + "A", "with a newline": good[:4] + "\n" + good[4:],
		"a setup link":                 lastSegment(setup),
		"a setup ticket, signed anew":  w.Links.Token(links.SignIn, 0, id),
		"a ticket that is not there":   w.Links.Token(links.SignIn, 0, uuid.New()),
		"a cancel link of that number": w.Links.Token(links.Cancel, 0, id),
	} {
		w.log.Reset()
		_, err := w.SignInByTicket(background, token, "", home)
		if w.wantRefused(err, slotd.Unauthorized, "a sign-in was refused"); strings.Contains(w.log.String(), good[4:]) {
			t.Errorf("%s: the log has the link", name)
		}
	}
	_, err = w.SetUp(background, good, "Ada", "ada@acme.example", "", "", home)
	w.wantRefused(err, slotd.Unauthorized, "a setup was refused")
	_, err = w.SignInByTicket(background, good, "", home)
	w.must(err)
}

func TestFindTicket_ChangesNothing(t *testing.T) {
	w := newSQLiteWorld(t)
	link := w.link("ada@acme.example")
	for range 3 {
		if found, err := w.FindTicket(background, links.SignIn, link); err != nil || found.Email != "ada@acme.example" {
			t.Fatalf("%v %v", found, err)
		}
	}
	if row, err := findUser(background, w.db.Read(), "ada@acme.example"); row != nil || err != nil {
		t.Errorf("looking made the user %v %v", row, err)
	}
}

func TestTicketByID_IsNoneOnceItIsUsed(t *testing.T) {
	w := newSQLiteWorld(t)
	link := w.link("ada@acme.example")
	_, id, _ := w.Links.Verify(links.SignIn, link)
	if found, err := w.TicketByID(background, id.String()); err != nil || found == nil {
		t.Fatalf("%v %v", found, err)
	}
	_, err := w.SignInByTicket(background, link, "", home)
	w.must(err)
	if found, err := w.TicketByID(background, id.String()); err != nil || found != nil {
		t.Errorf("a used one would be mailed: %v %v", found, err)
	}
	if _, err := w.TicketByID(background, "no number"); err == nil {
		t.Error("took what is no number")
	}
}

func TestIssue_ForgetsWhatNobodyCanUse(t *testing.T) {
	w := newSQLiteWorld(t)
	old := w.link("ada@acme.example")
	_, id, _ := w.Links.Verify(links.SignIn, old)
	w.clock.Advance(signInLifetime + ticketRetention + time.Second)
	w.link("bo@other.example")
	if _, err := w.db.Read().Ticket(background, id.String()); err == nil {
		t.Error("it is still kept")
	}
}

// The mails and the documentation promise these times.
func TestLinks_LastAsLongAsPromised(t *testing.T) {
	w := newSQLiteWorld(t)
	setup := w.newSetupToken()
	invitation, err := w.Invite(background, w.workspace(7, "acme"), "ada@acme.example", "", false, slotd.Operator)
	w.must(err)
	for _, c := range []struct {
		purpose links.Purpose
		token   string
		want    time.Duration
	}{
		{links.Setup, setup, 24 * time.Hour},
		{links.SignIn, w.link("ada@acme.example"), 30 * time.Minute},
		{links.SignIn, lastSegment(w.Path(invitation)), 7 * 24 * time.Hour},
	} {
		ticket, err := w.FindTicket(background, c.purpose, c.token)
		if w.must(err); ticket.ExpiresAt.Sub(monday) != c.want {
			t.Errorf("%v lasts %v, want %v", c.purpose, ticket.ExpiresAt.Sub(monday), c.want)
		}
	}
}
