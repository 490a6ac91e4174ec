package zone

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Fold maps different spellings of a name to the same text: "São Paulo" and "sao paulo", "New York" and
// "new-york", "St. John's" and "st johns".
func Fold(name string) string {
	var b strings.Builder
	b.Grow(len(name))
	gap := false
	for _, r := range name {
		r = unicode.ToLower(r)
		switch {
		case isIgnored(r):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		if letter, ok := plainLetter(r); ok {
			b.WriteString(letter)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isIgnored reports whether r can occur inside a word without separating it: apostrophes of all kinds, the period
// of "St.", and combining accents, which macOS often sends.
func isIgnored(r rune) bool {
	if 'a' <= r && r <= 'z' { // most letters of most names
		return false
	}
	return strings.ContainsRune(".'`´‘’ʻʼʿ", r) || unicode.IsMark(r)
}

// plainLetter returns false for a letter that has no accent.
func plainLetter(r rune) (letter string, ok bool) {
	if r < utf8.RuneSelf {
		return "", false
	}
	letter, ok = plainLetters()[r]
	return letter, ok
}

// plainLetters maps accented Latin letters to letters that are on every keyboard.
var plainLetters = sync.OnceValue(func() map[rune]string {
	plain := map[rune]string{'æ': "ae", 'œ': "oe", 'ß': "ss", 'þ': "th"}
	for letter, accented := range map[string]string{
		"a": "àáâãäåāăąǎạảấầẩẫậắằẳẵặ",
		"c": "çćĉċč",
		"d": "ďđðḍḏ",
		"e": "èéêëēĕėęěəẹẻẽếềểễệ",
		"g": "ĝğġģǧ",
		"h": "ĥħḥḩḫ",
		"i": "ìíîïĩīĭįıǐỉị",
		"j": "ĵ",
		"k": "ķǩḳ",
		"l": "ĺļľŀłḷ",
		"n": "ñńņňŋṅṇ",
		"o": "òóôõöøōŏőơǒọỏốồổỗộớờởỡợ",
		"r": "ŕŗřṛ",
		"s": "śŝşšșṣ",
		"t": "ţťŧțṭ",
		"u": "ùúûüũūŭůűųưǔụủứừửữự",
		"w": "ŵẁẃẅ",
		"y": "ýÿŷỳỵỷỹ",
		"z": "źżžẓ",
	} {
		for _, r := range accented {
			plain[r] = letter
		}
	}
	return plain
})
