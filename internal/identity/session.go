package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

const (
	maxSessionIdle = 12 * time.Hour
	maxSessionAge  = 30 * 24 * time.Hour
	// FreshFor is how long after signing in an owner may change tokens, keys, calendars and members. A form that was
	// opened in this time may be submitted for the same time again.
	FreshFor             = 30 * time.Minute
	sessionTouchInterval = time.Minute
)

// Session is a signed-in browser.
type Session struct {
	ID              string
	User            User
	WorkspaceID     int64 // the workspace whose pages it shows; 0 if none
	Browser         string
	Address         string
	CreatedAt       time.Time
	AuthenticatedAt time.Time // when the user last authenticated
	UsedAt          time.Time
}

// Fresh reports whether the user authenticated within the given time before now.
func (s *Session) Fresh(now time.Time, within time.Duration) bool {
	return now.Sub(s.AuthenticatedAt) < within
}

// createSession starts a session for a user who has just authenticated. It ends the browser's previous session, so that
// a cookie planted by an attacker is worthless.
func (s *Service) createSession(ctx context.Context, tx *store.Tx, user *User, oldCookie string, workspaceID int64,
	client Client) (cookie string, err error) {
	now := s.Now()
	if oldCookie != "" {
		if _, err := tx.DeleteSessionByHash(ctx, hashCookie(oldCookie)); err != nil {
			return "", fmt.Errorf("end the session before: %w", err)
		}
	}
	err = tx.ForgetSessions(ctx, sqlcgen.ForgetSessionsParams{
		UserID: user.ID, UsedAt: now.Add(-maxSessionIdle).UnixMilli(), CreatedAt: now.Add(-maxSessionAge).UnixMilli(),
	})
	if err != nil {
		return "", fmt.Errorf("forget old sessions: %w", err)
	}
	cookie = rand.Text() + rand.Text()
	err = tx.InsertSession(ctx, sqlcgen.InsertSessionParams{
		Hash: hashCookie(cookie), ID: "ses_" + rand.Text()[:12], UserID: user.ID, WorkspaceID: workspaceID,
		Client: client.Browser, Address: client.AddressText(), CreatedAt: now.UnixMilli(), ProvedAt: now.UnixMilli(),
	})
	if err != nil {
		return "", fmt.Errorf("begin a session: %w", err)
	}
	return cookie, s.recordUserActivity(ctx, tx, user.ID, client, "signed.in", client.Browser)
}

// hashCookie returns the hash that is stored for a cookie: 256 random bits need no salt.
func hashCookie(cookie string) []byte {
	sum := sha256.Sum256([]byte(cookie))
	return sum[:]
}

// maxCookie is far more bytes than the cookies we issue.
const maxCookie = 200

// Recognize returns the session of a cookie, or nil if there is none or it has expired.
func (s *Service) Recognize(ctx context.Context, cookie string, client Client) (*Session, error) {
	if cookie == "" || len(cookie) > maxCookie {
		return nil, nil
	}
	row, err := s.DB.Read().SessionByHash(ctx, hashCookie(cookie))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("look up the session: %w", err)
	}
	session := &Session{
		ID: row.ID, User: User{ID: row.UserID, Email: row.Email, Name: row.Name, HasPassword: row.Password != ""},
		WorkspaceID: row.WorkspaceID, Browser: row.Client, Address: row.Address,
		CreatedAt: fromMillis(row.CreatedAt), AuthenticatedAt: fromMillis(row.ProvedAt), UsedAt: fromMillis(row.UsedAt),
	}
	now := s.Now()
	if now.Sub(session.UsedAt) >= maxSessionIdle || now.Sub(session.CreatedAt) >= maxSessionAge {
		return nil, nil
	}
	if now.Sub(session.UsedAt) >= sessionTouchInterval {
		s.touchSession(ctx, session, client, now)
	}
	return session, nil
}

func fromMillis(milli int64) time.Time { return time.UnixMilli(milli).UTC() }

// touchSession extends the session's idle time. A failure to record the use is not an error for the user.
func (s *Service) touchSession(ctx context.Context, session *Session, client Client, now time.Time) {
	err := s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.TouchSession(ctx, sqlcgen.TouchSessionParams{UserID: session.User.ID, ID: session.ID,
			UsedAt: now.UnixMilli(), Address: client.AddressText()})
	})
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("could not note that a session was used", "session", session.ID, "error", err)
	}
}

// Sessions lists a user's sessions that have not expired, last used first.
func (s *Service) Sessions(ctx context.Context, userID int64) ([]Session, error) {
	rows, err := s.DB.Read().Sessions(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("list the sessions: %w", err)
	}
	now := s.Now()
	var list []Session
	for _, row := range rows {
		session := Session{ID: row.ID, Browser: row.Client, Address: row.Address, CreatedAt: fromMillis(row.CreatedAt),
			AuthenticatedAt: fromMillis(row.ProvedAt), UsedAt: fromMillis(row.UsedAt)}
		if now.Sub(session.UsedAt) < maxSessionIdle && now.Sub(session.CreatedAt) < maxSessionAge {
			list = append(list, session)
		}
	}
	return list, nil
}

// EndSession ends one of the user's own sessions. It reports whether the session existed.
func (s *Service) EndSession(ctx context.Context, userID int64, id string, client Client) (found bool, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DeleteSession(ctx, sqlcgen.DeleteSessionParams{UserID: userID, ID: id})
		if found = n > 0; err != nil || !found {
			return err
		}
		return s.recordUserActivity(ctx, tx, userID, client, "session.ended", id)
	})
	return found, err
}

// EndOtherSessions ends all of the user's sessions except this one.
func (s *Service) EndOtherSessions(ctx context.Context, session *Session, client Client) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DeleteOtherSessions(ctx,
			sqlcgen.DeleteOtherSessionsParams{UserID: session.User.ID, ID: session.ID})
		if err != nil || n == 0 {
			return err
		}
		return s.recordUserActivity(ctx, tx, session.User.ID, client, "session.ended", say.T("all others"))
	})
}

// SwitchWorkspace makes the session show another workspace of its user.
func (s *Service) SwitchWorkspace(ctx context.Context, session *Session, workspaceID int64) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.ChooseWorkspace(ctx,
			sqlcgen.ChooseWorkspaceParams{UserID: session.User.ID, ID: session.ID, WorkspaceID: workspaceID})
	})
}
