package kit

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"slotd/internal/lib/color"
)

func TestAccent_EveryPageNamesASheetThatIsThere(t *testing.T) {
	for accent, sheet := range map[string]string{
		"#AB12cd": "accent-ab12cd.css", "": "accent-" + color.Default[1:] + ".css",
		"#fff":                   "accent-" + color.Default[1:] + ".css",
		"red;}body{display:none": "accent-" + color.Default[1:] + ".css",
		"../../x":                "accent-" + color.Default[1:] + ".css",
		"#00000\x00":             "accent-" + color.Default[1:] + ".css",
	} {
		path := accentPath(accent)
		if !strings.HasSuffix(path, "/"+sheet) {
			t.Errorf("%q: %s, want %s", accent, path, sheet)
		}
		got := static(t, path)
		if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "text/css; charset=utf-8" ||
			!strings.Contains(got.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", path, got.Code, got.Header())
		}
	}
}

func TestAccent_WhatIsNoColorIsNoSheet(t *testing.T) {
	for _, name := range []string{"accent-.css", "accent-fff.css", "accent-gggggg.css", "accent-AB12CD.css",
		"accent-0b7285;.css", "accent-+b7285.css", "accent-0b7285.css.css", "accent-0b728.css", "accent-", "accent-0b72855.css"} {
		if got := static(t, "/static/v1/"+name); got.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
}

var variable = regexp.MustCompile(`--([a-z-]+):(#[0-9a-f]{6});`)

func TestAccent_IsReadableInBothModesWhateverTheOwnerChose(t *testing.T) {
	for _, accent := range []string{"#000000", "#ffffff", "#ffff00", "#0000ff", "#767676", "#1b1f24", "#0b7285",
		"#ff0000", "#00ff00"} {
		light, dark, ok := strings.Cut(accentCSS(accent), "@media screen and (prefers-color-scheme:dark)")
		if !ok {
			t.Fatal("there is no dark mode")
		}
		for back, css := range map[string]string{lightBackground: light, darkBackground: dark} {
			values := map[string]string{}
			for _, m := range variable.FindAllStringSubmatch(css, -1) {
				values[m[1]] = m[2]
			}
			if values["accent"] != accent || color.Contrast(values["accent-text"], back) < 4.5 ||
				color.Contrast(values["on-accent"], accent) < 4.5 {
				t.Errorf("%s on %s: %v", accent, back, values)
			}
		}
	}
}

// The accent's style sheet and style.css must use the same backgrounds.
func TestAccent_TheBackgroundsAreTheStyleSheets(t *testing.T) {
	sheet := string(files()["style.css"].body)
	for _, back := range []string{lightBackground, darkBackground} {
		if !strings.Contains(sheet, back) && !strings.Contains(sheet, strings.Replace(back, "#ffffff", "#fff", 1)) {
			t.Errorf("style.css does not draw on %s", back)
		}
	}
}
