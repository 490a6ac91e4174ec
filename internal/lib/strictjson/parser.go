package strictjson

// parser walks the text once and writes the tape. It recurses once a level, so room bounds its stack.
type parser struct {
	doc  *Doc
	data []byte
	pos  int
	room int // how many more levels may open
}

func (p *parser) document() error {
	if err := p.value(); err != nil {
		return err
	}
	p.peek()
	if p.pos < len(p.data) {
		return p.fail(trailing)
	}
	return nil
}

func (p *parser) value() error {
	switch c := p.peek(); c {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		return p.string()
	case 't':
		return p.literal("true", Bool)
	case 'f':
		return p.literal("false", Bool)
	case 'n':
		return p.literal("null", Null)
	default:
		if c == '-' || isDigit(c) {
			return p.number()
		}
		return p.fail(wantValue)
	}
}

func (p *parser) object() error {
	at, err := p.open(Object)
	if err != nil {
		return err
	}
	if p.peek() == '}' {
		p.close(at, 0)
		return nil
	}
	for count := int32(1); ; count++ {
		if err := p.member(); err != nil {
			return err
		}
		switch p.peek() {
		case ',':
			p.pos++
		case '}':
			p.close(at, count)
			return p.distinct(at)
		default:
			return p.fail(wantComma)
		}
	}
}

func (p *parser) member() error {
	if p.peek() != '"' {
		return p.fail(wantName)
	}
	if err := p.string(); err != nil {
		return err
	}
	if p.peek() != ':' {
		return p.fail(wantColon)
	}
	p.pos++
	return p.value()
}

func (p *parser) distinct(object int) error {
	if name, twice := p.doc.repeated(object); twice {
		return &SyntaxError{int(p.doc.tape[name].start), nameTwice}
	}
	return nil
}

func (p *parser) array() error {
	at, err := p.open(Array)
	if err != nil {
		return err
	}
	if p.peek() == ']' {
		p.close(at, 0)
		return nil
	}
	for count := int32(1); ; count++ {
		if err := p.value(); err != nil {
			return err
		}
		switch p.peek() {
		case ',':
			p.pos++
		case ']':
			p.close(at, count)
			return nil
		default:
			return p.fail(wantComma)
		}
	}
}

func (p *parser) open(kind Kind) (at int, err error) {
	if p.room <= 0 {
		return 0, p.fail(tooDeep)
	}
	p.room--
	at = len(p.doc.tape)
	p.push(kind, p.pos+1) // close sets the true end
	return at, nil
}

func (p *parser) close(at int, count int32) {
	p.room++
	p.pos++
	n := &p.doc.tape[at]
	n.end, n.lo, n.hi = int32(p.pos), count, int32(len(p.doc.tape))
}

// push writes a node that reaches from here to end, moves there and leaves the rest of the node to the caller. A node
// passed by value instead was copied twice: a quarter of all the time.
func (p *parser) push(kind Kind, end int) *node {
	p.doc.tape = append(p.doc.tape, node{})
	n := &p.doc.tape[len(p.doc.tape)-1]
	n.kind, n.start, n.end = kind, int32(p.pos), int32(end)
	p.pos = end
	return n
}

// peek skips white space and returns the byte behind it. At the end it returns 0, which is valid nowhere in JSON
// either.
func (p *parser) peek() byte {
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; c {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return c
		}
	}
	return 0
}

func (p *parser) fail(reason string) error { return p.failAt(p.pos, reason) }

func (p *parser) failAt(i int, reason string) error {
	if i >= len(p.data) {
		return &SyntaxError{len(p.data), endsEarly}
	}
	return &SyntaxError{i, reason}
}
