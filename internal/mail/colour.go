package mail

import (
	"html/template"
	"math"
	"regexp"
	"strconv"
)

const defaultAccent = "#0b7285"

var accentShape = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// colours are the accent and what is readable on it. Black or white, the better of the two always
// has a contrast above 4.5: at worst it is the square root of 21.
func colours(accent string) (back, front template.CSS) {
	if !accentShape.MatchString(accent) {
		accent = defaultAccent
	}
	if onWhite, onBlack := 1.05/(luminance(accent)+0.05), (luminance(accent)+0.05)/0.05; onBlack > onWhite {
		return template.CSS(accent), "#000000"
	}
	return template.CSS(accent), "#ffffff"
}

// luminance is WCAG's relative luminance, from 0 for black to 1 for white.
func luminance(colour string) float64 {
	channel := func(from int) float64 {
		n, _ := strconv.ParseUint(colour[from:from+2], 16, 8) // the shape is checked
		c := float64(n) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(1) + 0.7152*channel(3) + 0.0722*channel(5)
}
