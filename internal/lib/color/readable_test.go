package color

import (
	"testing"

	"pgregory.net/rapid"
)

func TestReadable_KnownMixes(t *testing.T) {
	for _, c := range []struct {
		c, back     string
		minContrast float64
		want        string
	}{
		{"#0B7285", "#ffffff", 4.5, "#0B7285"},
		{"#777777", "#ffffff", 4.5, "#767676"},
		{"#ffffff", "#ffffff", 4.5, "#767676"},
		{"#000000", "#000000", 21, "#ffffff"},
		{"#ff0000", "#ffffff", 21, "#000000"},
		{"#808080", "#808080", 7, "#000000"},   // no color has that much contrast on it: the best possible
		{"#c0c0c0", "#808080", 3, "#e1e1e1"},   // lighter than its background: even lighter is closer
		{"#747474", "#808080", 3, "#373737"},   // darker
		{"#c0c0c0", "#808080", 4.5, "#171717"}, // lighter, but even white has too little contrast
	} {
		if got := Readable(c.c, c.back, c.minContrast); got != c.want {
			t.Errorf("%s on %s with %.1f became %s (%.2f), want %s", c.c, c.back, c.minContrast, got,
				Contrast(got, c.back),
				c.want)
		}
	}
}

func TestReadable_ReachesTheContrastAndNotMuchMore(t *testing.T) {
	for _, back := range backgrounds {
		for _, minContrast := range []float64{1, 3, 4.5, 7} {
			eachColor(func(c string) {
				got := Readable(c, back, minContrast)
				contrastBefore, contrastAfter := Contrast(c, back), Contrast(got, back)
				if contrastBefore >= minContrast && got != c {
					t.Errorf("%s on %s has %.2f already and became %s", c, back, contrastBefore, got)
				}
				// One step of a mix changes the contrast by at most 5 percent.
				if contrastAfter < minContrast || got != c && contrastAfter > minContrast*1.05 {
					t.Errorf("%s on %s became %s, which has %.2f, want %.1f", c, back, got, contrastAfter, minContrast)
				}
			})
		}
	}
}

// The contrast is never below the requested one, unless even black or white has less. A readable color stays as it
// is.
func TestReadable_OnAnyBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, back, minContrast := anyColor().Draw(t, "colour"), anyColor().Draw(t, "back"),
			rapid.Float64Range(1, 21).Draw(t, "least")
		got := Readable(c, back, minContrast)
		if contrastAfter := Contrast(got, back); contrastAfter < min(minContrast, Contrast(TextOn(back), back)) {
			t.Fatalf("%s has %.3f", got, contrastAfter)
		}
		if Contrast(c, back) >= minContrast && got != c {
			t.Fatalf("it was readable and became %s", got)
		}
	})
}

// The hue is the order of the channels and their distances. This checks the order: no channel overtakes another.
func TestReadable_KeepsTheOrderOfTheChannels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, back := anyColor().Draw(t, "colour"), rapid.SampledFrom(backgrounds).Draw(t, "back")
		before, after := rgbOf(c), rgbOf(Readable(c, back, 4.5))
		for _, pair := range [][4]uint8{{before.r, before.g, after.r, after.g}, {before.g, before.b, after.g, after.b},
			{before.b, before.r, after.b, after.r}} {
			if pair[0] > pair[1] && pair[2] < pair[3] || pair[0] < pair[1] && pair[2] > pair[3] {
				t.Fatalf("%v became %v", before, after)
			}
		}
	})
}
