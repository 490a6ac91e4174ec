package caldav

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

const maxResponses = 20_000

var (
	errTooMany   = errors.New("it holds more than 20,000 items: connect a calendar that leaves out old events")
	errNoAnswer  = errors.New("it sends something else than a list of calendar items")
	errBrokenOff = errors.New("its answer breaks off")
)

// response is what an answer says of one resource (RFC 4918, 14.24).
type response struct {
	Href      string `xml:"DAV: href"`
	Status    string `xml:"DAV: status"`
	PropStats []struct {
		Status string `xml:"DAV: status"`
		Prop   prop   `xml:"DAV: prop"`
	} `xml:"DAV: propstat"`
}

// status is the resource's own, 0 if each property has one.
func (r *response) status() int { return statusIn(r.Status) }

// found are the properties that the resource has.
func (r *response) found() (p prop) {
	for _, s := range r.PropStats {
		if statusIn(s.Status)/100 == 2 {
			return s.Prop
		}
	}
	return p
}

// failed reports whether the server could not say what it was asked: not the same as that there is nothing to say.
func (r *response) failed() bool {
	for _, s := range r.PropStats {
		if statusIn(s.Status) >= 500 {
			return true
		}
	}
	return r.status() >= 400 && !r.gone()
}

func (r *response) gone() bool { return r.status() == 404 || r.status() == 410 }

func statusIn(line string) int {
	words := strings.Fields(line) // HTTP/1.1 200 OK
	if len(words) < 2 {
		return 0
	}
	code, _ := strconv.Atoi(words[1])
	return code
}

// readMultistatus hands over the responses one by one, so that a long answer is never held whole.
func readMultistatus(body io.Reader, each func(*response) error) (syncToken string, err error) {
	m := &multistatusReader{Decoder: xml.NewTokenDecoder(newBounded(body)), each: each}
	for err == nil {
		err = m.next()
	}
	if err != io.EOF || !m.ended {
		return "", brokenOff(err)
	}
	if len(m.syncToken) > maxName {
		return "", errLong
	}
	return strings.TrimSpace(m.syncToken), nil
}

type multistatusReader struct {
	*xml.Decoder
	each         func(*response) error
	begun, ended bool
	count        int
	syncToken    string
}

// next goes on after the end: a body that breaks off there breaks off all the same.
func (m *multistatusReader) next() error {
	token, err := m.Token()
	if err != nil {
		return err
	}
	switch e := token.(type) {
	case xml.StartElement:
		return m.element(&e)
	case xml.EndElement:
		m.ended = true
	}
	return nil
}

func (m *multistatusReader) element(e *xml.StartElement) error {
	switch {
	case !m.begun && e.Name != xml.Name{Space: "DAV:", Local: "multistatus"}:
		return errNoAnswer
	case !m.begun:
		m.begun = true
		return nil
	case e.Name == xml.Name{Space: "DAV:", Local: "response"}:
		return m.response(e)
	case e.Name == xml.Name{Space: "DAV:", Local: "sync-token"}:
		return m.DecodeElement(&m.syncToken, e)
	}
	return m.Skip()
}

func (m *multistatusReader) response(e *xml.StartElement) error {
	if m.count++; m.count > maxResponses {
		return errTooMany
	}
	var r response
	if err := m.DecodeElement(&r, e); err != nil {
		return err
	}
	if !r.fits() {
		return errLong
	}
	return m.each(&r)
}

// brokenOff tells an answer without an end from one that is wrong.
func brokenOff(err error) error {
	var syntax *xml.SyntaxError
	if err == io.EOF || errors.As(err, &syntax) && strings.HasPrefix(syntax.Msg, "unexpected EOF") {
		return errBrokenOff
	}
	return err
}
