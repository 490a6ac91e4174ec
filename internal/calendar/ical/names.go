package ical

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Limits on the length of stored text from outside. Longer parameters make the event unreadable; longer names are
// replaced by their hashes.
const (
	maxParams = 4 << 10
	maxUID    = 4 << 10
	maxTZID   = 200
)

// storedName returns a name that is only ever compared: unchanged, or as its hash if it is too long or a database
// would reject it. Replacing bad characters, as in other text, could make two names equal, and an exception of one
// series would then free time of another.
func storedName(name string, maxLen int) string {
	if len(name) <= maxLen && isStorable(name) {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

// isStorable reports whether PostgreSQL accepts the text: it rejects NUL and bytes that are not UTF-8.
func isStorable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

func toStorable(text string) string {
	if isStorable(text) {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", "?")
}
