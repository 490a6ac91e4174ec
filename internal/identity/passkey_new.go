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
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// maxPasskeys of one user.
const maxPasskeys = 20

// maxAnswer is far beyond what a device sends.
const maxAnswer = 64 << 10

// Party is this site as devices know it: a passkey works on the host that it was made on and nowhere else.
type RelyingParty struct{ rp *webauthn.WebAuthn }

// NewParty fails where browsers have no passkeys: a host that is an address, or a name without a dot other than
// localhost.
//
// A passkey signs in alone, so the device must have asked for a finger, a face or a PIN each time: one that only says
// that somebody is there is what a thief has too. Devices that cannot ask are told so when the passkey is made, not at
// the next sign-in.
func NewRelyingParty(baseURL string) (*RelyingParty, error) {
	u, err := url.Parse(baseURL)
	if err != nil {
		return nil, err
	}
	always := true
	rp, err := webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: "slotd at " + u.Host, RPOrigins: []string{baseURL},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: &always, ResidentKey: protocol.ResidentKeyRequirementRequired,
			UserVerification: protocol.VerificationRequired,
		},
		// Some password managers tell more than they were asked for.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, err
	}
	return &RelyingParty{rp}, nil
}

// Question is what a browser is to ask a device. Any server takes the answer, once.
type PasskeyChallenge struct {
	Ticket  string `json:"ticket"`
	Options any    `json:"options"`
}

// AskNew asks a device of the session's user to make a passkey.
func (s *Service) ChallengeNewPasskey(ctx context.Context, at *RelyingParty, session *Session,
	client Client) (*PasskeyChallenge, error) {
	if err := s.count(client, nil, ""); err != nil {
		return nil, err
	}
	who, err := personOf(ctx, s.DB.Read(), session.User.ID)
	if err != nil {
		return nil, err
	}
	if len(who.passkeys) >= maxPasskeys {
		return nil, errEnoughPasskeys()
	}
	options, asked, err := at.rp.BeginRegistration(who,
		webauthn.WithExclusions(webauthn.Credentials(who.passkeys).CredentialDescriptors()))
	if err != nil {
		return nil, fmt.Errorf("ask for a passkey: %w", err)
	}
	return s.ask(ctx, who.Email, asked, options)
}

func errEnoughPasskeys() error {
	return slotd.Errorf(slotd.InvalidArgument,
		"You have %d passkeys, which is the most one owner can have. Remove one first.", maxPasskeys)
}

// ask keeps the question where every server finds it.
func (s *Service) ask(ctx context.Context, email string, asked *webauthn.SessionData, options any) (*PasskeyChallenge,
	error) {
	detail, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	var t Ticket
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		// Anybody may cause one of these, so they are not kept for as long as links.
		if err := tx.ForgetQuestions(ctx, s.Now().UnixMilli()); err != nil {
			return fmt.Errorf("forget old questions: %w", err)
		}
		t, err = s.issue(ctx, tx, Ticket{Purpose: Passkey, Email: email, Detail: string(detail)}, passkeyLives)
		return err
	})
	return &PasskeyChallenge{t.ID.String(), options}, err
}

// answered takes the question of a ticket, whether the answer turns out right or wrong. email is whose it must be;
// empty: it was asked of whoever wants to sign in.
func (s *Service) answered(ctx context.Context, ticket, email string) (asked webauthn.SessionData, err error) {
	id, err := uuid.Parse(ticket)
	if err != nil {
		return asked, errNoTicket()
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		t, err := s.use(ctx, tx, id, Passkey)
		if err != nil {
			return err
		}
		if t.Email != email {
			return errNoTicket()
		}
		return json.Unmarshal([]byte(t.Detail), &asked)
	})
	return asked, err
}

// AddPasskey keeps the passkey that a device has made.
func (s *Service) AddPasskey(ctx context.Context, at *RelyingParty, session *Session, ticket, answer, name string,
	client Client) error {
	if err := s.count(client, nil, ""); err != nil {
		return err
	}
	asked, err := s.answered(ctx, ticket, session.User.Email)
	if err != nil {
		return s.notAdded(err)
	}
	parsed, err := parseAnswer(answer, protocol.ParseCredentialCreationResponseBytes)
	if err != nil {
		return s.notAdded(err)
	}
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return s.add(ctx, tx, at, session, asked, parsed, name, client)
	})
	return s.notAdded(err)
}

func (s *Service) add(ctx context.Context, tx *store.Tx, at *RelyingParty, session *Session, asked webauthn.SessionData,
	answer *protocol.ParsedCredentialCreationData, name string, client Client) error {
	if _, _, err := lockWays(ctx, tx, session.User.ID); err != nil { // or two at once could both be the last one
		return err
	}
	who, err := personOf(ctx, tx.Queries, session.User.ID)
	if err != nil {
		return err
	}
	if len(who.passkeys) >= maxPasskeys {
		return errEnoughPasskeys()
	}
	made, err := at.rp.CreateCredential(who, asked, answer)
	if err != nil {
		return err
	}
	kept, err := json.Marshal(made)
	if err != nil {
		return err
	}
	n, err := tx.InsertPasskey(ctx,
		sqlcgen.InsertPasskeyParams{ID: made.ID, UserID: who.ID, Name: name, Credential: string(kept),
			CreatedAt: s.Now().UnixMilli()})
	if err != nil {
		return fmt.Errorf("keep a passkey: %w", err)
	}
	if n == 0 {
		return slotd.Errorf(slotd.InvalidArgument, "This passkey is known here already.")
	}
	return s.note(ctx, tx, who.ID, client, "passkey.added", name)
}

// notAdded puts into words why a passkey is not kept.
func (s *Service) notAdded(err error) error {
	why := reasonOf(err)
	if err == nil || why == "" {
		return err
	}
	s.Log.Warn("a passkey was not added", "why", why)
	var ours *slotd.Error
	if errors.As(err, &ours) && ours.Code == slotd.InvalidArgument {
		return err
	}
	return slotd.Errorf(slotd.InvalidArgument,
		"The passkey could not be added: the answer of your device came too late, or does not fit. Please try again.")
}

// handle is how a user's devices know the user: at random, and always eight bytes.
func handle(userID int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(userID)) }
