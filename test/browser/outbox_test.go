package browser

import (
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"slotd/test/await"
)

// receivedMail is a parsed mail.
type receivedMail struct {
	to, subject string
	parts       map[string]string // the first part of each media type, decoded
}

// mails returns all mails that the server has sent so far.
func (p *program) mails(t *testing.T) (all []*receivedMail) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(p.Data, "outbox", "*.eml"))
	must(t, err)
	for _, file := range files {
		all = append(all, readMail(t, file))
	}
	return all
}

// awaitMail waits for a mail to the address with the words in its subject.
func (p *program) awaitMail(t *testing.T, to, words string) (found *receivedMail) {
	t.Helper()
	await.True(t, "a mail to "+to+" about "+words, func() bool {
		for _, l := range p.mails(t) {
			if l.to == to && strings.Contains(l.subject, words) {
				found = l
			}
		}
		return found != nil
	})
	return found
}

// awaitNotices waits until the server has sent all mails about what has happened so far.
func (p *program) awaitNotices(t *testing.T) {
	t.Helper()
	db := p.DB(t)
	await.True(t, "all mails are sent", func() bool {
		var n int
		must(t, db.QueryRow(`SELECT COUNT(*) FROM jobs WHERE kind = 'tell'`).Scan(&n))
		return n == 0
	})
}

func readMail(t *testing.T, file string) *receivedMail {
	t.Helper()
	f, err := os.Open(file)
	must(t, err)
	defer f.Close()
	m, err := mail.ReadMessage(f)
	must(t, err)
	to, err := m.Header.AddressList("To")
	must(t, err)
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	must(t, err)
	l := &receivedMail{to: to[0].Address, subject: subject, parts: map[string]string{}}
	l.readParts(t, m.Header.Get, m.Body)
	return l
}

func (l *receivedMail) readParts(t *testing.T, header func(string) string, body io.Reader) {
	t.Helper()
	kind, parameters, err := mime.ParseMediaType(header("Content-Type"))
	must(t, err)
	if !strings.HasPrefix(kind, "multipart/") {
		if _, found := l.parts[kind]; !found {
			l.parts[kind] = decoded(t, header("Content-Transfer-Encoding"), body)
		}
		return
	}
	for parts := multipart.NewReader(body, parameters["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return
		}
		must(t, err)
		l.readParts(t, part.Header.Get, part)
	}
}

func decoded(t *testing.T, encoding string, body io.Reader) string {
	t.Helper()
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	content, err := io.ReadAll(body)
	must(t, err)
	return string(content)
}
