package owners

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

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

// CheckPassword judges a password that somebody chooses. Length is what keeps guessers out; rules about letters and digits do not.
func CheckPassword(password, email string) (reason string) {
	switch {
	case !utf8.ValidString(password):
		return "must be valid UTF-8"
	case utf8.RuneCountInString(password) < minPassword:
		return fmt.Sprintf("must have at least %d characters; a few words in a row are easy to remember", minPassword)
	case utf8.RuneCountInString(password) > maxPassword:
		return fmt.Sprintf("must have at most %d characters", maxPassword)
	case strings.EqualFold(password, email) || strings.Count(password, password[:1]) == len(password):
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
	return argon2.IDKey([]byte(password), salt, time, memory, threads, argonLength)
}

// nobody is a password that nothing matches, so that an address nobody has costs the same time to try.
const nobody = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// matches compares a password with what is stored. Whoever has none is told no after the same time.
func (s *Service) matches(password, stored string) bool {
	real := stored != ""
	if !real {
		stored = nobody
	}
	var version int
	var memory, time uint32
	var threads uint8
	parts := strings.Split(stored, "$")
	if len(parts) != 6 {
		return false
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &time, &threads); err != nil || version != argon2.Version {
		return false
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	want, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil || len(want) != argonLength || len(password) > 4*maxPassword {
		return false
	}
	got := s.argon(password, salt, time, memory, threads)
	return subtle.ConstantTimeCompare(got, want) == 1 && real
}

// SetPassword gives the user of a session another password and signs all their other sessions out. An empty one takes it away.
func (s *Service) SetPassword(ctx context.Context, session *Session, password string, client Client) error {
	stored := ""
	if password != "" {
		stored = s.hash(password)
	}
	return s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.SetPassword(ctx, sqlcgen.SetPasswordParams{ID: session.User.ID, Password: stored}); err != nil {
			return fmt.Errorf("keep the password: %w", err)
		}
		if _, err := tx.DeleteOtherSessions(ctx, sqlcgen.DeleteOtherSessionsParams{UserID: session.User.ID, ID: session.ID}); err != nil {
			return fmt.Errorf("end the other sessions: %w", err)
		}
		return s.note(ctx, tx, session.User.ID, client, "password.changed", "")
	})
}
