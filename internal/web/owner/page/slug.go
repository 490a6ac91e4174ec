package page

import (
	"strings"
	"unicode"
)

// slugOf turns a name into what can stand in an address.
func Slugify(name string) string {
	words := strings.FieldsFunc(foldLetters(name),
		func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	slug := strings.Join(words, "-")
	return strings.Trim(slug[:min(len(slug), 64)], "-")
}

// accented are the letters of Latin-1 and Latin Extended-A by what is left without accents. The pages' script knows the
// same ones.
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

// foldLetters takes accents away, be they part of their letters or characters of their own.
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
