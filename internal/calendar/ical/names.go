package ical

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// How long a stranger's words may be that are kept. Longer parameters make the event unreadable, longer names become
// hashes.
const (
	maxParams = 4 << 10
	maxUID    = 4 << 10
	maxTZID   = 200
)

// keptName is a name that is only ever compared: as it is, or its hash if it is long or no database takes it. Mended
// like other text, two names could become one, and the exception of one series would free time of another.
func keptName(name string, longest int) string {
	if len(name) <= longest && isStorable(name) {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

// isStorable: PostgreSQL refuses text with NUL or with bytes that are not UTF-8.
func isStorable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

func storable(text string) string {
	if isStorable(text) {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", "?")
}
