package mail

import (
	"encoding/base64"
	netmail "net/mail"
	"strings"
	"time"
	"unicode/utf8"
)

// headers are the headers of a mail. Names and subject must already be single lines.
type headers struct {
	from, to, replyTo netmail.Address
	subject           string
	date              time.Time
	id                string // becomes the Message-ID at the sender's domain
	thread            string // id that all mails of this booking to this person refer to
}

func (h *headers) message(body entity) Message {
	at := "@" + domain(h.from.Address) + ">"
	out := make([]byte, 0, 1024+len(body.content))
	out = appendHeader(out, "From: ", encodeAddress(h.from))
	out = appendHeader(out, "To: ", encodeAddress(h.to))
	if isAddress(h.replyTo.Address) {
		out = appendHeader(out, "Reply-To: ", encodeAddress(h.replyTo))
	}
	out = appendHeader(out, "Subject: ", encodeText(h.subject))
	out = appendHeader(out, "Date: ", h.date.UTC().Format(time.RFC1123Z))
	out = appendHeader(out, "Message-ID: ", "<"+h.id+at)
	if h.thread != "" {
		// No mail has this id. Mail clients group all mails that refer to it into one thread, in whatever order they
		// arrive.
		out = appendHeader(out, "In-Reply-To: ", "<"+h.thread+at)
		out = appendHeader(out, "References: ", "<"+h.thread+at)
	}
	out = appendHeader(out, "Auto-Submitted: ", "auto-generated")
	out = appendHeader(out, "MIME-Version: ", "1.0")
	out = body.append(out)
	return Message{ID: h.id, From: h.from.Address, To: h.to.Address, Data: out}
}

// appendHeader takes the name with its colon and a space. It folds at spaces, so that lines stay within the 78 octets of
// RFC 5322, section 2.1.1.
func appendHeader(out []byte, name, value string) []byte {
	out = append(out, name...)
	width := len(name)
	for i, word := range strings.Split(value, " ") {
		switch {
		case i > 0 && width+1+len(word) > 78:
			out, width = append(out, "\r\n "...), 1
		case i > 0:
			out, width = append(out, ' '), width+1
		}
		out, width = append(out, word...), width+len(word)
	}
	return append(out, "\r\n"...)
}

func encodeAddress(a netmail.Address) string {
	if needsEncoding(a.Name) {
		bare := netmail.Address{Address: a.Address}
		return encodedWords(a.Name) + " " + bare.String()
	}
	return a.String()
}

func encodeText(s string) string {
	if needsEncoding(s) {
		return encodedWords(s)
	}
	return s
}

// needsEncoding reports whether s must be sent as encoded words. That includes plain text that a reader would decode,
// and words that are too long to fold.
func needsEncoding(s string) bool {
	if strings.Contains(s, "=?") || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return true
	}
	for word := range strings.SplitSeq(s, " ") {
		if len(word) > 60 {
			return true
		}
	}
	return false
}

// encodedWords encodes s as RFC 2047 requires: each encoded word contains whole runes and fits beside a header name.
// The encoded words of the standard library are too long for that, and it does not encode "=?".
func encodedWords(s string) string {
	const maxBytes = 36 // per encoded word, which is then 60 characters long
	var words []string
	for s != "" {
		end := 0
		for end < len(s) {
			_, size := utf8.DecodeRuneInString(s[end:])
			if end+size > maxBytes {
				break
			}
			end += size
		}
		words = append(words, "=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(s[:end]))+"?=")
		s = s[end:]
	}
	return strings.Join(words, " ")
}
