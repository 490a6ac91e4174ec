package color

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// backgrounds are the backgrounds of pages and mails, light and dark.
var backgrounds = []string{"#ffffff", "#111418", "#1b1f24"}

// eachColor calls check with colors from the whole cube, including corners and grays.
func eachColor(check func(c string)) {
	const step = 15
	for r := 0; r <= 255; r += step {
		for g := 0; g <= 255; g += step {
			for b := 0; b <= 255; b += step {
				check(fmt.Sprintf("#%02x%02x%02x", r, g, b))
			}
		}
	}
}

func anyColor() *rapid.Generator[string] {
	return rapid.StringMatching(`#[0-9a-fA-F]{6}`)
}

func TestValid_SixHexadecimalDigits(t *testing.T) {
	for _, s := range []string{"#000000", "#ffffff", "#0B7285", "#aBcDeF", Default} {
		if !Valid(s) || OrDefault(s) != s {
			t.Errorf("%q is no colour, or became %q", s, OrDefault(s))
		}
	}
	for _, s := range []string{"", "#", "red", "#fff", "123456", "0123456", " 123456", "#12345g", "#1234567",
		"#123456;x", "\n#123456", "#123456\n", "#+12345", "#-12345", "#1_2345", "#0x123", "#12345 ", "#1234é", "＃12345"} {
		if Valid(s) || OrDefault(s) != Default {
			t.Errorf("%q is a colour, or became %q", s, OrDefault(s))
		}
	}
}

func TestContrast_KnownValues(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"#000000", "#ffffff", 21},
		{"#0b7285", "#0B7285", 1},
		{"#767676", "#ffffff", 4.54}, // the lightest gray that passes AA on white, and the next one
		{"#777777", "#ffffff", 4.48},
		{"#ff0000", "#ffffff", 4.00},
		{"#00ff00", "#ffffff", 1.37},
		{"#0000ff", "#ffffff", 8.59},
		{"#0a0a0a", "#000000", 1.06}, // so dark that the light is linear
	} {
		for _, got := range []float64{Contrast(c.a, c.b), Contrast(c.b, c.a)} {
			if math.Abs(got-c.want) > 0.005 {
				t.Errorf("%s and %s have a contrast of %.3f, want %.2f", c.a, c.b, got, c.want)
			}
		}
	}
}

func TestContrast_IsBetween1And21(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyColor().Draw(t, "a"), anyColor().Draw(t, "b")
		if got := Contrast(a, b); got < 1 || got > 21.0001 || got != Contrast(b, a) {
			t.Fatal(got, Contrast(b, a))
		}
	})
}

func TestTextOn_IsAlwaysReadable(t *testing.T) {
	eachColor(func(back string) {
		if got := Contrast(TextOn(back), back); got < 4.5 {
			t.Errorf("%s on %s has a contrast of %.2f", TextOn(back), back, got)
		}
	})
	for back, want := range map[string]string{"#000000": "#ffffff", "#ffffff": "#000000", "#ffe066": "#000000",
		"#0B7285": "#ffffff", "#7048e8": "#ffffff"} {
		if got := TextOn(back); got != want {
			t.Errorf("%s on %s", got, back)
		}
	}
}

func TestAnythingElse_CountsAsTheDefault(t *testing.T) {
	if TextOn("red") != TextOn(Default) || Contrast("red", "#ffffff") != Contrast(Default, "#ffffff") ||
		Readable("red", "", 1) != Default {
		t.Error(TextOn("red"), Contrast("red", "#ffffff"), Readable("red", "", 1))
	}
}
