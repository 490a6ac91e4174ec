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

// scalar writes a text on one line. It uses quotes unless every reader takes the bare word for text. YAML's double
// quotes can read what strconv.Quote escapes, as long as the text is valid UTF-8.
func scalar(s string) string {
	if plainShape.MatchString(s) && !strings.HasSuffix(s, " ") && !slices.Contains(reservedWords, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

// block writes a text of several lines as a literal block if that is safe, else on one line.
func block(s, indent string) string {
	body, header := s, "|-"
	if cut, ok := strings.CutSuffix(s, "\n"); ok {
		body, header = cut, "|"
	}
	lines := strings.Split(body, "\n")
	if len(lines) < 2 || lines[0] == "" || lines[len(lines)-1] == "" || slices.ContainsFunc(lines, isFragile) {
		return scalar(s)
	}
	var b strings.Builder
	b.WriteString(header)
	for _, line := range lines {
		b.WriteString("\n")
		if line != "" {
			b.WriteString(indent + line)
		}
	}
	return b.String()
}

// isFragile reports whether YAML, or an editor that trims lines, would change the line.
func isFragile(line string) bool {
	return strings.TrimSpace(line) != line ||
		strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) && r != '\t' })
}
