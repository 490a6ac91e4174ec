package kit

import (
	"fmt"
	"net/http"
	"strings"

	"slotd/internal/lib/color"
)

// The two backgrounds in style.css.
const (
	lightBackground = "#ffffff"
	darkBackground  = "#1b1f24"
)

// accentPath returns the path of an accent's style sheet. It is a file because the pages' Content-Security-Policy
// forbids inline styles.
func accentPath(accent string) string {
	return "/static/" + styleVersion + "/accent-" + strings.ToLower(strings.TrimPrefix(color.OrDefault(accent), "#")) +
		".css"
}

// styleVersion changes when accentCSS does.
var styleVersion = newFile("accent.css", []byte(accentCSS("#0b7285")+accentCSS("#ffee00")+accentCSS("#101010"))).hash

// sendAccent serves an accent's style sheet and reports whether the digits are a color. It builds the sheet for each
// request: there are sixteen million colors.
func sendAccent(w http.ResponseWriter, r *http.Request, digits string) bool {
	accent := "#" + digits
	if !color.Valid(accent) || digits != strings.ToLower(digits) {
		return false
	}
	f := newFile("accent.css", []byte(accentCSS(accent)))
	setCaching(w.Header(), r.PathValue("hash") == styleVersion)
	f.send(w, r)
	return true
}

// accentCSS keeps text readable whatever color the owner chose: for text, the accent is darkened on white and lightened
// on dark until its contrast is 5.
func accentCSS(accent string) string {
	variables := func(background string) string {
		return fmt.Sprintf("--accent:%s;--on-accent:%s;--accent-text:%s;", accent, color.TextOn(accent),
			color.Readable(accent, background, 5))
	}
	return ":root{" + variables(lightBackground) + "}\n@media screen and (prefers-color-scheme:dark){:root{" +
		variables(darkBackground) + "}}\n"
}
