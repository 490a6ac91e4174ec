package load

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strconv"
	"strings"
)

// receivedMail is a parsed mail.
type receivedMail struct {
	from, to  string // of the envelope
	life      int    // which start of the program sent it
	messageID string
	subject   string
	header    mail.Header
	invite    invite
}

// invite is a mail's calendar invite; the zero value means none.
type invite struct {
	method, uid string
	sequence    int
}

// booking returns the id of the booking in the mail's invite.
func (r receivedMail) booking() string { return strings.TrimSuffix(r.invite.uid, "@slotd") }

func (r receivedMail) toHost() bool { return r.to == "ada@acme.example" }

func parseMail(text []byte) (r receivedMail, err error) {
	m, err := mail.ReadMessage(bytes.NewReader(text))
	if err != nil {
		return r, err
	}
	r.header, r.messageID = m.Header, m.Header.Get("Message-ID")
	if r.subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		return r, err
	}
	r.invite, err = findInvite(m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
	return r, err
}

// findInvite looks for a text/calendar part at any depth.
func findInvite(contentType, encoding string, body io.Reader) (found invite, err error) {
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		return found, err
	}
	switch {
	case kind == "text/calendar":
		return readInvite(encoding, body)
	case !strings.HasPrefix(kind, "multipart/"):
		return found, nil
	}
	for parts := multipart.NewReader(body, parameters["boundary"]); found == (invite{}); {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		} else if err != nil {
			return found, err
		}
		if found, err = findInvite(part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"),
			part); err != nil {
			return found, err
		}
	}
	return found, nil
}

func readInvite(encoding string, body io.Reader) (i invite, err error) {
	if encoding == "base64" {
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	for line := range strings.SplitSeq(string(text), "\r\n") {
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "METHOD":
			i.method = value
		case "UID":
			i.uid = value
		case "SEQUENCE":
			if i.sequence, err = strconv.Atoi(value); err != nil {
				return i, err
			}
		}
	}
	return i, err
}
