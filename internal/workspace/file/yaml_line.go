package file

import (
	"bytes"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

var yamlError = regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)$`)

func syntaxReason(err error) string {
	if m := yamlError.FindStringSubmatch(err.Error()); m != nil {
		return "this is no YAML: " + m[2]
	}
	return err.Error()
}

// maxSearch bounds the search for a line, which parses the file up to seventeen times.
const maxSearch = 64 << 10

// syntaxLine finds where the parser stumbled. It tells the line of what its scanner finds; for the rest it names the
// line at which the enclosing mapping starts, counted from 0, or none. There the fewest lines that fail in the same way
// tell it.
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
	if slices.ContainsFunc(vague, func(start string) bool { return strings.HasPrefix(m[2], start) }) {
		return line + 1, false
	}
	return line, true
}

// vague are the starts of the parser's reasons that come with the line of something further up.
var vague = []string{"did not find expected", "found undefined tag", "found a tab"}

func failsLike(data []byte, want error) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := decodeOne(decoder); err != nil {
			return err.Error() == want.Error()
		}
	}
}
