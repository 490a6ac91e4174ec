package identity

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/identity/links"
)

// A database that fails must neither look like an empty one nor like a refusal.
func TestBrokenDatabase_IsAnErrorOfEveryVerb(t *testing.T) {
	w := newSQLiteWorld(t)
	acme := w.workspace(7, "acme")
	cookie, ada := w.join(acme, "ada@acme.example")
	w.must(w.SetPassword(background, ada, "correct horse battery", home))
	w.signInByLink("bo@acme.example", abroad)
	token, err := w.Invite(background, acme, "cy@acme.example", "", false, slotd.NewUserActor(ada.User.ID, ""))
	w.must(err)
	id, rp := ada.User.ID, w.relyingParty()
	w.db.Close()
	second := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Activity":            second(w.Activity(background, acme, 1, 1, 1)),
		"RecordActivity":      w.RecordActivity(background, acme, slotd.Operator, "kind", "", monday),
		"ActorName":           second(w.ActorName(background, acme, slotd.ParseActor("user:1"))),
		"ActorName of token":  second(w.ActorName(background, acme, slotd.ParseActor("token:1"))),
		"Rename":              w.Rename(background, ada, "Ada", home),
		"Invite":              second(w.Invite(background, acme, "di@acme.example", "", false, slotd.Operator)),
		"Inviter":             second(w.Inviter(background, &token)),
		"Invitations":         second(w.Invitations(background, acme)),
		"RevokeInvitation":    second(w.RevokeInvitation(background, acme, uuid.NewString(), slotd.Operator)),
		"Workspaces":          second(w.Workspaces(background, id)),
		"Members":             second(w.Members(background, acme)),
		"IsMember":            second(w.IsMember(background, acme, id)),
		"RemoveMember":        w.RemoveMember(background, acme, id, slotd.Operator),
		"Passkeys":            second(w.Passkeys(background, id)),
		"RemovePasskey":       second(w.RemovePasskey(background, ada, []byte("laptop"), true, home)),
		"ChallengeNewPasskey": second(w.ChallengeNewPasskey(background, rp, ada, home)),
		"ChallengeSignIn":     second(w.ChallengeSignIn(background, rp, home)),
		"ChangePassword":      w.ChangePassword(background, ada, "correct horse battery", "another password", home),
		"RemovePassword":      w.RemovePassword(background, ada, true, home),
		"SetPassword":         w.SetPassword(background, ada, "another password", home),
		"Recognize":           second(w.Recognize(background, cookie, home)),
		"Sessions":            second(w.Sessions(background, id)),
		"EndSession":          second(w.EndSession(background, id, ada.ID, home)),
		"EndOtherSessions":    w.EndOtherSessions(background, ada, home),
		"SwitchWorkspace":     w.SwitchWorkspace(background, ada, acme),
		"SetupLink":           second(w.SetupLink(background)),
		"IsEmpty":             second(w.IsEmpty(background)),
		"HasWorkspaces":       second(w.HasWorkspaces(background)),
		"SignInByPassword":    second(w.SignInByPassword(background, "ada@acme.example", "a password", "", home)),
		"SendLink":            w.SendLink(background, "ada@acme.example", "", home),
		"SignInByTicket":      second(w.SignInByTicket(background, lastSegment(w.Path(token)), "", home)),
		"FindTicket":          second(w.FindTicket(background, links.SignIn, lastSegment(w.Path(token)))),
		"TicketByID":          second(w.TicketByID(background, token.ID.String())),
	} {
		var coded *slotd.Error
		if err == nil || errors.As(err, &coded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if empty, _ := w.IsEmpty(background); empty {
		t.Error("the database counts as empty")
	}
}
