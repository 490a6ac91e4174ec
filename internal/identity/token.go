package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// A token is the prefix, 43 base62 characters (256 random bits) and six of a checksum over all
// that precedes, so that a mistyped one is known without a look-up, and a leaked one can be
// recognised by scanners.
const (
	tokenPrefix   = "slotd_mcp_"
	secretLength  = 43
	sumLength     = 6
	tokenLength   = len(tokenPrefix) + secretLength + sumLength
	lastShown     = 4
	base62Letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newSecret makes a token's plaintext.
func newSecret() string {
	var bits [32]byte
	rand.Read(bits[:]) // never fails: it crashes the program instead
	body := tokenPrefix + base62(new(big.Int).SetBytes(bits[:]), secretLength)
	return body + checksum(body)
}

func checksum(body string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), sumLength)
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

// WellFormed reports whether the plaintext can be a token at all.
func IsToken(plaintext string) bool {
	return len(plaintext) == tokenLength && strings.HasPrefix(plaintext, tokenPrefix) &&
		checksum(plaintext[:tokenLength-sumLength]) == plaintext[tokenLength-sumLength:]
}

// Hash is all that is kept of a token. 256 random bits need no salt and no slow hash.
func HashToken(plaintext string) [32]byte { return sha256.Sum256([]byte(plaintext)) }

// Bearer takes the token out of an Authorization header.
func BearerToken(header string) string {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
