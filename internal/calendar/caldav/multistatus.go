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
	errTooMany        = errors.New("more than 20,000 items")
	errNotMultistatus = errors.New("not a list of calendar items")
	errTruncated      = errors.New("the answer breaks off")
)

// response is the part of a multistatus about one resource (RFC 4918, 14.24).
type response struct {
	Href      string `xml:"DAV: href"`
	Status    string `xml:"DAV: status"`
	PropStats []struct {
		Status string `xml:"DAV: status"`
		Prop   prop   `xml:"DAV: prop"`
	} `xml:"DAV: propstat"`
}

// status returns the resource's own status, or 0 if each property has one.
func (r *response) status() int { return parseStatus(r.Status) }

// properties returns the properties that the resource has.
func (r *response) properties() (p prop) {
	for _, s := range r.PropStats {
		if parseStatus(s.Status)/100 == 2 {
			return s.Prop
		}
	}
	return p
}

// isFailed reports whether the server failed to answer, as opposed to having nothing to report.
func (r *response) isFailed() bool {
	for _, s := range r.PropStats {
		if parseStatus(s.Status) >= 500 {
			return true
		}
	}
	return r.status() >= 400 && !r.isGone()
}

func (r *response) isGone() bool { return r.status() == 404 || r.status() == 410 }

func parseStatus(line string) int {
	words := strings.Fields(line) // HTTP/1.1 200 OK
	if len(words) < 2 {
		return 0
	}
	code, _ := strconv.Atoi(words[1])
	return code
}

// readMultistatus passes on the responses one by one, so that a long body is never in memory as a whole.
func readMultistatus(body io.Reader, each func(*response) error) (syncToken string, err error) {
	m := &multistatusReader{Decoder: xml.NewTokenDecoder(newLimitedDecoder(body)), each: each}
	for err == nil {
		err = m.next()
	}
	if err != io.EOF || !m.ended {
		return "", asTruncated(err)
	}
	if len(m.syncToken) > maxName {
		return "", errNameTooLong
	}
	return strings.TrimSpace(m.syncToken), nil
}

type multistatusReader struct {
	*xml.Decoder
	each           func(*response) error
	started, ended bool
	count          int
	syncToken      string
}

// next continues after the end element: a body that is truncated there is truncated all the same.
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
	case !m.started && e.Name != xml.Name{Space: "DAV:", Local: "multistatus"}:
		return errNotMultistatus
	case !m.started:
		m.started = true
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
		return errNameTooLong
	}
	return m.each(&r)
}

// asTruncated distinguishes a truncated response from an invalid one.
func asTruncated(err error) error {
	var syntax *xml.SyntaxError
	if err == io.EOF || errors.As(err, &syntax) && strings.HasPrefix(syntax.Msg, "unexpected EOF") {
		return errTruncated
	}
	return err
}
