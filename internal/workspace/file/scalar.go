package file

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// plainShape is much narrower than YAML's own rule, which differs between block and flow style and between versions.
var plainShape = regexp.MustCompile(`^\p{L}[\p{L}\p{N}_./@'()&+ -]*$`)

// reservedWords are words that some YAML readers do not read as text.
var reservedWords = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}

// isPlain reports whether every reader takes the bare word for text.
func isPlain(s string) bool {
	return plainShape.MatchString(s) && !strings.HasSuffix(s, " ") && !slices.Contains(reservedWords, strings.ToLower(s))
}

// scalar writes a text on one line, with quotes unless it is plain. YAML's double quotes can read what strconv.Quote
// escapes, as long as the text is valid UTF-8.
func scalar(s string) string {
	if isPlain(s) {
		return s
	}
	return strconv.Quote(s)
}

// isBlock reports whether a text has several lines and is safe as a literal block.
func isBlock(s string) bool {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	return len(lines) > 1 && lines[0] != "" && lines[len(lines)-1] != "" && !slices.ContainsFunc(lines, isFragile)
}

// isFragile reports whether YAML, or an editor that trims lines, would change the line.
func isFragile(line string) bool {
	return strings.TrimSpace(line) != line ||
		strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) && r != '\t' })
}
