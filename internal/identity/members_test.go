package identity

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd"
	"slotd/internal/store"
)

// join makes a user an owner by an invitation's link.
func (w *world) join(workspaceID int64, email string) (cookie string, session *Session) {
	w.t.Helper()
	t, err := w.Invite(background, workspaceID, email, "", false, slotd.Operator)
	w.must(err)
	a, err := w.SignInByTicket(background, lastSegment(w.Path(t)), "", home)
	w.must(err)
	return a.Cookie, w.session(a.Cookie)
}

func (w *world) memberEmails(workspaceID int64) (emails []string) {
	w.t.Helper()
	members, err := w.Members(background, workspaceID)
	w.must(err)
	for _, m := range members {
		emails = append(emails, m.Email)
	}
	return emails
}

func wantRefused(t *testing.T, err error, code slotd.Code, words string) {
	t.Helper()
	if !slotd.Is(err, code) || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, want %s with %q", err, code, words)
	}
}

func TestRace_OneMemberStaysEvenIfBothLeave(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		acme := w.workspace(100, "acme")
		_, ada := w.join(acme, "ada@acme.example")
		_, bo := w.join(acme, "bo@acme.example")
		var wg sync.WaitGroup
		results := make([]error, 2)
		for i, s := range []*Session{ada, bo} {
			wg.Go(func() { results[i] = w.RemoveMember(background, acme, s.User.ID, slotd.NewUserActor(s.User.ID, "")) })
		}
		wg.Wait()
		refused := 0
		for _, err := range results {
			if err != nil {
				wantRefused(t, err, slotd.InvalidArgument, string(slotd.LastOwner))
				refused++
			}
		}
		if got := w.memberEmails(acme); refused != 1 || len(got) != 1 {
			t.Errorf("%d refused, %v stay", refused, got)
		}
	})
}

// A session without a workspace has the number 0.
func TestIsMember_OfOnesOwnWorkspaceOnly(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		acme, other := w.workspace(100, "acme"), w.workspace(101, "other")
		_, ada := w.join(acme, "ada@acme.example")
		for id, want := range map[int64]bool{acme: true, other: false, 0: false} {
			if got, err := w.IsMember(background, id, ada.User.ID); err != nil || got != want {
				t.Errorf("of %d: %v, %v", id, got, err)
			}
		}
	})
}

func TestRemoveMember_DropsInvitations(t *testing.T) {
	w := newSQLiteWorld(t)
	acme := w.workspace(100, "acme")
	w.join(acme, "ada@acme.example")
	spare, err := w.Invite(background, acme, "bo@acme.example", "", false, slotd.Operator)
	w.must(err)
	_, bo := w.join(acme, "bo@acme.example")
	w.must(w.RemoveMember(background, acme, bo.User.ID, slotd.Operator))
	_, err = w.SignInByTicket(background, lastSegment(w.Path(spare)), "", home)
	wantRefused(t, err, slotd.Unauthorized, "")
	isMember, err := w.IsMember(background, acme, bo.User.ID)
	if isMember || err != nil {
		t.Errorf("still an owner: %v", err)
	}
	w.must(w.RemoveMember(background, acme, 12345, slotd.Operator)) // not a member
	if got := w.memberEmails(acme); !slices.Equal(got, []string{"ada@acme.example"}) {
		t.Error(got)
	}
}

func TestRace_InvitationsAreBounded(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		acme := w.workspace(100, "acme")
		w.join(acme, "ada@acme.example")
		w.must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			for i := range MaxMembers - 3 {
				if _, err := w.issueTicket(ctx, tx, Ticket{Kind: Invite, Email: fmt.Sprintf("o%d@new.example", i),
					WorkspaceID: acme}, inviteLifetime); err != nil {
					return err
				}
			}
			return nil
		}))
		var wg sync.WaitGroup
		results := make([]error, 6)
		for i := range results {
			wg.Go(func() {
				_, results[i] = w.Invite(background, acme, fmt.Sprintf("last%d@new.example", i), "", i%2 == 0, slotd.Operator)
			})
		}
		wg.Wait()
		invited := 0
		for _, err := range results {
			if err == nil {
				invited++
			} else {
				wantRefused(t, err, slotd.InvalidArgument, string(slotd.TooManyOwners))
			}
		}
		if invited != 2 {
			t.Errorf("%d more were invited, want 2", invited)
		}
		// The operator can still issue a link for an owner who is locked out.
		_, err := w.Invite(background, acme, "ada@acme.example", "", false, slotd.Operator)
		w.must(err)
	})
}

