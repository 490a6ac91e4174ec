// Package color does the arithmetic that keeps an owner's color readable, based on WCAG's contrast ratio. A color is a
// string "#rrggbb"; anything else counts as Default.
package color

import (
	"fmt"
	"math"
	"strconv"
)

// Default is the accent of a workspace that does not set one.
const Default = "#0b7285"

// Valid reports whether s is "#rrggbb", in upper or lower case.
func Valid(s string) bool {
	_, ok := parse(s)
	return ok
}

// OrDefault returns s if it is a color, and Default otherwise.
func OrDefault(s string) string {
	if Valid(s) {
		return s
	}
	return Default
}

// TextOn returns black or white, whichever is more readable on the background. The better of the two always has a
// contrast above 4.5: in the worst case it is the square root of 21.
func TextOn(background string) string {
	if Contrast("#000000", background) > Contrast("#ffffff", background) {
		return "#000000"
	}
	return "#ffffff"
}

// Contrast returns WCAG's contrast ratio, from 1 for two equal colors to 21 for black and white.
func Contrast(a, b string) float64 { return contrast(rgbOf(a), rgbOf(b)) }

// Readable returns c if it has at least the given contrast on the background. Otherwise it returns the closest mix of c
// with black or white that does; mixing all channels evenly keeps the hue. If no mix does, it returns the better of
// black and white.
func Readable(c, background string, minContrast float64) string {
	from, on := rgbOf(c), rgbOf(background)
	if contrast(from, on) >= minContrast {
		return OrDefault(c)
	}
	for share := range maxShare {
		for _, target := range []rgb{{0, 0, 0}, {255, 255, 255}} {
			if m := from.mix(target, share); contrast(m, on) >= minContrast {
				return m.String()
			}
		}
	}
	return TextOn(background)
}

type rgb struct{ r, g, b uint8 }

// parse accepts only hexadecimal digits: with an explicit base, ParseUint accepts neither a sign nor "_".
func parse(s string) (c rgb, ok bool) {
	if len(s) != len("#rrggbb") || s[0] != '#' {
		return rgb{}, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 24)
	return rgb{uint8(n >> 16), uint8(n >> 8), uint8(n)}, err == nil
}

func rgbOf(s string) rgb {
	c, _ := parse(OrDefault(s))
	return c
}

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

// maxShare is the share at which a mix is entirely the other color. It equals the number of steps of a channel.
const maxShare = 255

// mix returns c mixed with share/maxShare of the other color.
func (c rgb) mix(other rgb, share int) rgb {
	channel := func(a, b uint8) uint8 { return uint8((int(a)*(maxShare-share) + int(b)*share) / maxShare) }
	return rgb{channel(c.r, other.r), channel(c.g, other.g), channel(c.b, other.b)}
}

func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance returns WCAG's relative luminance, from 0 for black to 1 for white.
func (c rgb) luminance() float64 {
	return 0.2126*linear[c.r] + 0.7152*linear[c.g] + 0.0722*linear[c.b]
}

// linear maps the value of a channel to its linear light. It is a table because Readable, which pages call, needs it
// hundreds of times.
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
