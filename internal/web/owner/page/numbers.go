package page

import "strconv"

// ParseNumber parses a number that somebody typed. It returns -1, which is out of every allowed range, if the text is
// not a number.
func ParseNumber(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
