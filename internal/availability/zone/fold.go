package zone

import (
	"strings"
	"sync"
	"unicode"
)

// fold makes names equal that people take for the same: "São Paulo" and "sao paulo", "New York" and
// "new-york", "St. John's" and "st johns".
func fold(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range name {
		r = unicode.ToLower(r)
		switch {
		case isSilent(r):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteString(plain(r))
	}
	return b.String()
}

// isSilent holds for what stands inside a word without parting it: apostrophes of every kind, the
// full stop of "St.", and accents that come as characters of their own, as macOS likes to send them.
func isSilent(r rune) bool {
	return strings.ContainsRune(".'`´‘’ʻʼʿ", r) || unicode.IsMark(r)
}

func plain(r rune) string {
	if letter, ok := plainLetters()[r]; ok {
		return letter
	}
	return string(r)
}

// plainLetters leads from the accented letters of the Latin script to those on every keyboard.
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
