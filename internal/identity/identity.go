// Package identity authenticates people and agents and decides which workspaces they own. It manages users, passwords,
// passkeys, sessions, sign-in links, workspace membership and the access tokens of agents. It also keeps the activity
// log, which records who did what. Only the session cookie or the token itself identifies the sender of a request;
// nothing else in the request is trusted.
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

	"slotd"

	"golang.org/x/crypto/argon2"

	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Service implements sign-in, sessions and membership for the owner's pages and the commands.
type Service struct {
	DB         *store.DB
	Links      *links.Signer
	Now        func() time.Time
	Wake       func() // called when there is a mail to send; may be nil
	OpenSignUp bool   // anyone with an e-mail address may become an owner
	Log        *slog.Logger
	Limits     Limits

	hashSlots chan struct{} // bounds the memory used by concurrent password checks
	derive    func(password, salt []byte, time, memory uint32, threads uint8, length uint32) []byte
}

// Limits are the rate limits against guessing and mail floods.
type Limits struct {
	Clients     *limit.Limiter[netip.Addr] // attempts of any kind from one address
	Tries       *limit.Limiter[attempt]    // attempts on one account's password from one address
	Accounts    *limit.Limiter[string]     // attempts on one account's password from any address
	Mails       *limit.Limiter[attempt]    // links sent to one account at the request of one address
	Invitations *limit.Limiter[string]     // invitations mailed by one owner
}

// attempt is the key of a rate limit: an account and the network address that tries to sign in to it. Every guest knows
// the owner's e-mail address, so a client that uses up its attempts must not lock the owner out elsewhere.
type attempt struct {
	account string
	client  netip.Addr
}

// A person mistypes a few times; a program tries thousands of passwords.
const (
	tryBurst           = 10
	tryInterval        = time.Minute
	accountBurst       = 100
	accountInterval    = 30 * time.Second
	clientBurst        = 30
	clientInterval     = 10 * time.Second
	mailBurst          = 5
	mailInterval       = 5 * time.Minute
	invitationBurst    = 20
	invitationInterval = 5 * time.Minute
)

// NewLimits returns the rate limits of one server.
func NewLimits() Limits {
	return Limits{
		Clients:     limit.NewWithInterval[netip.Addr](clientInterval, clientBurst*clientInterval),
		Tries:       limit.NewWithInterval[attempt](tryInterval, tryBurst*tryInterval),
		Accounts:    limit.NewWithInterval[string](accountInterval, accountBurst*accountInterval),
		Mails:       limit.NewWithInterval[attempt](mailInterval, mailBurst*mailInterval),
		Invitations: limit.NewWithInterval[string](invitationInterval, invitationBurst*invitationInterval),
	}
}

// maxConcurrentHashes limits the password hashes computed at the same time. Each needs 19 MiB.
const maxConcurrentHashes = 4

// New returns a service that is ready for use.
func New(s Service) *Service {
	s.hashSlots, s.derive = make(chan struct{}, maxConcurrentHashes), argon2.IDKey
	return &s
}

// User is a person who can sign in.
type User struct {
	ID          int64
	Email       string
	Name        string
	HasPassword bool
}

// Client is the browser that sent a request.
type Client struct {
	Address netip.Addr
	Browser string // a short description, such as "Firefox on Linux"
}

// AddressText returns the client's address as text, or "" if it is unknown.
func (c Client) AddressText() string {
	if !c.Address.IsValid() {
		return ""
	}
	return c.Address.String()
}

func userFromRow(row sqlcgen.User) *User {
	return &User{ID: row.ID, Email: row.Email, Name: row.Name, HasPassword: row.Password != ""}
}

// NormalizeEmail returns the form in which an address is stored. Addresses that differ only in case are the same
// address.
func NormalizeEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// findUser returns nil if no user has the address.
func findUser(ctx context.Context, q *sqlcgen.Queries, email string) (*sqlcgen.User, error) {
	row, err := q.UserByEmail(ctx, NormalizeEmail(email))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("look for a user: %w", err)
	}
	return &row, nil
}

// findOrCreateUser returns the user with the given address and creates one if there is none.
func findOrCreateUser(ctx context.Context, tx *store.Tx, email, name string, now time.Time) (*User, error) {
	row, err := findUser(ctx, tx.Queries, email)
	if err != nil {
		return nil, err
	}
	if row != nil {
		return userFromRow(*row), nil
	}
	user := &User{ID: rand.Int64N(1<<62) + 1, Email: NormalizeEmail(email), Name: name}
	err = tx.InsertUser(ctx, sqlcgen.InsertUserParams{ID: user.ID, Email: user.Email, Name: name, Password: "",
		CreatedAt: now.UnixMilli()})
	if err != nil {
		return nil, fmt.Errorf("make a user: %w", err)
	}
	return user, nil
}

// Rename changes a user's display name.
func (s *Service) Rename(ctx context.Context, session *Session, name string, client Client) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.RenameUser(ctx, sqlcgen.RenameUserParams{ID: session.User.ID, Name: name}); err != nil {
			return fmt.Errorf("rename a user: %w", err)
		}
		return s.recordUserActivity(ctx, tx, session.User.ID, client, "account.renamed", "")
	})
}

// recordUserActivity records an action of the user in the activity log of each of their workspaces.
func (s *Service) recordUserActivity(ctx context.Context, tx *store.Tx, userID int64, client Client,
	kind, detail string) error {
	workspaces, err := tx.WorkspacesOfUser(ctx, userID)
	if err != nil {
		return fmt.Errorf("list a user's workspaces: %w", err)
	}
	for _, w := range workspaces {
		if err := RecordActivity(ctx, tx, w.ID, slotd.NewUserActor(userID, client.AddressText()), kind, detail,
			s.Now()); err != nil {
			return err
		}
	}
	return nil
}
