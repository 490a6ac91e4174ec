package worker

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"regexp"
	"strings"
	"testing"

	"slotd/internal/mail"
)

// parsedMail is a mail as a mail program parses it.
type parsedMail struct {
	header                         netmail.Header
	texts                          map[string]string // by media type
	method, uid, sequence, dtstart string            // of the invite
}

func (l *parsedMail) says(text string) bool { return strings.Contains(l.texts["text/plain"], text) }

func parseMail(t testing.TB, m mail.Message) *parsedMail { return parseMailBytes(t, m.Data) }

func parseMailBytes(t testing.TB, data []byte) *parsedMail {
	t.Helper()
	parsed, err := netmail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	l := &parsedMail{header: parsed.Header, texts: map[string]string{}}
	l.addPart(t, parsed.Header.Get("Content-Type"), parsed.Header.Get("Content-Transfer-Encoding"), parsed.Body)
	ics := l.texts["text/calendar"]
	for field, into := range map[string]*string{"METHOD": &l.method, "UID": &l.uid, "SEQUENCE": &l.sequence,
		"DTSTART": &l.dtstart} {
		if found := regexp.MustCompile(`(?m)^` + field + `:(.*)\r$`).FindStringSubmatch(ics); found != nil {
			*into = found[1]
		}
	}
	return l
}

// addPart adds the texts of a part and of all parts inside it.
func (l *parsedMail) addPart(t testing.TB, contentType, encoding string, body io.Reader) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatalf("%q: %v", contentType, err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if err == io.EOF {
				return
			} else if err != nil {
				t.Fatal(err)
			}
			l.addPart(t, part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part)
		}
	}
	switch strings.ToLower(encoding) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	l.texts[kind] = string(text)
}
