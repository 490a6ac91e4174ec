package feed

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// cursor says which file was read last.
type cursor struct {
	For      string `json:"for"` // what it is about; another feed's cursor says nothing
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
	SHA256   string `json:"sha256"`
}

// parseCursor is zero for what is not a cursor of this feed: then everything is read.
func (f *Feed) parseCursor(text string) cursor {
	var c cursor
	if err := json.Unmarshal([]byte(text), &c); err != nil || c.For != f.identity() {
		return cursor{}
	}
	return c
}

func (f *Feed) cursorAfter(answer *http.Response, text string) cursor {
	c := cursor{For: f.identity(), SHA256: digest(text)}
	if !changedJustNow(answer.Header) {
		c.ETag, c.Modified = validator(answer.Header.Get("ETag")), validator(answer.Header.Get("Last-Modified"))
	}
	return c
}

// changedJustNow is true of a file that may change again without looking changed: Last-Modified counts
// seconds, and many servers make their ETag of it (RFC 9110, 8.8.2.2). Such a file is read whole next time.
func changedJustNow(h http.Header) bool {
	modified, err := http.ParseTime(h.Get("Last-Modified"))
	if err != nil {
		return false
	}
	now, err := http.ParseTime(h.Get("Date"))
	return err != nil || now.Sub(modified) < time.Minute
}

func (c cursor) isCondition() bool { return c.ETag != "" || c.Modified != "" }

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings always can
	}
	return string(text)
}

// identity changes with all that the kept copy depends on: the address, whose view of it this is, and
// whose answers to invitations were looked for.
func (f *Feed) identity() string {
	return digest(strings.Join([]string{f.address.String(), f.username, f.reader.OwnerEmail}, "\n"))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

const maxValidator = 512

// validator leaves out what would not come back as it was: JSON changes bytes that are no UTF-8, and a
// request with a control character is never sent.
func validator(header string) string {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	if len(header) > maxValidator || strings.ContainsFunc(header, odd) {
		return ""
	}
	return header
}
