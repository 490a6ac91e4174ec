package file

import (
	"bytes"
	"regexp"
	"sort"
	"strconv"

	"slotd/internal/lib/say"

	"go.yaml.in/yaml/v3"
)

var yamlError = regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)$`)

func syntaxReason(err error) string {
	if m := yamlError.FindStringSubmatch(err.Error()); m != nil {
		return say.T("this is no YAML: %s", m[2])
	}
	return err.Error()
}

// maxSearch limits the search for a line, which parses the file up to seventeen times.
const maxSearch = 64 << 10

// syntaxLine returns the line of a syntax error. For errors of its scanner, the parser reports the right line. For
// others, it reports the line where the enclosing mapping starts, counted from 0, or none. In that case, syntaxLine
// searches for the smallest number of lines that fails with the same error.
func syntaxLine(data []byte, err error) int {
	line, scanned := reportedLine(err)
	if scanned || len(data) > maxSearch {
		return line
	}
	ends := newlinesOf(data)
	return 1 + sort.Search(len(ends), func(i int) bool { return failsLike(data[:ends[i]+1], err) })
}

func reportedLine(err error) (line int, scanned bool) {
	m := yamlError.FindStringSubmatch(err.Error())
	if m == nil || m[1] == "" {
		return 1, false
	}
	line, _ = strconv.Atoi(m[1])
	if inexactReason.MatchString(m[2]) {
		return line + 1, false
	}
	return line, true
}

// inexactReason matches parser errors that come with the line of something further up.
var inexactReason = regexp.MustCompile(`^(did not find expected|found undefined tag|found a tab)`)

func failsLike(data []byte, want error) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := decodeOne(decoder); err != nil {
			return err.Error() == want.Error()
		}
	}
}
