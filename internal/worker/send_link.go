package worker

import (
	"context"
	"encoding/json"
	"fmt"
	netmail "net/mail"

	"slotd/internal/identity"
	"slotd/internal/jobs"
	"slotd/internal/lib/say"
	"slotd/internal/mail"
	"slotd/internal/store"
)

// LinkMailer mails the links that owners sign in with.
type LinkMailer struct {
	*Mailer
	Owners *identity.Service
}

// Send mails one link. It sends nothing if the link was used or has expired.
func (s *LinkMailer) Send(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	var m identity.LinkMail
	if err := json.Unmarshal([]byte(j.Detail), &m); err != nil {
		return nil, jobs.Permanent(fmt.Errorf("read the job's detail: %w", err))
	}
	t, err := s.Owners.TicketByID(ctx, m.Ticket)
	if err != nil || t == nil {
		return nil, err
	}
	link := mail.SignInLink{
		From: s.MailFrom, To: netmail.Address{Name: t.Name, Address: t.Email},
		URL: s.BaseURL + s.Owners.Path(*t), ID: j.ID, ExpiresIn: say.T("30 minutes"),
	}
	if t.Kind == identity.Invite {
		snap, err := s.Cache.WorkspaceByID(ctx, t.WorkspaceID)
		if err != nil {
			return nil, err
		}
		link.Workspace, link.ExpiresIn = snap.Name, say.T("7 days")
		inviter, err := s.Owners.Inviter(ctx, t)
		if err != nil {
			return nil, err
		}
		if inviter != nil {
			link.By = netmail.Address{Name: inviter.Name, Address: inviter.Email}
		}
	}
	return s.sendToOwner(ctx, j, mail.SignInMail(link, s.Now()))
}
