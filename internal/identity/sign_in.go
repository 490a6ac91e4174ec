package identity

import (
	"context"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Arrival is somebody who has just signed in.
type SignedIn struct {
	Cookie      string
	UserID      int64
	WorkspaceID int64  // the one the session shows; 0: they have none
	GoesTo      string // where they wanted to go; may be empty
	HasWay      bool   // to come back without a link, by a password or a passkey; known of those who came by a link
}

// errNoMatch is the same for an address that nobody has, one without a password, and a wrong password.
func errNoMatch() error {
	return slotd.Errorf(slotd.Unauthorized,
		"This address and this password do not belong together. Try again, or have a link sent to you.")
}

// ByPassword signs somebody in. old is the cookie that the browser had before.
func (s *Service) SignInByPassword(ctx context.Context, email, password, old string, client Client) (*SignedIn, error) {
	if err := s.count(client, s.Limits.Tries, NormalizeEmail(email)); err != nil {
		return nil, err
	}
	if err := s.tooMany(s.Limits.Accounts.Take(NormalizeEmail(email), s.Now())); err != nil {
		return nil, err
	}
	row, err := find(ctx, s.DB.Read(), email)
	if err != nil {
		return nil, err
	}
	stored := ""
	if row != nil {
		stored = row.Password
	}
	if !s.matches(password, stored) {
		if row != nil {
			s.refused(ctx, row.ID, client, "wrong password")
		} else {
			s.Log.Warn("a sign-in was refused", "why", "no such user")
		}
		return nil, errNoMatch()
	}
	return s.arrive(ctx, userOf(*row), old, client)
}

// arrive begins the session of somebody who has said who they are.
func (s *Service) arrive(ctx context.Context, user *User, old string, client Client) (a *SignedIn, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		a, err = s.arriveIn(ctx, tx, user, 0, old, client)
		return err
	})
	return a, err
}

// arriveIn shows the workspace that is asked for, else the one that the session before has shown, else the user's
// first.
func (s *Service) arriveIn(ctx context.Context, tx *store.Tx, user *User, workspaceID int64, old string,
	client Client) (*SignedIn, error) {
	if workspaceID == 0 && old != "" {
		if before, err := tx.SessionByHash(ctx, hashOf(old)); err == nil && before.UserID == user.ID {
			workspaceID = before.WorkspaceID
		}
	}
	mine, err := tx.WorkspacesOfUser(ctx, user.ID)
	if err != nil {
		return nil, fmt.Errorf("list a user's workspaces: %w", err)
	}
	shown := int64(0)
	for _, w := range mine {
		if shown == 0 || w.ID == workspaceID {
			shown = w.ID
		}
	}
	cookie, err := s.begin(ctx, tx, user, old, shown, client)
	return &SignedIn{Cookie: cookie, UserID: user.ID, WorkspaceID: shown}, err
}

// count takes from the client's share of tries, and from that for an account.
func (s *Service) count(client Client, tries *limit.Limiter[try], account string) error {
	at := limit.Key(client.Address)
	wait := s.Limits.Clients.Take(at, s.Now())
	if wait == 0 && account != "" {
		wait = tries.Take(try{account, at}, s.Now())
	}
	return s.tooMany(wait)
}

func (s *Service) tooMany(wait time.Duration) error {
	if wait == 0 {
		return nil
	}
	s.Log.Warn("a sign-in was refused", "why", "too many tries")
	no := slotd.Errorf(slotd.RateLimited, "Too many tries.")
	no.RetryAfter = wait
	return no
}

// refused tells the log and the user's workspaces.
func (s *Service) refused(ctx context.Context, userID int64, client Client, why string) {
	s.Log.Warn("a sign-in was refused", "why", why, "user", userID)
	err := s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return s.note(ctx, tx, userID, client, "signed.in.refused", why)
	})
	if err != nil {
		s.Log.Error("could not note that a sign-in was refused", "error", err)
	}
}

// openLinks is how many links to one address may be waiting to be used: twice as many in an hour is below what is
// mailed to it.
const openLinks = 10

// SendLink mails a link to an address, if somebody has it or sign-up is open. Nobody is told which it was.
func (s *Service) SendLink(ctx context.Context, email, goesTo string, client Client) error {
	if err := s.count(client, s.Limits.Mails, NormalizeEmail(email)); err != nil {
		return err
	}
	user, err := find(ctx, s.DB.Read(), email)
	if err != nil {
		return err
	}
	if user == nil && !s.OpenSignUp {
		s.Log.Info("a sign-in link was not sent", "why", "no such user")
		return nil
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		// Who floods the address of another must not use up the 30 mails that it gets in an hour: one of these links
		// still works.
		open, err := tx.CountTicketsOf(ctx,
			sqlcgen.CountTicketsOfParams{Email: NormalizeEmail(email), Purpose: string(SignIn),
				ExpiresAt: s.Now().UnixMilli()})
		if err != nil {
			return fmt.Errorf("count the links that are open: %w", err)
		}
		if open >= openLinks {
			s.Log.Warn("a sign-in link was not sent", "why", "enough are open")
			return nil
		}
		t, err := s.issue(ctx, tx, Ticket{Purpose: SignIn, Email: NormalizeEmail(email), Detail: goesTo}, signInLives)
		if err != nil {
			return err
		}
		return s.post(ctx, tx, t)
	})
	s.wake()
	return err
}

// ByTicket signs the holder of a link in: as who the ticket says, whoever was signed in before.
func (s *Service) SignInByTicket(ctx context.Context, token, old string, client Client) (a *SignedIn, err error) {
	_, id, ok := s.Links.Verify(links.SignIn, token)
	if !ok { // only who guesses is counted: a link of ours works for whoever holds it
		if err := s.count(client, nil, ""); err != nil {
			return nil, err
		}
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if !ok {
			return errNoTicket()
		}
		t, err := s.use(ctx, tx, id, SignIn, Invite)
		if err != nil {
			return err
		}
		user, err := ensure(ctx, tx, t.Email, t.Name, s.Now())
		if err != nil {
			return err
		}
		if t.Purpose == Invite {
			if err := s.join(ctx, tx, t.WorkspaceID, user, client); err != nil {
				return err
			}
		}
		if a, err = s.arriveIn(ctx, tx, user, t.WorkspaceID, old, client); err != nil {
			return err
		}
		if t.Purpose == SignIn {
			a.GoesTo = t.Detail
		}
		a.HasWay, err = hasWay(ctx, tx, user)
		return err
	})
	if slotd.Is(err, slotd.Unauthorized) {
		s.Log.Warn("a sign-in was refused", "why", "a link that is made up, used or too old")
	}
	return a, err
}

func hasWay(ctx context.Context, tx *store.Tx, user *User) (bool, error) {
	if user.HasPassword {
		return true, nil
	}
	passkeys, err := tx.Passkeys(ctx, user.ID)
	if err != nil {
		return false, fmt.Errorf("list a user's passkeys: %w", err)
	}
	return len(passkeys) > 0, nil
}
