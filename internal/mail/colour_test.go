package mail

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestAccent_IsReadable(t *testing.T) {
	for range 2000 {
		accent := fmt.Sprintf("#%06x", rand.IntN(1<<24))
		back, front := colours(accent)
		a, b := luminance(string(back)), luminance(string(front))
		if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); string(back) != accent || ratio < 4.5 {
			t.Fatalf("%s on %s has a contrast of %.2f", front, back, ratio)
		}
	}
}

func TestAccent_KnownContrasts(t *testing.T) {
	for accent, want := range map[string]string{"#000000": "#ffffff", "#ffffff": "#000000", "#ffe066": "#000000", "#0B7285": "#ffffff", "#7048e8": "#ffffff"} {
		if _, front := colours(accent); string(front) != want {
			t.Errorf("%s on %s", front, accent)
		}
	}
}

func TestAccent_AnythingElseIsTheDefault(t *testing.T) {
	for _, s := range []string{"", "red", "#fff", "#12345g", "#1234567", "#123456;x", "\n#123456", "#123456\n"} {
		if back, _ := colours(s); back != defaultAccent {
			t.Errorf("%q became %q", s, back)
		}
	}
}
