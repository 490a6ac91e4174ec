package file

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// plainShape is much narrower than YAML's own rule, which differs between block and flow and between versions.
var plainShape = regexp.MustCompile(`^\p{L}[\p{L}\p{N}_./@'()&+ -]*$`)

// notPlain are read as something else than text by this or that YAML reader.
var notPlain = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}

// scalar writes text on one line: as it stands if no reader can take it for something else, else in quotes. What
// strconv.Quote escapes, YAML's double quotes read back, as long as the text is valid UTF-8.
func scalar(s string) string {
	if plainShape.MatchString(s) && !strings.HasSuffix(s, " ") && !slices.Contains(notPlain, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

// block writes a text of several lines as a literal block where that is safe, else on one line.
func block(s, indent string) string {
	body, header := s, "|-"
	if cut, ok := strings.CutSuffix(s, "\n"); ok {
		body, header = cut, "|"
	}
	lines := strings.Split(body, "\n")
	if len(lines) < 2 || lines[0] == "" || lines[len(lines)-1] == "" || slices.ContainsFunc(lines, isDelicate) {
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

// isDelicate is for lines that YAML, or an editor that trims lines, would change.
func isDelicate(line string) bool {
	return strings.TrimSpace(line) != line ||
		strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) && r != '\t' })
}
