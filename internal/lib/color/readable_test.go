package color

import (
	"testing"

	"pgregory.net/rapid"
)

func TestReadable_KnownMixes(t *testing.T) {
	for _, c := range []struct {
		c, back string
		least   float64
		want    string
	}{
		{"#0B7285", "#ffffff", 4.5, "#0B7285"},
		{"#777777", "#ffffff", 4.5, "#767676"},
		{"#ffffff", "#ffffff", 4.5, "#767676"},
		{"#000000", "#000000", 21, "#ffffff"},
		{"#ff0000", "#ffffff", 21, "#000000"},
		{"#808080", "#808080", 7, "#000000"},   // no colour has that much on it: the best there is
		{"#c0c0c0", "#808080", 3, "#e1e1e1"},   // lighter than its back: lighter still is the shorter way
		{"#747474", "#808080", 3, "#373737"},   // darker
		{"#c0c0c0", "#808080", 4.5, "#171717"}, // lighter, but even white has too little
	} {
		if got := Readable(c.c, c.back, c.least); got != c.want {
			t.Errorf("%s on %s with %.1f became %s (%.2f), want %s", c.c, c.back, c.least, got, Contrast(got, c.back),
				c.want)
		}
	}
}

func TestReadable_ReachesTheContrastAndNotMuchMore(t *testing.T) {
	for _, back := range backs {
		for _, least := range []float64{1, 3, 4.5, 7} {
			all(func(c string) {
				got := Readable(c, back, least)
				had, has := Contrast(c, back), Contrast(got, back)
				if had >= least && got != c {
					t.Errorf("%s on %s has %.2f already and became %s", c, back, had, got)
				}
				if has < least || got != c && has > least*1.05 { // one step of a mix is at most that much
					t.Errorf("%s on %s became %s, which has %.2f, want %.1f", c, back, got, has, least)
				}
			})
		}
	}
}

// Whatever is asked, nobody gets less than there was or less than can be had.
func TestReadable_OnAnyBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, back, least := anyColour().Draw(t, "colour"), anyColour().Draw(t, "back"),
			rapid.Float64Range(1, 21).Draw(t, "least")
		got := Readable(c, back, least)
		if has := Contrast(got, back); has < min(least, Contrast(On(back), back)) {
			t.Fatalf("%s has %.3f", got, has)
		}
		if Contrast(c, back) >= least && got != c {
			t.Fatalf("it was readable and became %s", got)
		}
	})
}

// The hue is which channels are stronger, and by how much: at least no channel overtakes another.
func TestReadable_KeepsTheOrderOfTheChannels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, back := anyColour().Draw(t, "colour"), rapid.SampledFrom(backs).Draw(t, "back")
		was, is := rgbOf(c), rgbOf(Readable(c, back, 4.5))
		for _, pair := range [][4]uint8{{was.r, was.g, is.r, is.g}, {was.g, was.b, is.g, is.b},
			{was.b, was.r, is.b, is.r}} {
			if pair[0] > pair[1] && pair[2] < pair[3] || pair[0] < pair[1] && pair[2] > pair[3] {
				t.Fatalf("%v became %v", was, is)
			}
		}
	})
}
