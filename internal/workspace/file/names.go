package file

import (
	"slices"
	"strings"

	"slotd/internal/lib/say"
)

// checkFieldName returns "" for a known name. For others, the reason suggests the name that was probably meant.
func checkFieldName(name string, known []string) (reason string) {
	if slices.Contains(known, name) {
		return ""
	}
	var similar []string
	for _, k := range known {
		if isSimilar(name, k) {
			similar = append(similar, k)
		}
	}
	if len(similar) > 0 {
		return say.T("is no known field; did you mean %s?", strings.Join(similar, say.T(" or ")))
	}
	return say.T("is no known field; the fields here are %s", strings.Join(known, ", "))
}

// isSimilar accepts misspellings, and names with a missing or an extra part, such as duration for duration_minutes.
func isSimilar(name, known string) bool {
	if len(name) < 3 || len(name) > 64 {
		return false
	}
	a, b := strings.ToLower(strings.ReplaceAll(name, "-", "_")), known
	return strings.HasPrefix(b, a) || strings.HasPrefix(a, b) || editDistance(a, b) <= len(b)/4
}

// editDistance returns the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
