package identity

import (
	"context"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// SignedIn is the result of a successful sign-in.
type SignedIn struct {
	Cookie         string
	UserID         int64
	WorkspaceID    int64  // the workspace that the session shows; 0 if the user has none
	RedirectPath   string // the page the user wanted to open; may be empty
	CanSignInAgain bool   // has a password or a passkey, so needs no link; set for sign-ins by link only
}

// errNoMatch is the same error for an unknown address, a user without a password and a wrong password.
func errNoMatch() error { return slotd.Because(slotd.WrongSignIn, slotd.Facts{}) }

// SignInByPassword signs a user in. oldCookie is the browser's previous session cookie.
func (s *Service) SignInByPassword(ctx context.Context, email, password, oldCookie string,
	client Client) (*SignedIn, error) {
	if err := s.countAttempt(client, s.Limits.Tries, NormalizeEmail(email)); err != nil {
		return nil, err
	}
	if err := s.rateLimitError(s.Limits.Accounts.Take(NormalizeEmail(email), s.Now())); err != nil {
		return nil, err
	}
	row, err := findUser(ctx, s.DB.Read(), email)
	if err != nil {
		return nil, err
	}
	stored := ""
	if row != nil {
		stored = row.Password
	}
	if !s.matchesPassword(password, stored) {
		if row != nil {
			s.recordRefusal(ctx, row.ID, client, say.T("wrong password"))
		} else {
			s.Log.Warn("a sign-in was refused", "why", "no such user")
		}
		return nil, errNoMatch()
	}
	return s.signIn(ctx, userFromRow(*row), oldCookie, client)
}

// signIn starts a session for a user who has just authenticated.
func (s *Service) signIn(ctx context.Context, user *User, oldCookie string,
	client Client) (signedIn *SignedIn, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		signedIn, err = s.signInTx(ctx, tx, user, 0, oldCookie, client)
		return err
	})
	return signedIn, err
}

// signInTx starts a session that shows the requested workspace, else the workspace of the previous session, else the
// user's first.
func (s *Service) signInTx(ctx context.Context, tx *store.Tx, user *User, workspaceID int64, oldCookie string,
	client Client) (*SignedIn, error) {
	if workspaceID == 0 && oldCookie != "" {
		if previous, err := tx.SessionByHash(ctx, hashCookie(oldCookie)); err == nil && previous.UserID == user.ID {
			workspaceID = previous.WorkspaceID
		}
	}
	workspaces, err := tx.WorkspacesOfUser(ctx, user.ID)
	if err != nil {
		return nil, fmt.Errorf("list a user's workspaces: %w", err)
	}
	shown := int64(0)
	for _, w := range workspaces {
		if shown == 0 || w.ID == workspaceID {
			shown = w.ID
		}
	}
	cookie, err := s.createSession(ctx, tx, user, oldCookie, shown, client)
	return &SignedIn{Cookie: cookie, UserID: user.ID, WorkspaceID: shown}, err
}

// countAttempt takes one attempt from the client's quota, and one from its quota for the account if account is not
// empty.
func (s *Service) countAttempt(client Client, tries *limit.Limiter[attempt], account string) error {
	address := limit.Key(client.Address)
	retryAfter := s.Limits.Clients.Take(address, s.Now())
	if retryAfter == 0 && account != "" {
		retryAfter = tries.Take(attempt{account, address}, s.Now())
	}
	return s.rateLimitError(retryAfter)
}

func (s *Service) rateLimitError(retryAfter time.Duration) error {
	if retryAfter == 0 {
		return nil
	}
	s.Log.Warn("a sign-in was refused", "why", "too many tries")
	return slotd.NewError(slotd.RateLimited, slotd.Facts{RetryAfter: retryAfter})
}

// recordRefusal writes a rejected sign-in to the log and to the activity of the user's workspaces.
func (s *Service) recordRefusal(ctx context.Context, userID int64, client Client, why string) {
	s.Log.Warn("a sign-in was refused", "why", why, "user", userID)
	err := s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return s.recordUserActivity(ctx, tx, userID, client, "signed.in.refused", why)
	})
	if err != nil {
		s.Log.Error("could not note that a sign-in was refused", "error", err)
	}
}

// maxOpenLinks limits the unused links to one address. Even twice as many in an hour stay below the number of mails
// that an address may get.
const maxOpenLinks = 10

// SendLink mails a sign-in link to an address if a user has it or if sign-up is open. The caller cannot tell whether a
// mail was sent.
func (s *Service) SendLink(ctx context.Context, email, redirectTo string, client Client) error {
	if err := s.countAttempt(client, s.Limits.Mails, NormalizeEmail(email)); err != nil {
		return err
	}
	user, err := findUser(ctx, s.DB.Read(), email)
	if err != nil {
		return err
	}
	if user == nil && !s.OpenSignUp {
		s.Log.Info("a sign-in link was not sent", "why", "no such user")
		return nil
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		// A flood of requests for somebody else's address must not use up the 30 mails that it may get in an hour. One
		// of the links already sent still works.
		open, err := tx.CountTicketsOf(ctx,
			sqlcgen.CountTicketsOfParams{Email: NormalizeEmail(email), Purpose: string(SignIn),
				ExpiresAt: s.Now().UnixMilli()})
		if err != nil {
			return fmt.Errorf("count the links that are open: %w", err)
		}
		if open >= maxOpenLinks {
			s.Log.Warn("a sign-in link was not sent", "why", "enough are open")
			return nil
		}
		t, err := s.issueTicket(ctx, tx, Ticket{Kind: SignIn, Email: NormalizeEmail(email), Detail: redirectTo},
			signInLifetime)
		if err != nil {
			return err
		}
		return s.enqueueLinkMail(ctx, tx, t)
	})
	s.wake()
	return err
}

// SignInByTicket signs in the user that the link was issued for, regardless of who was signed in before.
func (s *Service) SignInByTicket(ctx context.Context, token, oldCookie string,
	client Client) (signedIn *SignedIn, err error) {
	_, id, ok := s.Links.Verify(links.SignIn, token)
	if !ok { // count only guesses: anyone who holds one of our links may use it
		if err := s.countAttempt(client, nil, ""); err != nil {
			return nil, err
		}
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if !ok {
			return errInvalidLink()
		}
		t, err := s.useTicket(ctx, tx, id, SignIn, Invite)
		if err != nil {
			return err
		}
		user, err := findOrCreateUser(ctx, tx, t.Email, t.Name, s.Now())
		if err != nil {
			return err
		}
		if t.Kind == Invite {
			if err := s.addInvitedMember(ctx, tx, t.WorkspaceID, user, client); err != nil {
				return err
			}
		}
		if signedIn, err = s.signInTx(ctx, tx, user, t.WorkspaceID, oldCookie, client); err != nil {
			return err
		}
		if t.Kind == SignIn {
			signedIn.RedirectPath = t.Detail
		}
		signedIn.CanSignInAgain, err = hasSignInMethod(ctx, tx, user)
		return err
	})
	if slotd.Is(err, slotd.Unauthorized) {
		s.Log.Warn("a sign-in was refused", "why", "a link that is made up, used or too old")
	}
	return signedIn, err
}

func hasSignInMethod(ctx context.Context, tx *store.Tx, user *User) (bool, error) {
	if user.HasPassword {
		return true, nil
	}
	passkeys, err := tx.Passkeys(ctx, user.ID)
	if err != nil {
		return false, fmt.Errorf("list a user's passkeys: %w", err)
	}
	return len(passkeys) > 0, nil
}
