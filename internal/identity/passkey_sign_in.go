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
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// passkeyUser is a user with their passkeys. It implements webauthn.User.
type passkeyUser struct {
	User
	passkeys []webauthn.Credential
}

func (p *passkeyUser) WebAuthnID() []byte                         { return userHandle(p.ID) }
func (p *passkeyUser) WebAuthnName() string                       { return p.Email }
func (p *passkeyUser) WebAuthnCredentials() []webauthn.Credential { return p.passkeys }

func (p *passkeyUser) WebAuthnDisplayName() string {
	if p.Name == "" {
		return p.Email
	}
	return p.Name
}

func loadPasskeyUser(ctx context.Context, q *sqlcgen.Queries, userID int64) (*passkeyUser, error) {
	row, err := q.User(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("look for a user: %w", err)
	}
	user := &passkeyUser{User: *userFromRow(row)}
	rows, err := q.Passkeys(ctx, userID)
	if err != nil {
		return nil, fmt.Errorf("list the passkeys: %w", err)
	}
	user.passkeys = make([]webauthn.Credential, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal([]byte(row.Credential), &user.passkeys[i]); err != nil {
			return nil, fmt.Errorf("read a passkey: %w", err)
		}
	}
	return user, nil
}

// parseResponse parses a device's response, unless it is too long.
func parseResponse[T any](response string, parse func([]byte) (T, error)) (T, error) {
	if len(response) > maxResponse {
		var zero T
		return zero, protocol.ErrBadRequest.WithDetails(say.T("The answer is too long"))
	}
	return parse([]byte(response))
}

// refusalReason returns the reason for the log why a response was rejected. It returns "" if the error is of another
// kind.
func refusalReason(err error) string {
	var slotdErr *slotd.Error
	var protocolErr *protocol.Error
	switch {
	case errors.As(err, &slotdErr):
		return slotdErr.Error()
	case errors.As(err, &protocolErr):
		return protocolErr.Details
	}
	return ""
}

// ChallengeSignIn returns a challenge that any passkey of this site can answer. It does not reveal which passkeys
// exist.
func (s *Service) ChallengeSignIn(ctx context.Context, rp *RelyingParty, client Client) (*PasskeyChallenge, error) {
	if err := s.countAttempt(client, nil, ""); err != nil {
		return nil, err
	}
	options, challenge, err := rp.webauthn.BeginDiscoverableLogin()
	if err != nil {
		return nil, fmt.Errorf("ask for a passkey: %w", err)
	}
	return s.saveChallenge(ctx, "", challenge, options)
}

// errNoPasskey is the same error for an unknown passkey and for one that failed verification.
func errNoPasskey() error { return slotd.Because(slotd.UnknownPasskey, slotd.Facts{}) }

// errCloned means that the device's signature counter went back: there may be a copy of the device.
var errCloned = protocol.ErrBadRequest.WithDetails(say.T("a passkey's counter went back"))

// SignInByPasskey signs a user in by a device's response. oldCookie is the browser's previous session cookie.
func (s *Service) SignInByPasskey(ctx context.Context, rp *RelyingParty, ticket, response, oldCookie string,
	client Client) (*SignedIn, error) {
	if err := s.countAttempt(client, nil, ""); err != nil {
		return nil, err
	}
	signedIn, userID, err := s.signInByResponse(ctx, rp, ticket, response, oldCookie, client)
	if err == nil {
		return signedIn, nil
	}
	reason := refusalReason(err)
	if reason == "" {
		return nil, err
	}
	if userID != 0 {
		s.recordRefusal(ctx, userID, client, say.T("passkey: %s", reason))
	} else {
		s.Log.Warn("a sign-in was refused", "why", "passkey: "+reason)
	}
	return nil, errNoPasskey()
}

// signInByResponse returns the user ID as soon as it is known, even if the response is rejected.
func (s *Service) signInByResponse(ctx context.Context, rp *RelyingParty, ticket, response, oldCookie string,
	client Client) (signedIn *SignedIn, userID int64, err error) {
	challenge, err := s.takeChallenge(ctx, ticket, "")
	if err != nil {
		return nil, 0, err
	}
	parsed, err := parseResponse(response, protocol.ParseCredentialRequestResponseBytes)
	if err != nil {
		return nil, 0, err
	}
	handle := parsed.Response.UserHandle
	if len(handle) != len(userHandle(0)) {
		return nil, 0, protocol.ErrBadRequest.WithDetails(say.T("the device names nobody"))
	}
	id := int64(binary.BigEndian.Uint64(handle))
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		// Without the lock, a device and its clone could both present the same counter.
		if err := tx.LockKey(ctx, id); err != nil {
			return err
		}
		user, err := loadPasskeyUser(ctx, tx.Queries, id)
		if errors.Is(err, sql.ErrNoRows) {
			return protocol.ErrBadRequest.WithDetails(say.T("the device names nobody"))
		} else if err != nil {
			return err
		}
		userID = user.ID
		signedIn, err = s.verifyAndSignIn(ctx, tx, rp, user, challenge, parsed, oldCookie, client)
		return err
	})
	return signedIn, userID, err
}

// verifyAndSignIn checks the response against the user's passkeys and starts the session.
func (s *Service) verifyAndSignIn(ctx context.Context, tx *store.Tx, rp *RelyingParty, user *passkeyUser,
	challenge webauthn.SessionData, response *protocol.ParsedCredentialAssertionData, oldCookie string,
	client Client) (*SignedIn, error) {
	lookup := func([]byte, []byte) (webauthn.User, error) { return user, nil }
	credential, err := rp.webauthn.ValidateDiscoverableLogin(lookup, challenge, response)
	if err != nil {
		return nil, err
	}
	if credential.Authenticator.CloneWarning {
		return nil, errCloned
	}
	encoded, err := json.Marshal(credential)
	if err != nil {
		return nil, err
	}
	n, err := tx.UsePasskey(ctx, sqlcgen.UsePasskeyParams{UserID: user.ID, ID: credential.ID,
		Credential: string(encoded), LastUsedAt: s.Now().UnixMilli()})
	if err != nil {
		return nil, fmt.Errorf("count a passkey's use: %w", err)
	}
	if n == 0 {
		return nil, protocol.ErrBadRequest.WithDetails(say.T("the passkey is gone"))
	}
	return s.signInTx(ctx, tx, &user.User, 0, oldCookie, client)
}
