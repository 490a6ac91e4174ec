package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// A token consists of the prefix, 43 base62 characters (256 random bits) and a checksum of six characters over
// everything before it. The checksum exposes a mistyped token without a lookup and lets secret scanners recognize
// leaked tokens.
const (
	tokenPrefix    = "slotd_mcp_"
	secretLength   = 43
	checksumLength = 6
	tokenLength    = len(tokenPrefix) + secretLength + checksumLength
	shownLength    = 4
	base62Letters  = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newSecret returns the plaintext of a new token.
func newSecret() string {
	var bits [32]byte
	rand.Read(bits[:]) // never fails: it crashes the program instead
	body := tokenPrefix + base62(new(big.Int).SetBytes(bits[:]), secretLength)
	return body + checksum(body)
}

func checksum(body string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), checksumLength)
}

func base62(n *big.Int, length int) string {
	digits := make([]byte, length)
	base, digit := big.NewInt(int64(len(base62Letters))), new(big.Int)
	for i := length - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		digits[i] = base62Letters[digit.Int64()]
	}
	return string(digits)
}

// IsToken reports whether the plaintext has the format and the checksum of a token.
func IsToken(plaintext string) bool {
	return len(plaintext) == tokenLength && strings.HasPrefix(plaintext, tokenPrefix) &&
		checksum(plaintext[:tokenLength-checksumLength]) == plaintext[tokenLength-checksumLength:]
}

// HashToken returns the hash that is stored for a token. 256 random bits need no salt and no slow hash.
func HashToken(plaintext string) [32]byte { return sha256.Sum256([]byte(plaintext)) }

// BearerToken returns the token from an Authorization header, or "" if there is none.
func BearerToken(header string) string {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
