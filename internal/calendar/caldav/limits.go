package caldav

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"slices"
)

// What an answer may cost. Decoded, an element of eleven bytes takes hundreds.
const (
	maxDepth      = 32 // an honest answer has eight
	maxTokens     = 1_000
	maxAttributes = 64
	maxText       = 1 << 20 // in what an answer says of one resource: a larger item has to come by itself

	maxName = 1024 // what a database's index takes
	maxHref = 2 * maxName
)

var (
	errHostile = errors.New("it sends XML that no calendar needs")
	errLarge   = errors.New("it sends more than 1 MiB about one item")
	errLong    = errors.New("it names an item or a version by more than 1,024 characters")
)

// bounded refuses what answers do not need and attacks do: document types, with their entities, depth, and crowds.
type bounded struct {
	raw    *xml.Decoder
	source *meter
	depth  int
	tokens int // about one resource, and
	text   int // the bytes in them
}

func newBounded(body io.Reader) *bounded {
	source := &meter{Reader: bufio.NewReader(body)}
	return &bounded{raw: xml.NewDecoder(source), source: source}
}

func (b *bounded) Token() (xml.Token, error) {
	b.source.left = maxText
	token, err := b.raw.RawToken()
	if err != nil {
		return nil, err
	}
	b.tokens++
	switch t := token.(type) {
	case xml.Directive:
		return nil, errHostile
	case xml.StartElement:
		err = b.start(t)
	case xml.EndElement:
		b.depth--
	case xml.CharData:
		b.text += len(t)
	}
	switch {
	case err != nil:
		return nil, err
	case b.depth > 1 && b.tokens > maxTokens:
		return nil, errHostile
	case b.depth > 1 && b.text > maxText:
		return nil, errLarge
	}
	return token, nil
}

func (b *bounded) start(e xml.StartElement) error {
	if b.depth++; b.depth > maxDepth || len(e.Attr) > maxAttributes {
		return errHostile
	}
	if b.depth == 2 {
		b.tokens, b.text = 0, 0
	}
	return nil
}

// meter ends a token before the decoder has gathered all of it.
type meter struct {
	*bufio.Reader
	left int
}

func (m *meter) ReadByte() (byte, error) {
	if m.left--; m.left < 0 {
		return 0, errLarge
	}
	return m.Reader.ReadByte()
}

// fits reports whether all that is kept, or sent back, has a length for that. The decoder has seen to it that it is
// text.
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
