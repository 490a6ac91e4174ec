package file

import (
	"slices"
	"strings"
)

// unknown says which name was probably meant.
func unknown(name string, known []string) (reason string) {
	if slices.Contains(known, name) {
		return ""
	}
	var near []string
	for _, k := range known {
		if isNear(name, k) {
			near = append(near, k)
		}
	}
	if len(near) > 0 {
		return "is no known field; did you mean " + strings.Join(near, " or ") + "?"
	}
	return "is no known field; the fields here are " + strings.Join(known, ", ")
}

// isNear takes misspellings, and names that lack or add a part: duration for duration_minutes.
func isNear(name, known string) bool {
	if len(name) < 3 || len(name) > 64 {
		return false
	}
	a, b := strings.ToLower(strings.ReplaceAll(name, "-", "_")), known
	return strings.HasPrefix(b, a) || strings.HasPrefix(a, b) || edits(a, b) <= len(b)/4
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
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
