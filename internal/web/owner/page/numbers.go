package page

import "strconv"

// whole reads a number that somebody typed. What is none is far out of every bound.
func ParseNumber(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
