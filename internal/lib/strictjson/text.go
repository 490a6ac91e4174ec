package strictjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// plain marks the bytes that need no decoding in a string. Bytes from 0x80 on are already known to be valid UTF-8.
var plain = func() (table [256]bool) {
	for c := range table {
		table[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return table
}()

// escapes maps the letter after a backslash to its meaning, or to 0 if there is none. \u is handled separately.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/',
	'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// string parses a string at its opening quote. Most strings contain no escapes and are not copied.
func (p *parser) string() error {
	lo := p.pos + 1
	end := p.plainRun(lo)
	if p.at(end) != '"' {
		return p.escapedString(end)
	}
	n := p.push(String, end+1)
	n.lo, n.hi = int32(lo), int32(end)
	return nil
}

// plainRun returns the end of the plain bytes that start at i.
func (p *parser) plainRun(i int) (end int) {
	data := p.data
	for i < len(data) && plain[data[i]] {
		i++
	}
	return i
}

// escapedString continues at the first special byte that string found, and decodes the whole string into the Doc's
// text.
func (p *parser) escapedString(i int) error {
	d, lo := p.doc, int32(len(p.doc.text))
	d.text = append(d.text, p.data[p.pos+1:i]...)
	for p.at(i) == '\\' {
		next, err := p.escape(i)
		if err != nil {
			return err
		}
		i = p.plainRun(next)
		d.text = append(d.text, p.data[next:i]...)
	}
	if p.at(i) != '"' {
		return p.failAt(i, controlChar)
	}
	n := p.push(String, i+1)
	n.lo, n.hi, n.escaped = lo, int32(len(d.text)), true
	return nil
}

// escape decodes the escape whose backslash is at i.
func (p *parser) escape(i int) (next int, err error) {
	c := p.at(i + 1)
	if c == 'u' {
		return p.unicode(i)
	}
	if escapes[c] == 0 {
		return i, p.failAt(i+1, badEscape)
	}
	p.doc.text = append(p.doc.text, escapes[c])
	return i + 2, nil
}

// unicode decodes \uXXXX at i, or two of them if the first is a high surrogate. It rejects a surrogate without its
// partner: encoding/json turns it into U+FFFD and other parsers keep it, so names that differ for one parser could be
// the same for another.
func (p *parser) unicode(i int) (next int, err error) {
	r, ok := p.hex(i)
	if !ok {
		return i, p.failAt(i, badEscape)
	}
	next = i + 6
	if utf16.IsSurrogate(r) {
		low, _ := p.hex(next)
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return i, p.failAt(i, loneSurrogate)
		}
		next += 6
	}
	p.doc.text = utf8.AppendRune(p.doc.text, r)
	return next, nil
}

// hex returns the code unit of a \uXXXX at i, if there is one.
func (p *parser) hex(i int) (r rune, ok bool) {
	if i+6 > len(p.data) || p.data[i] != '\\' || p.data[i+1] != 'u' {
		return 0, false
	}
	for _, c := range p.data[i+2 : i+6] {
		digit := hexDigit(c)
		if digit < 0 {
			return 0, false
		}
		r = r<<4 | digit
	}
	return r, true
}

func hexDigit(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}
