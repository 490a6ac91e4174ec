package feed

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// cursor identifies the file that was read last.
type cursor struct {
	For      string `json:"for"` // Feed.identity; another feed's cursor does not count
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
	SHA256   string `json:"sha256"`
}

// parseCursor returns a zero cursor if text is not a cursor of this feed. Then everything is read.
func (f *Feed) parseCursor(text string) cursor {
	var c cursor
	if err := json.Unmarshal([]byte(text), &c); err != nil || c.For != f.identity() {
		return cursor{}
	}
	return c
}

func (f *Feed) cursorAfter(answer *http.Response, text string) cursor {
	c := cursor{For: f.identity(), SHA256: digest(text)}
	if !isRecentlyModified(answer.Header) {
		c.ETag, c.Modified = validator(answer.Header.Get("ETag")), validator(answer.Header.Get("Last-Modified"))
	}
	return c
}

// isRecentlyModified reports whether the file may change again without a visible difference: Last-Modified counts
// seconds, and many servers derive their ETag from it (RFC 9110, 8.8.2.2). Such a file is fully read the next time.
func isRecentlyModified(h http.Header) bool {
	modified, err := http.ParseTime(h.Get("Last-Modified"))
	if err != nil {
		return false
	}
	now, err := http.ParseTime(h.Get("Date"))
	return err != nil || now.Sub(modified) < time.Minute
}

func (c cursor) hasValidator() bool { return c.ETag != "" || c.Modified != "" }

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // cannot happen: all fields are strings
	}
	return string(text)
}

// identity changes with everything that the stored copy depends on: the address, the user whose view it is, and the
// owner whose answers to invitations count.
func (f *Feed) identity() string {
	return digest(strings.Join([]string{f.address.String(), f.username, f.reader.OwnerEmail}, "\n"))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

const maxValidatorLength = 512

// validator returns "" for a header that could not be sent back unchanged: JSON changes bytes that are not UTF-8, and
// the HTTP client does not send a request with control characters.
func validator(header string) string {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	if len(header) > maxValidatorLength || strings.ContainsFunc(header, odd) {
		return ""
	}
	return header
}
