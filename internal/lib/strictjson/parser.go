package strictjson

// parser reads the text once and writes the tape. It recurses once per level, so depthLeft limits its stack.
type parser struct {
	doc       *Doc
	data      []byte
	pos       int
	depthLeft int // how many more levels may be opened
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
			return p.checkNames(at)
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

// checkNames rejects an object with duplicate names.
func (p *parser) checkNames(object int) error {
	if name, found := p.doc.findDuplicate(object); found {
		return &SyntaxError{int(p.doc.tape[name].start), duplicateName}
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
	if p.depthLeft <= 0 {
		return 0, p.fail(tooDeep)
	}
	p.depthLeft--
	at = len(p.doc.tape)
	p.push(kind, p.pos+1) // close sets the actual end
	return at, nil
}

func (p *parser) close(at int, count int32) {
	p.depthLeft++
	p.pos++
	n := &p.doc.tape[at]
	n.end, n.lo, n.hi = int32(p.pos), count, int32(len(p.doc.tape))
}

// push appends a node that reaches from the current position to end, and moves to end. The caller fills in the rest of
// the node. Passing a node by value instead copied it twice, which took a quarter of the total time.
func (p *parser) push(kind Kind, end int) *node {
	p.doc.tape = append(p.doc.tape, node{})
	n := &p.doc.tape[len(p.doc.tape)-1]
	n.kind, n.start, n.end = kind, int32(p.pos), int32(end)
	p.pos = end
	return n
}

// peek skips white space and returns the next byte without consuming it. At the end it returns 0, which is not valid
// anywhere in JSON.
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
