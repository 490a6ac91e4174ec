package identity

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// person is a user with what their devices have said of themselves.
type person struct {
	User
	passkeys []webauthn.Credential
}

func (p *person) WebAuthnID() []byte                         { return handle(p.ID) }
func (p *person) WebAuthnName() string                       { return p.Email }
func (p *person) WebAuthnCredentials() []webauthn.Credential { return p.passkeys }

func (p *person) WebAuthnDisplayName() string {
	if p.Name == "" {
		return p.Email
	}
	return p.Name
}

func personOf(ctx context.Context, q *sqlcgen.Queries, userID int64) (*person, error) {
	row, err := q.User(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("look for a user: %w", err)
	}
	who := &person{User: *userOf(row)}
	rows, err := q.Passkeys(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("list the passkeys: %w", err)
	}
	who.passkeys = make([]webauthn.Credential, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal([]byte(row.Credential), &who.passkeys[i]); err != nil {
			return nil, fmt.Errorf("read a passkey: %w", err)
		}
	}
	return who, nil
}

// parseAnswer reads what a device says.
func parseAnswer[T any](answer string, parse func([]byte) (T, error)) (T, error) {
	if len(answer) > maxAnswer {
		var none T
		return none, protocol.ErrBadRequest.WithDetails("The answer is too long")
	}
	return parse([]byte(answer))
}

// reasonOf is why an answer is refused, for the log; empty: it is something else that went wrong.
func reasonOf(err error) string {
	var ours *slotd.Error
	var theirs *protocol.Error
	switch {
	case errors.As(err, &ours):
		return ours.Message
	case errors.As(err, &theirs):
		return theirs.Details
	}
	return ""
}

// AskWho asks any device for a passkey of this site. Nobody is told which there are.
func (s *Service) ChallengeSignIn(ctx context.Context, at *RelyingParty, client Client) (*PasskeyChallenge, error) {
	if err := s.count(client, nil, ""); err != nil {
		return nil, err
	}
	options, asked, err := at.rp.BeginDiscoverableLogin()
	if err != nil {
		return nil, fmt.Errorf("ask for a passkey: %w", err)
	}
	return s.ask(ctx, "", asked, options)
}

// errNoPasskey is the same for a passkey that nobody has and one that did not prove itself.
func errNoPasskey() error {
	return slotd.Errorf(slotd.Unauthorized,
		"This passkey does not sign anybody in here, or it took too long. Try again, or sign in in another way.")
}

// errCloned is a device that counts its answers and has gone back: somebody may have a copy of it.
var errCloned = protocol.ErrBadRequest.WithDetails("a passkey's counter went back")

// ByPasskey signs somebody in by a device's answer. old is the cookie that the browser had before.
func (s *Service) SignInByPasskey(ctx context.Context, at *RelyingParty, ticket, answer, old string,
	client Client) (*SignedIn, error) {
	if err := s.count(client, nil, ""); err != nil {
		return nil, err
	}
	a, userID, err := s.byAnswer(ctx, at, ticket, answer, old, client)
	if err == nil {
		return a, nil
	}
	why := reasonOf(err)
	if why == "" {
		return nil, err
	}
	if userID != 0 {
		s.refused(ctx, userID, client, "passkey: "+why)
	} else {
		s.Log.Warn("a sign-in was refused", "why", "passkey: "+why)
	}
	return nil, errNoPasskey()
}

// byAnswer says whose the answer is as soon as that is known, also if it is refused.
func (s *Service) byAnswer(ctx context.Context, at *RelyingParty, ticket, answer, old string,
	client Client) (a *SignedIn, userID int64, err error) {
	asked, err := s.answered(ctx, ticket, "")
	if err != nil {
		return nil, 0, err
	}
	parsed, err := parseAnswer(answer, protocol.ParseCredentialRequestResponseBytes)
	if err != nil {
		return nil, 0, err
	}
	claimed := parsed.Response.UserHandle
	if len(claimed) != len(handle(0)) {
		return nil, 0, protocol.ErrBadRequest.WithDetails("the device names nobody")
	}
	id := int64(binary.BigEndian.Uint64(claimed))
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockNumber(ctx, id); err != nil { // or a device and its copy could give the same count at once
			return err
		}
		who, err := personOf(ctx, tx.Queries, id)
		if errors.Is(err, sql.ErrNoRows) {
			return protocol.ErrBadRequest.WithDetails("the device names nobody")
		} else if err != nil {
			return err
		}
		userID = who.ID
		a, err = s.admit(ctx, tx, at, who, asked, parsed, old, client)
		return err
	})
	return a, userID, err
}

// admit checks the answer against the user's passkeys, and begins the session.
func (s *Service) admit(ctx context.Context, tx *store.Tx, at *RelyingParty, who *person, asked webauthn.SessionData,
	answer *protocol.ParsedCredentialAssertionData, old string, client Client) (*SignedIn, error) {
	mine := func([]byte, []byte) (webauthn.User, error) { return who, nil }
	used, err := at.rp.ValidateDiscoverableLogin(mine, asked, answer)
	if err != nil {
		return nil, err
	}
	if used.Authenticator.CloneWarning {
		return nil, errCloned
	}
	kept, err := json.Marshal(used)
	if err != nil {
		return nil, err
	}
	n, err := tx.UsePasskey(ctx, sqlcgen.UsePasskeyParams{UserID: who.ID, ID: used.ID, Credential: string(kept),
		LastUsedAt: s.Now().UnixMilli()})
	if err != nil {
		return nil, fmt.Errorf("count a passkey's use: %w", err)
	}
	if n == 0 {
		return nil, protocol.ErrBadRequest.WithDetails("the passkey is gone")
	}
	return s.arriveIn(ctx, tx, &who.User, 0, old, client)
}
