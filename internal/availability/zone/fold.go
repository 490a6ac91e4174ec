package zone

import (
	"strings"
	"sync"
	"unicode"
)

// fold maps different spellings of a name to the same text: "São Paulo" and "sao paulo", "New York" and
// "new-york", "St. John's" and "st johns".
func fold(name string) string {
	var b strings.Builder
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
		b.WriteString(plainLetter(r))
	}
	return b.String()
}

// isIgnored reports whether r can occur inside a word without separating it: apostrophes of all kinds, the period
// of "St.", and combining accents, which macOS often sends.
func isIgnored(r rune) bool {
	return strings.ContainsRune(".'`´‘’ʻʼʿ", r) || unicode.IsMark(r)
}

func plainLetter(r rune) string {
	if letter, ok := plainLetters()[r]; ok {
		return letter
	}
	return string(r)
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
