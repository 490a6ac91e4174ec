// Package color does the arithmetic that keeps an owner's colour readable, by WCAG's measure of
// contrast. A colour is a string "#rrggbb"; anything else counts as Default.
package color

import (
	"fmt"
	"math"
	"strconv"
)

// Default is the accent of a workspace that names none.
const Default = "#0b7285"

// Valid reports whether s is "#rrggbb", in any case of letters.
func Valid(s string) bool {
	_, ok := parse(s)
	return ok
}

// Or is s if it is a colour, else Default.
func Or(s string) string {
	if Valid(s) {
		return s
	}
	return Default
}

// On is what is more readable on back, black or white. The better of the two always has a contrast
// above 4.5: at worst it is the square root of 21.
func On(back string) string {
	if Contrast("#000000", back) > Contrast("#ffffff", back) {
		return "#000000"
	}
	return "#ffffff"
}

// Contrast is WCAG's, from 1 for two equal colours to 21 for black and white.
func Contrast(a, b string) float64 { return contrast(rgbOf(a), rgbOf(b)) }

// Readable is c, or the least mix of it with black or white that has at least this contrast on
// back. Mixing evenly keeps the hue. Where no mix has it, black or white is the best there is.
func Readable(c, back string, least float64) string {
	from, on := rgbOf(c), rgbOf(back)
	if contrast(from, on) >= least {
		return Or(c)
	}
	for share := range whole {
		for _, end := range []rgb{{0, 0, 0}, {255, 255, 255}} {
			if m := from.mix(end, share); contrast(m, on) >= least {
				return m.String()
			}
		}
	}
	return On(back)
}

type rgb struct{ r, g, b uint8 }

// parse takes hexadecimal digits only: with an explicit base, ParseUint knows no sign and no "_".
func parse(s string) (c rgb, ok bool) {
	if len(s) != len("#rrggbb") || s[0] != '#' {
		return rgb{}, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 24)
	return rgb{uint8(n >> 16), uint8(n >> 8), uint8(n)}, err == nil
}

func rgbOf(s string) rgb {
	c, _ := parse(Or(s))
	return c
}

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

// whole is the share at which a mix is all of the other colour; a channel has no finer steps.
const whole = 255

func (c rgb) mix(other rgb, share int) rgb {
	channel := func(a, b uint8) uint8 { return uint8((int(a)*(whole-share) + int(b)*share) / whole) }
	return rgb{channel(c.r, other.r), channel(c.g, other.g), channel(c.b, other.b)}
}

func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is WCAG's relative luminance, from 0 for black to 1 for white.
func (c rgb) luminance() float64 {
	return 0.2126*linear[c.r] + 0.7152*linear[c.g] + 0.0722*linear[c.b]
}

// linear holds every channel's share of light: a page asks Readable, and that asks hundreds of times.
var linear = func() (light [256]float64) {
	for i := range light {
		c := float64(i) / 255
		if c <= 0.04045 {
			light[i] = c / 12.92
		} else {
			light[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return light
}()
