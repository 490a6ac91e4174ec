package page

import (
	"strings"
	"unicode"
)

// Slugify turns a name into a slug for an address.
func Slugify(name string) string {
	words := strings.FieldsFunc(foldLetters(name),
		func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	slug := strings.Join(words, "-")
	return strings.Trim(slug[:min(len(slug), 64)], "-")
}

// accented maps base letters to their accented forms in Latin-1 and Latin Extended-A. The pages' script has the same
// table.
var accented = map[string]string{
	"a": "àáâãäåāăą", "c": "çćĉċč", "d": "ďđð", "e": "èéêëēĕėęě", "g": "ĝğġģ", "h": "ĥħ", "i": "ìíîïĩīĭįı", "j": "ĵ",
	"k": "ķ", "l": "ĺļľł",
	"n": "ñńņň", "o": "òóôõöøōŏő", "r": "ŕŗř", "s": "śŝşšſ", "t": "ţťŧ", "u": "ùúûüũūŭůűų", "w": "ŵ", "y": "ýÿŷ",
	"z":  "źżž",
	"ae": "æ", "oe": "œ", "ss": "ß", "th": "þ",
}

var foldTable = func() map[rune]string {
	table := map[rune]string{}
	for plain, letters := range accented {
		for _, r := range letters {
			table[r] = plain
		}
	}
	return table
}()

// foldLetters removes accents, both from precomposed letters and as combining characters.
func foldLetters(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if plain, ok := foldTable[r]; ok {
			b.WriteString(plain)
		} else if !unicode.Is(unicode.M, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}
