package main

import (
	"fmt"
	"slices"
	"strings"
)

// known is an entry of equivalent.txt: a mutation that tests cannot notice, and why.
type known struct {
	change
	why string
}

// parseKnown reads entries that are separated by empty lines. Each has the package and the function, the line before
// and after, and the reason. Lines that start with # are comments.
func parseKnown(text string) (all []known, err error) {
	for _, entry := range strings.Split(text, "\n\n") {
		var lines []string
		for line := range strings.Lines(entry) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				lines = append(lines, line)
			}
		}
		if len(lines) == 0 {
			continue
		}
		if len(lines) < 4 || !strings.HasPrefix(lines[1], "- ") || !strings.HasPrefix(lines[2], "+ ") {
			return nil, fmt.Errorf("equivalent.txt: an entry has four parts: place, -, + and why: %q", entry)
		}
		pkg, function, _ := strings.Cut(lines[0], " ")
		all = append(all, known{change{pkg, function, lines[1][2:], lines[2][2:]}, strings.Join(lines[3:], " ")})
	}
	return all, nil
}

func isKnown(all []known, m mutation) bool {
	c := m.change()
	return slices.ContainsFunc(all, func(k known) bool { return k.change == c })
}

// unmatched returns the entries about a package that no mutation of it matches.
func unmatched(all []known, pkg string, found []mutation) (stale []known) {
	changes := map[change]bool{}
	for _, m := range found {
		changes[m.change()] = true
	}
	for _, k := range all {
		if k.pkg == pkg && !changes[k.change] {
			stale = append(stale, k)
		}
	}
	return stale
}
