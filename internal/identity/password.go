package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// The parameters that OWASP names first for argon2id. A stored password keeps those it was made with.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonThreads = 1
	argonLength  = 32
	saltLength   = 16
)

const (
	minPassword = 10
	maxPassword = 200
)

// CheckPassword judges a password that somebody chooses. Length is what keeps guessers out; rules about letters and
// digits do not.
func CheckPassword(password, email string) (reason string) {
	switch {
	case !utf8.ValidString(password):
		return "must be valid UTF-8"
	case utf8.RuneCountInString(password) < minPassword:
		return fmt.Sprintf("must have at least %d characters; a few words in a row are easy to remember", minPassword)
	case utf8.RuneCountInString(password) > maxPassword:
		return fmt.Sprintf("must have at most %d characters", maxPassword)
	case strings.EqualFold(password, email) || strings.Trim(password, string([]rune(password)[0])) == "":
		return "is too easy to guess; a few words in a row are better"
	}
	return ""
}

// hash is what is stored of a password.
func (s *Service) hash(password string) string {
	salt := make([]byte, saltLength)
	rand.Read(salt)
	key := s.argon(password, salt, argonTime, argonMemory, argonThreads)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

func (s *Service) argon(password string, salt []byte, time, memory uint32, threads uint8) []byte {
	s.hashing <- struct{}{}
	defer func() { <-s.hashing }()
	return s.derive([]byte(password), salt, time, memory, threads, argonLength)
}

// nobody is a password that nothing matches, so that an address nobody has costs the same time to try.
const nobody = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// phc is a stored password, taken apart.
type phc struct {
	time, memory uint32
	threads      uint8
	salt, key    []byte
}

// What is beyond these was not written by us, and running it could take the server's memory or time.
const (
	maxMemory  = 64 * 1024 // KiB
	maxTime    = 10
	maxThreads = 4
	maxSalt    = 64
)

func parsePHC(stored string) (p phc, ok bool) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, false
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.time, &p.threads); err != nil || n != 3 {
		return p, false
	}
	var bad [2]error
	p.salt, bad[0] = base64.RawStdEncoding.DecodeString(parts[4])
	p.key, bad[1] = base64.RawStdEncoding.DecodeString(parts[5])
	bounded := p.memory <= maxMemory && 1 <= p.time && p.time <= maxTime && 1 <= p.threads && p.threads <= maxThreads &&
		len(p.salt) <= maxSalt
	return p, bad[0] == nil && bad[1] == nil && bounded && len(p.key) == argonLength
}

// matches compares a password with what is stored. Whoever has none is told no after the same time.
func (s *Service) matches(password, stored string) bool {
	p, ok := parsePHC(stored)
	if !ok {
		p, _ = parsePHC(nobody)
	}
	if len(password) > 4*maxPassword {
		password = "" // which nobody has
	}
	got := s.argon(password, p.salt, p.time, p.memory, p.threads)
	return subtle.ConstantTimeCompare(got, p.key) == 1 && ok
}

// ChangePassword is SetPassword for who knows the present one, if there is one.
func (s *Service) ChangePassword(ctx context.Context, session *Session, current, password string, client Client) error {
	if err := s.count(client, s.Limits.Tries, session.User.Email); err != nil {
		return err
	}
	row, err := s.DB.Read().User(ctx, session.User.ID)
	if err != nil {
		return fmt.Errorf("look for a user: %w", err)
	}
	if row.Password != "" && !s.matches(current, row.Password) {
		s.refused(ctx, row.ID, client, "wrong present password")
		return slotd.Errorf(slotd.Unauthorized, "This is not your present password.")
	}
	return s.SetPassword(ctx, session, password, client)
}

// RemovePassword leaves passkeys and links. mailed says whether links reach people: without them, and without a
// passkey, the password stays.
func (s *Service) RemovePassword(ctx context.Context, session *Session, mailed bool, client Client) error {
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, passkeys, err := lockWays(ctx, tx, session.User.ID)
		if err != nil {
			return err
		}
		if len(passkeys) == 0 && !mailed {
			return slotd.Errorf(slotd.InvalidArgument,
				"The password is the only way you can sign in: this server sends no mail, and you have no passkey. "+
					"Add a passkey first.")
		}
		return s.setPassword(ctx, tx, session, "", client)
	})
}

// SetPassword gives the user of a session another password and signs all their other sessions out. An empty one takes
// it away.
func (s *Service) SetPassword(ctx context.Context, session *Session, password string, client Client) error {
	stored := ""
	if password != "" {
		stored = s.hash(password)
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
	return s.note(ctx, tx, session.User.ID, client, "password.changed", "")
}