func TestInvite_AMailedOneTakesThePlaceOfThoseBefore(t *testing.T) {
	w := newSQLiteWorld(t)
	acme, other := w.workspace(100, "acme"), w.workspace(200, "other")
	elsewhere, err := w.Invite(background, other, "cy@new.example", "", true, slotd.Operator)
	w.must(err)
	first, err := w.Invite(background, acme, "Cy@New.Example", "", true, slotd.Operator)
	w.must(err)
	second, err := w.Invite(background, acme, "cy@new.example", "Cy", true, slotd.Operator)
	w.must(err)
	_, err = w.SignInByTicket(background, lastSegment(w.Path(first)), "", home)
	wantRefused(t, err, slotd.Unauthorized, "")
	for _, ticket := range []Ticket{second, elsewhere} {
		_, err = w.SignInByTicket(background, lastSegment(w.Path(ticket)), "", home)
		w.must(err)
	}
	_, err = w.Invite(background, acme, "CY@new.example", "", true, slotd.Operator)
	wantRefused(t, err, slotd.InvalidArgument, string(slotd.AlreadyOwner))
}

func TestInvite_OneAddressIsNotFlooded(t *testing.T) {
	w := newSQLiteWorld(t)
	acme := w.workspace(100, "acme")
	sent := 0
	for range 20 {
		ticket, err := w.Invite(background, acme, "cy@new.example", "", true, slotd.Operator)
		if err != nil {
			wantRefused(t, err, slotd.RateLimited, "")
			break
		}
		sent++
		_, err = w.RevokeInvitation(background, acme, ticket.ID.String(), slotd.Operator)
		w.must(err)
	}
	if sent != mailBurst {
		t.Errorf("%d were sent at once", sent)
	}
	_, err := w.Invite(background, acme, "dan@new.example", "", true, slotd.Operator)
	w.must(err)
}

func TestInvitations_ArePendingUntilUsedRevokedOrOld(t *testing.T) {
	w := newSQLiteWorld(t)
	acme, other := w.workspace(100, "acme"), w.workspace(200, "other")
	a, err := w.Invite(background, acme, "a@new.example", "", true, slotd.Operator)
	w.must(err)
	b, err := w.Invite(background, acme, "b@new.example", "", true, slotd.Operator)
	w.must(err)
	if found, err := w.RevokeInvitation(background, other, a.ID.String(), slotd.Operator); found || err != nil {
		t.Errorf("another workspace took it back: %v", err)
	}
	for _, id := range []string{"", "x", "\x00"} {
		if found, err := w.RevokeInvitation(background, acme, id, slotd.Operator); found || err != nil {
			t.Errorf("%q: %t %v", id, found, err)
		}
	}
	found, err := w.RevokeInvitation(background, acme, a.ID.String(), slotd.Operator)
	if !found || err != nil {
		t.Fatal(err)
	}
	pending, err := w.Invitations(background, acme)
	if err != nil || len(pending) != 1 || pending[0].ID != b.ID {
		t.Errorf("%v %v", pending, err)
	}
	w.clock.Advance(inviteLifetime + time.Second)
	if pending, err = w.Invitations(background, acme); err != nil || len(pending) != 0 {
		t.Errorf("%v %v", pending, err)
	}
}

// Owners choose the text of the mails, so they must not be able to mail it to everyone.
func TestInvite_SoManyByOneOwner(t *testing.T) {
	w := newSQLiteWorld(t)
	id := w.workspace(1, "acme")
	by := slotd.NewUserActor(7, "198.51.100.7")
	sent := 0
	for i := range 3 * invitationBurst {
		ticket, err := w.Invite(background, id, fmt.Sprintf("guest%d@new.example", i), "", true, by)
		if slotd.Is(err, slotd.RateLimited) {
			break
		}
		w.must(err)
		sent++
		_, err = w.RevokeInvitation(background, id, ticket.ID.String(), by)
		w.must(err)
	}
	if sent != invitationBurst {
		t.Errorf("%d were sent, want %d", sent, invitationBurst)
	}
}

// The link that signs in a locked-out owner does not restore an owner who was removed since.
func TestInvite_OfAnOwnerSignsInOnly(t *testing.T) {
	w := newSQLiteWorld(t)
	id := w.workspace(1, "acme")
	for _, email := range []string{"ada@acme.example", "bo@acme.example"} {
		ticket, err := w.Invite(background, id, email, "", false, slotd.Operator)
		w.must(err)
		_, err = w.SignInByTicket(background, strings.TrimPrefix(w.Path(ticket), "/login/"), "", home)
		w.must(err)
	}
	again, err := w.Invite(background, id, "bo@acme.example", "", false, slotd.Operator)
	w.must(err)
	if pending, err := w.Invitations(background, id); err != nil || len(pending) != 0 {
		t.Errorf("%v waits, %v", pending, err)
	}
	bo, err := w.db.Read().UserByEmail(background, "bo@acme.example")
	w.must(err)
	w.must(w.RemoveMember(background, id, bo.ID, slotd.Operator))
	a, err := w.SignInByTicket(background, strings.TrimPrefix(w.Path(again), "/login/"), "", home)
	w.must(err)
	if isMember, err := w.IsMember(background, id, bo.ID); isMember || err != nil || a.WorkspaceID != 0 {
		t.Errorf("member %t, shows %d, %v", isMember, a.WorkspaceID, err)
	}
}
