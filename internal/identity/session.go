package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

const (
	idleFor  = 12 * time.Hour
	livesFor = 30 * 24 * time.Hour
	// FreshFor is how long after signing in tokens, keys, calendars and members may be touched. A form that was opened
	// in time may still be sent for as long again.
	FreshFor   = 30 * time.Minute
	touchEvery = time.Minute
)

// Session is a browser that somebody has signed in with.
type Session struct {
	ID          string
	User        User
	WorkspaceID int64 // the one whose pages it shows; 0: none yet
	Browser     string
	Address     string
	CreatedAt   time.Time
	ProvedAt    time.Time // when its owner last said who they are
	UsedAt      time.Time
}

// Fresh reports whether the owner has said who they are a short time ago.
func (s *Session) Fresh(now time.Time, within time.Duration) bool {
	return now.Sub(s.ProvedAt) < within
}

// begin starts a session for somebody who has just said who they are. What the browser had before ends: a cookie that
// somebody planted there is worth nothing.
func (s *Service) begin(ctx context.Context, tx *store.Tx, user *User, old string, workspaceID int64,
	client Client) (cookie string, err error) {
	now := s.Now()
	if old != "" {
		if _, err := tx.DeleteSessionByHash(ctx, hashOf(old)); err != nil {
			return "", fmt.Errorf("end the session before: %w", err)
		}
	}
	err = tx.ForgetSessions(ctx, sqlcgen.ForgetSessionsParams{
		UserID: user.ID, UsedAt: now.Add(-idleFor).UnixMilli(), CreatedAt: now.Add(-livesFor).UnixMilli(),
	})
	if err != nil {
		return "", fmt.Errorf("forget old sessions: %w", err)
	}
	cookie = rand.Text() + rand.Text()
	err = tx.InsertSession(ctx, sqlcgen.InsertSessionParams{
		Hash: hashOf(cookie), ID: "ses_" + rand.Text()[:12], UserID: user.ID, WorkspaceID: workspaceID,
		Client: client.Browser, Address: client.From(), CreatedAt: now.UnixMilli(), ProvedAt: now.UnixMilli(),
	})
	if err != nil {
		return "", fmt.Errorf("begin a session: %w", err)
	}
	return cookie, s.note(ctx, tx, user.ID, client, "signed.in", client.Browser)
}

// hashOf is all that is kept of a cookie: 256 random bits need no salt.
func hashOf(cookie string) []byte {
	sum := sha256.Sum256([]byte(cookie))
	return sum[:]
}

// maxCookie is far beyond what we give out.
const maxCookie = 200

// Recognise finds the session of a cookie; nil if there is none, or if it is over.
func (s *Service) Recognize(ctx context.Context, cookie string, client Client) (*Session, error) {
	if cookie == "" || len(cookie) > maxCookie {
		return nil, nil
	}
	row, err := s.DB.Read().SessionByHash(ctx, hashOf(cookie))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("look up the session: %w", err)
	}
	session := &Session{
		ID: row.ID, User: User{ID: row.UserID, Email: row.Email, Name: row.Name, HasPassword: row.Password != ""},
		WorkspaceID: row.WorkspaceID,
		Browser:     row.Client, Address: row.Address, CreatedAt: timeOf(row.CreatedAt), ProvedAt: timeOf(row.ProvedAt),
		UsedAt: timeOf(row.UsedAt),
	}
	now := s.Now()
	if now.Sub(session.UsedAt) >= idleFor || now.Sub(session.CreatedAt) >= livesFor {
		return nil, nil
	}
	if now.Sub(session.UsedAt) >= touchEvery {
		s.touch(ctx, session, client, now)
	}
	return session, nil
}

func timeOf(milli int64) time.Time { return time.UnixMilli(milli).UTC() }

// touch keeps the session alive. Not being able to note it refuses nobody.
func (s *Service) touch(ctx context.Context, session *Session, client Client, now time.Time) {
	err := s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.TouchSession(ctx, sqlcgen.TouchSessionParams{UserID: session.User.ID, ID: session.ID,
			UsedAt: now.UnixMilli(), Address: client.From()})
	})
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("could not note that a session was used", "session", session.ID, "error", err)
	}
}

// Sessions lists those of a user that are not over, the last used first.
func (s *Service) Sessions(ctx context.Context, userID int64) ([]Session, error) {
	rows, err := s.DB.Read().Sessions(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("list the sessions: %w", err)
	}
	now := s.Now()
	var list []Session
	for _, row := range rows {
		one := Session{ID: row.ID, Browser: row.Client, Address: row.Address, CreatedAt: timeOf(row.CreatedAt),
			ProvedAt: timeOf(row.ProvedAt), UsedAt: timeOf(row.UsedAt)}
		if now.Sub(one.UsedAt) < idleFor && now.Sub(one.CreatedAt) < livesFor {
			list = append(list, one)
		}
	}
	return list, nil
}

// End ends one of a user's own sessions.
func (s *Service) EndSession(ctx context.Context, userID int64, id string, client Client) (found bool, err error) {
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DeleteSession(ctx, sqlcgen.DeleteSessionParams{UserID: userID, ID: id})
		if found = n > 0; err != nil || !found {
			return err
		}
		return s.note(ctx, tx, userID, client, "session.ended", id)
	})
	return found, err
}

// EndOthers ends all of a user's sessions but this one.
func (s *Service) EndOtherSessions(ctx context.Context, session *Session, client Client) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.DeleteOtherSessions(ctx,
			sqlcgen.DeleteOtherSessionsParams{UserID: session.User.ID, ID: session.ID})
		if err != nil || n == 0 {
			return err
		}
		return s.note(ctx, tx, session.User.ID, client, "session.ended", "all others")
	})
}

// Choose has the session show another workspace of its user's.
func (s *Service) SwitchWorkspace(ctx context.Context, session *Session, workspaceID int64) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.ChooseWorkspace(ctx,
			sqlcgen.ChooseWorkspaceParams{UserID: session.User.ID, ID: session.ID, WorkspaceID: workspaceID})
	})
}
