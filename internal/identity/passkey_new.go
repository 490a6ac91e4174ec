package identity

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// maxPasskeys limits the passkeys of one user.
const maxPasskeys = 20

// maxResponse is far more bytes than a device sends.
const maxResponse = 64 << 10

// RelyingParty is this site in the terms of WebAuthn. A passkey works only on the host that it was created for.
type RelyingParty struct{ webauthn *webauthn.WebAuthn }

// NewRelyingParty returns an error where browsers do not support passkeys: if the host is an IP address, or a name
// without a dot other than localhost.
//
// A passkey is enough to sign in, so the device must verify its user by a fingerprint, a face or a PIN each time. A
// mere presence check would also succeed for a thief. Devices that cannot verify the user are rejected when the passkey
// is created, not at the next sign-in.
func NewRelyingParty(baseURL string) (*RelyingParty, error) {
	u, err := url.Parse(baseURL)
	if err != nil {
		return nil, err
	}
	required := true
	rp, err := webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: say.T("slotd at %s", u.Host), RPOrigins: []string{baseURL},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: &required, ResidentKey: protocol.ResidentKeyRequirementRequired,
			UserVerification: protocol.VerificationRequired,
		},
		// Some password managers send extension outputs that were not requested.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, err
	}
	return &RelyingParty{rp}, nil
}

// PasskeyChallenge is what a browser passes to a device. Any server accepts the response, once.
type PasskeyChallenge struct {
	Ticket  string `json:"ticket"`
	Options any    `json:"options"`
}

// ChallengeNewPasskey returns a challenge for creating a passkey of the session's user.
func (s *Service) ChallengeNewPasskey(ctx context.Context, rp *RelyingParty, session *Session,
	client Client) (*PasskeyChallenge, error) {
	if err := s.countAttempt(client, nil, ""); err != nil {
		return nil, err
	}
	user, err := loadPasskeyUser(ctx, s.DB.Read(), session.User.ID)
	if err != nil {
		return nil, err
	}
	if len(user.passkeys) >= maxPasskeys {
		return nil, errTooManyPasskeys()
	}
	options, challenge, err := rp.webauthn.BeginRegistration(user,
		webauthn.WithExclusions(webauthn.Credentials(user.passkeys).CredentialDescriptors()))
	if err != nil {
		return nil, fmt.Errorf("ask for a passkey: %w", err)
	}
	return s.saveChallenge(ctx, user.Email, challenge, options)
}

func errTooManyPasskeys() error {
	return slotd.Because(slotd.TooManyPasskeys, slotd.Facts{Count: maxPasskeys})
}

// saveChallenge stores the challenge where every server can find it.
func (s *Service) saveChallenge(ctx context.Context, email string, challenge *webauthn.SessionData,
	options any) (*PasskeyChallenge, error) {
	detail, err := json.Marshal(challenge)
	if err != nil {
		return nil, err
	}
	var t Ticket
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		// Anyone can trigger these tickets, so they are deleted earlier than those of links.
		if err := tx.ForgetQuestions(ctx, s.Now().UnixMilli()); err != nil {
			return fmt.Errorf("forget old questions: %w", err)
		}
		t, err = s.issueTicket(ctx, tx, Ticket{Kind: Passkey, Email: email, Detail: string(detail)}, passkeyLifetime)
		return err
	})
	return &PasskeyChallenge{t.ID.String(), options}, err
}

// takeChallenge uses up the challenge of a ticket, whether or not the response turns out to be valid. The ticket must
// belong to email, which is empty for a challenge to sign in.
func (s *Service) takeChallenge(ctx context.Context, ticket, email string) (challenge webauthn.SessionData, err error) {
	id, err := uuid.Parse(ticket)
	if err != nil {
		return challenge, errInvalidLink()
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		t, err := s.useTicket(ctx, tx, id, Passkey)
		if err != nil {
			return err
		}
		if t.Email != email {
			return errInvalidLink()
		}
		return json.Unmarshal([]byte(t.Detail), &challenge)
	})
	return challenge, err
}

// AddPasskey stores the passkey that a device has created.
func (s *Service) AddPasskey(ctx context.Context, rp *RelyingParty, session *Session, ticket, response, name string,
	client Client) error {
	if err := s.countAttempt(client, nil, ""); err != nil {
		return err
	}
	challenge, err := s.takeChallenge(ctx, ticket, session.User.Email)
	if err != nil {
		return s.addPasskeyError(err)
	}
	parsed, err := parseResponse(response, protocol.ParseCredentialCreationResponseBytes)
	if err != nil {
		return s.addPasskeyError(err)
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return s.insertPasskey(ctx, tx, rp, session, challenge, parsed, name, client)
	})
	return s.addPasskeyError(err)
}

func (s *Service) insertPasskey(ctx context.Context, tx *store.Tx, rp *RelyingParty, session *Session,
	challenge webauthn.SessionData, response *protocol.ParsedCredentialCreationData, name string,
	client Client) error {
	// Without the lock, two concurrent requests could both add the last allowed passkey.
	if _, _, err := lockSignInMethods(ctx, tx, session.User.ID); err != nil {
		return err
	}
	user, err := loadPasskeyUser(ctx, tx.Queries, session.User.ID)
	if err != nil {
		return err
	}
	if len(user.passkeys) >= maxPasskeys {
		return errTooManyPasskeys()
	}
	credential, err := rp.webauthn.CreateCredential(user, challenge, response)
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(credential)
	if err != nil {
		return err
	}
	n, err := tx.InsertPasskey(ctx,
		sqlcgen.InsertPasskeyParams{ID: credential.ID, UserID: user.ID, Name: name, Credential: string(encoded),
			CreatedAt: s.Now().UnixMilli()})
	if err != nil {
		return fmt.Errorf("keep a passkey: %w", err)
	}
	if n == 0 {
		return slotd.Because(slotd.KnownPasskey, slotd.Facts{})
	}
	return s.recordUserActivity(ctx, tx, user.ID, client, "passkey.added", name)
}

// addPasskeyError logs why a passkey was not added and returns the error to show.
func (s *Service) addPasskeyError(err error) error {
	reason := refusalReason(err)
	if err == nil || reason == "" {
		return err
	}
	s.Log.Warn("a passkey was not added", "why", reason)
	var slotdErr *slotd.Error
	if errors.As(err, &slotdErr) && slotdErr.Code == slotd.InvalidArgument {
		return err
	}
	return slotd.Because(slotd.FailedPasskey, slotd.Facts{})
}

// userHandle returns the id by which a user's devices know the user. User IDs are random, and a handle always has eight
// bytes.
func userHandle(userID int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(userID)) }
