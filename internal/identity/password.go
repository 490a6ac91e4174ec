package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// The parameters that OWASP recommends first for argon2id. A stored hash keeps the parameters it was made with.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonThreads = 1
	argonLength  = 32
	saltLength   = 16
)

const (
	minPasswordLength = 10
	maxPasswordLength = 200
)

// CheckPassword returns the reason why a new password is not acceptable, or "". Length keeps attackers out; rules about
// letters and digits do not.
func CheckPassword(password, email string) error {
	switch {
	case !utf8.ValidString(password):
		return errors.New("must be valid UTF-8")
	case utf8.RuneCountInString(password) < minPasswordLength:
		return fmt.Errorf("must have at least %d characters; a few words in a row are easy to remember",
			minPasswordLength)
	case utf8.RuneCountInString(password) > maxPasswordLength:
		return fmt.Errorf("must have at most %d characters", maxPasswordLength)
	case strings.EqualFold(password, email) || strings.Trim(password, string([]rune(password)[0])) == "":
		return errors.New("is too easy to guess; a few words in a row are better")
	}
	return nil
}

// hashPassword returns the string that is stored for a password.
func (s *Service) hashPassword(password string) string {
	salt := make([]byte, saltLength)
	rand.Read(salt)
	key := s.deriveKey(password, salt, argonTime, argonMemory, argonThreads)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

func (s *Service) deriveKey(password string, salt []byte, time, memory uint32, threads uint8) []byte {
	s.hashSlots <- struct{}{}
	defer func() { <-s.hashSlots }()
	return s.derive([]byte(password), salt, time, memory, threads, argonLength)
}

// dummyHash is a hash that no password matches. It makes an attempt on an unknown address take the same time.
const dummyHash = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// phc is a parsed password hash in the PHC string format.
type phc struct {
	time, memory uint32
	threads      uint8
	salt, key    []byte
}

// Parameters above these limits were not written by us. Running them could exhaust the server's memory or time.
const (
	maxArgonMemory  = 64 * 1024 // KiB
	maxArgonTime    = 10
	maxArgonThreads = 4
	maxSaltLength   = 64
)

func parsePHC(stored string) (p phc, ok bool) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, false
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.time, &p.threads); err != nil || n != 3 {
		return p, false
	}
	var errs [2]error
	p.salt, errs[0] = base64.RawStdEncoding.DecodeString(parts[4])
	p.key, errs[1] = base64.RawStdEncoding.DecodeString(parts[5])
	bounded := p.memory <= maxArgonMemory && 1 <= p.time && p.time <= maxArgonTime && 1 <= p.threads &&
		p.threads <= maxArgonThreads && len(p.salt) <= maxSaltLength
	return p, errs[0] == nil && errs[1] == nil && bounded && len(p.key) == argonLength
}

// matchesPassword reports whether a password matches the stored hash. It takes the same time if nothing is stored.
func (s *Service) matchesPassword(password, stored string) bool {
	p, ok := parsePHC(stored)
	if !ok {
		p, _ = parsePHC(dummyHash)
	}
	if len(password) > 4*maxPasswordLength {
		password = "" // no user has an empty password
	}
	got := s.deriveKey(password, p.salt, p.time, p.memory, p.threads)
	return subtle.ConstantTimeCompare(got, p.key) == 1 && ok
}

// ChangePassword sets a new password after checking the current one, if the user has one.
func (s *Service) ChangePassword(ctx context.Context, session *Session, current, password string, client Client) error {
	if err := s.countAttempt(client, s.Limits.Tries, session.User.Email); err != nil {
		return err
	}
	row, err := s.DB.Read().User(ctx, session.User.ID)
	if err != nil {
		return fmt.Errorf("look for a user: %w", err)
	}
	if row.Password != "" && !s.matchesPassword(current, row.Password) {
		s.recordRefusal(ctx, row.ID, client, say.T("wrong present password"))
		return slotd.Because(slotd.WrongPassword, slotd.Facts{})
	}
	return s.SetPassword(ctx, session, password, client)
}

// RemovePassword deletes the password, which leaves passkeys and links for signing in. canMail reports whether this
// server can mail sign-in links. Without mail and without a passkey, the password cannot be removed.
func (s *Service) RemovePassword(ctx context.Context, session *Session, canMail bool, client Client) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, passkeys, err := lockSignInMethods(ctx, tx, session.User.ID)
		if err != nil {
			return err
		}
		if len(passkeys) == 0 && !canMail {
			return slotd.Because(slotd.OnlyPassword, slotd.Facts{})
		}
		return s.setPassword(ctx, tx, session, "", client)
	})
}

// SetPassword sets the password of the session's user and ends all their other sessions. An empty password removes the
// stored one.
func (s *Service) SetPassword(ctx context.Context, session *Session, password string, client Client) error {
	stored := ""
	if password != "" {
		stored = s.hashPassword(password)
	}
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return s.setPassword(ctx, tx, session, stored, client)
	})
}

func (s *Service) setPassword(ctx context.Context, tx *store.Tx, session *Session, stored string, client Client) error {
	if err := tx.SetPassword(ctx, sqlcgen.SetPasswordParams{ID: session.User.ID, Password: stored}); err != nil {
		return fmt.Errorf("keep the password: %w", err)
	}
	if _, err := tx.DeleteOtherSessions(ctx,
		sqlcgen.DeleteOtherSessionsParams{UserID: session.User.ID, ID: session.ID}); err != nil {
		return fmt.Errorf("end the other sessions: %w", err)
	}
	return s.recordUserActivity(ctx, tx, session.User.ID, client, "password.changed", "")
}
