package caldav

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"slices"
)

// Limits on what a response may cost. When decoded, an element of eleven bytes takes hundreds.
const (
	maxDepth      = 32 // a normal response has eight
	maxTokens     = 1_000
	maxAttributes = 64
	maxText       = 1 << 20 // in the part about one resource: a larger item must be fetched separately

	maxName = 1024 // fits into a database index
	maxHref = 2 * maxName
)

var (
	errBadXML      = errors.New("XML that no calendar needs")
	errTooLarge    = errors.New("more than 1 MiB about one item")
	errNameTooLong = errors.New("a name or version of more than 1,024 characters")
)

// limitedDecoder rejects what only attacks contain: document types with their entities, deep nesting, and huge
// numbers of tokens.
type limitedDecoder struct {
	raw    *xml.Decoder
	source *meter
	depth  int
	tokens int // in the current response element
	text   int // bytes of text in it
}

func newLimitedDecoder(body io.Reader) *limitedDecoder {
	source := &meter{Reader: bufio.NewReader(body)}
	return &limitedDecoder{raw: xml.NewDecoder(source), source: source}
}

func (b *limitedDecoder) Token() (xml.Token, error) {
	b.source.remaining = maxText
	token, err := b.raw.RawToken()
	if err != nil {
		return nil, err
	}
	b.tokens++
	switch t := token.(type) {
	case xml.Directive:
		return nil, errBadXML
	case xml.StartElement:
		err = b.startElement(t)
	case xml.EndElement:
		b.depth--
	case xml.CharData:
		b.text += len(t)
	}
	switch {
	case err != nil:
		return nil, err
	case b.depth > 1 && b.tokens > maxTokens:
		return nil, errBadXML
	case b.depth > 1 && b.text > maxText:
		return nil, errTooLarge
	}
	return token, nil
}

func (b *limitedDecoder) startElement(e xml.StartElement) error {
	if b.depth++; b.depth > maxDepth || len(e.Attr) > maxAttributes {
		return errBadXML
	}
	if b.depth == 2 {
		b.tokens, b.text = 0, 0
	}
	return nil
}

// meter stops a token before the decoder has buffered all of it.
type meter struct {
	*bufio.Reader
	remaining int
}

func (m *meter) ReadByte() (byte, error) {
	if m.remaining--; m.remaining < 0 {
		return 0, errTooLarge
	}
	return m.Reader.ReadByte()
}

// fits reports whether everything that is stored or sent back is short enough. The decoder has already checked that
// it is valid text.
func (r *response) fits() bool {
	ok := len(r.Href) <= maxHref
	for _, s := range r.PropStats {
		for _, name := range []string{s.Prop.ETag, s.Prop.SyncToken, s.Prop.CTag} {
			ok = ok && len(name) <= maxName
		}
		for _, href := range slices.Concat(s.Prop.Homes, s.Prop.Principal) {
			ok = ok && len(href) <= maxHref
		}
	}
	return ok
}
