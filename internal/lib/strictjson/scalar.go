package strictjson

func (p *parser) literal(word string, kind Kind) error {
	end := p.pos + len(word)
	if end > len(p.data) || string(p.data[p.pos:end]) != word {
		return p.fail(wantValue)
	}
	p.push(kind, end)
	return nil
}

// number parses a number as in RFC 8259 section 6: no plus sign, no leading zero, digits on both sides of the point.
func (p *parser) number() error {
	first := p.pos
	if p.data[first] == '-' {
		first++
	}
	whole, err := p.digits(first)
	if err != nil {
		return err
	}
	if p.data[first] == '0' && whole > first+1 {
		return p.failAt(first, leadingZero)
	}
	end, err := p.fraction(whole)
	if err != nil {
		return err
	}
	p.push(Number, end).integer = end == whole
	return nil
}

// fraction parses what may follow the integer part: a fraction, an exponent, both or neither.
func (p *parser) fraction(i int) (end int, err error) {
	if p.at(i) == '.' {
		if i, err = p.digits(i + 1); err != nil {
			return i, err
		}
	}
	if c := p.at(i); c != 'e' && c != 'E' {
		return i, nil
	}
	i++
	if c := p.at(i); c == '+' || c == '-' {
		i++
	}
	return p.digits(i)
}

// digits skips the digits from i on. It fails if there is none.
func (p *parser) digits(i int) (end int, err error) {
	for end = i; isDigit(p.at(end)); end++ {
	}
	if end == i {
		return i, p.failAt(i, wantDigit)
	}
	return end, nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// at returns the byte at i, or 0 after the end.
func (p *parser) at(i int) byte {
	if i < len(p.data) {
		return p.data[i]
	}
	return 0
}
