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

// letter is a mail as its reader's program takes it apart.
type letter struct {
	header                         netmail.Header
	texts                          map[string]string // by media type
	method, uid, sequence, dtstart string            // of the invite
}

func (l *letter) says(text string) bool { return strings.Contains(l.texts["text/plain"], text) }

func read(t testing.TB, m mail.Message) *letter { return readBytes(t, m.Data) }

func readBytes(t testing.TB, data []byte) *letter {
	t.Helper()
	parsed, err := netmail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	l := &letter{header: parsed.Header, texts: map[string]string{}}
	l.open(t, parsed.Header.Get("Content-Type"), parsed.Header.Get("Content-Transfer-Encoding"), parsed.Body)
	ics := l.texts["text/calendar"]
	for field, into := range map[string]*string{"METHOD": &l.method, "UID": &l.uid, "SEQUENCE": &l.sequence,
		"DTSTART": &l.dtstart} {
		if found := regexp.MustCompile(`(?m)^` + field + `:(.*)\r$`).FindStringSubmatch(ics); found != nil {
			*into = found[1]
		}
	}
	return l
}

func (l *letter) open(t testing.TB, contentType, encoding string, body io.Reader) {
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
			l.open(t, part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part)
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
