// Package identity decides who somebody is, and which workspaces are theirs: users, their passwords, passkeys and
// sessions, the links that sign them in, who owns what, and the tokens of agents. It also keeps the activity, which
// says who did what. Nothing in a request says who it comes from but the session's cookie or the token's own bytes.
package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Service is all that the owner's pages and the commands ask.
type Service struct {
	DB         *store.DB
	Links      *links.Signer
	Now        func() time.Time
	Wake       func() // is called when there is a mail to send; may be nil
	OpenSignUp bool   // whoever has an address may become an owner
	Log        *slog.Logger
	Limits     Limits

	hashing chan struct{} // bounds the memory of those who try passwords at once
	derive  func(password, salt []byte, time, memory uint32, threads uint8, length uint32) []byte
}

// Limits are what keeps guessers out.
type Limits struct {
	Clients     *limit.Limiter[netip.Addr] // tries of any kind from one address
	Tries       *limit.Limiter[try]        // of one account's password from one address
	Accounts    *limit.Limiter[string]     // of one account's password from anywhere
	Mails       *limit.Limiter[try]        // links sent to one account by one address
	Invitations *limit.Limiter[string]     // mailed by one owner
}

// try is an account and the address that somebody tries to get into it from. An owner's address is known to all guests:
// whoever uses up the tries from one place must not lock the owner out in another.
type try struct {
	account string
	client  netip.Addr
}

// A person mistypes a few times; a program tries thousands.
const (
	triesAtOnce     = 10
	tryEvery        = time.Minute
	accountAtOnce   = 100
	accountEvery    = 30 * time.Second
	clientAtOnce    = 30
	clientEvery     = 10 * time.Second
	mailsAtOnce     = 5
	mailEvery       = 5 * time.Minute
	invitesAtOnce   = 20
	invitationEvery = 5 * time.Minute
)

// NewLimits are those of one server.
func NewLimits() Limits {
	return Limits{
		Clients:     limit.NewSlow[netip.Addr](clientEvery, clientAtOnce*clientEvery),
		Tries:       limit.NewSlow[try](tryEvery, triesAtOnce*tryEvery),
		Accounts:    limit.NewSlow[string](accountEvery, accountAtOnce*accountEvery),
		Mails:       limit.NewSlow[try](mailEvery, mailsAtOnce*mailEvery),
		Invitations: limit.NewSlow[string](invitationEvery, invitesAtOnce*invitationEvery),
	}
}

// hashesAtOnce takes 19 MiB each.
const hashesAtOnce = 4

// New makes the service ready.
func New(s Service) *Service {
	s.hashing, s.derive = make(chan struct{}, hashesAtOnce), argon2.IDKey
	return &s
}

// User is a person who signs in.
type User struct {
	ID          int64
	Email       string
	Name        string
	HasPassword bool
}

// Client is the browser that a request comes from.
type Client struct {
	Address netip.Addr
	Browser string // in a few words
}

// From is the address in words; empty if it is not known.
func (c Client) From() string {
	if !c.Address.IsValid() {
		return ""
	}
	return c.Address.String()
}

func userOf(row sqlcgen.User) *User {
	return &User{ID: row.ID, Email: row.Email, Name: row.Name, HasPassword: row.Password != ""}
}

// Normal is an address as it is kept: two that differ in the case of letters are one.
func NormalizeEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// find is nil if nobody has the address.
func find(ctx context.Context, q *sqlcgen.Queries, email string) (*sqlcgen.User, error) {
	row, err := q.UserByEmail(ctx, NormalizeEmail(email))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("look for a user: %w", err)
	}
	return &row, nil
}

// ensure finds the user of an address, or makes one.
func ensure(ctx context.Context, tx *store.Tx, email, name string, now time.Time) (*User, error) {
	row, err := find(ctx, tx.Queries, email)
	if err != nil {
		return nil, err
	}
	if row != nil {
		return userOf(*row), nil
	}
	user := &User{ID: rand.Int64N(1<<62) + 1, Email: NormalizeEmail(email), Name: name}
	err = tx.InsertUser(ctx, sqlcgen.InsertUserParams{ID: user.ID, Email: user.Email, Name: name, Password: "",
		CreatedAt: now.UnixMilli()})
	if err != nil {
		return nil, fmt.Errorf("make a user: %w", err)
	}
	return user, nil
}

// Rename changes what a user is called.
func (s *Service) Rename(ctx context.Context, session *Session, name string, client Client) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.RenameUser(ctx, sqlcgen.RenameUserParams{ID: session.User.ID, Name: name}); err != nil {
			return fmt.Errorf("rename a user: %w", err)
		}
		return s.note(ctx, tx, session.User.ID, client, "account.renamed", "")
	})
}

// note tells all workspaces of a user what the user did.
func (s *Service) note(ctx context.Context, tx *store.Tx, userID int64, client Client, kind, detail string) error {
	mine, err := tx.WorkspacesOfUser(ctx, userID)
	if err != nil {
		return fmt.Errorf("list a user's workspaces: %w", err)
	}
	for _, w := range mine {
		if err := RecordActivity(ctx, tx, w.ID, UserActor(userID, client.From()), kind, detail, s.Now()); err != nil {
			return err
		}
	}
	return nil
}
