package worker

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"slotd"

	"slotd/internal/identity"
	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// sendInvitationsFrom makes the world send the mails of invitations. If email is not empty, it creates an owner with
// the id 7 and this name and address.
func (w *world) sendInvitationsFrom(name, email string) *identity.Service {
	w.T.Helper()
	service := identity.New(identity.Service{DB: w.DB, Links: w.Links, Now: w.now, Log: slog.New(slog.DiscardHandler),
		Limits: identity.NewLimits()})
	tickets := &LinkMailer{Mailer: w.mailer(w.box), Owners: service}
	w.runner = w.newRunner(jobs.Mail, map[string]jobs.Handler{identity.LinkMailJob: tickets.Send})
	if email != "" {
		w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertUser(ctx, sqlcgen.InsertUserParams{ID: 7, Email: email, Name: name})
		}))
	}
	return service
}

func TestTickets_AnInvitationNamesWhoInvites(t *testing.T) {
	for _, c := range []struct {
		name, inviter, email string
		by                   slotd.Actor
		says, replyTo        string
	}{
		{"an owner", "Ada Park", "ada@acme.example", slotd.NewUserActor(7, "192.0.2.1"),
			"Ada Park (ada@acme.example) invited you", "ada@acme.example"},
		{"one without a name", "", "ada@acme.example", slotd.NewUserActor(7, "192.0.2.1"),
			"ada@acme.example invited you", "ada@acme.example"},
		{"one who is gone", "", "", slotd.NewUserActor(7, "192.0.2.1"), "You're invited", ""},
		{"the operator", "Ada Park", "ada@acme.example", slotd.Operator, "You're invited", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				_, err := w.sendInvitationsFrom(c.inviter, c.email).Invite(background, w.Actor.WorkspaceID,
					"cy@new.example", "Cy", true, c.by)
				w.Must(err)
				w.run()
				mails := w.box.Empty()
				if len(mails) != 1 {
					t.Fatalf("%d mails", len(mails))
				}
				text := string(mails[0].Data)
				if !strings.Contains(text, c.says) || !strings.Contains(text, "an owner of Acme") ||
					strings.Contains(text, "Reply-To:") != (c.replyTo != "") || !strings.Contains(text, c.replyTo) {
					t.Error(text)
				}
			})
		})
	}
}
