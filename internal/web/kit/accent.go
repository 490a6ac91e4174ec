package kit

import (
	"fmt"
	"net/http"
	"strings"

	"slotd/internal/lib/color"
)

// The two backgrounds that style.css draws on.
const (
	lightBack = "#ffffff"
	darkBack  = "#1b1f24"
)

// accentPath is the style sheet of one accent. It is a file, because the pages' policy takes no
// style that stands in the page.
func accentPath(accent string) string {
	return "/static/" + styleVersion + "/accent-" + strings.ToLower(strings.TrimPrefix(color.Or(accent), "#")) + ".css"
}

// styleVersion changes when accentCSS does.
var styleVersion = newFile("accent.css", []byte(accentCSS("#0b7285")+accentCSS("#ffee00")+accentCSS("#101010"))).hash

// sendAccent makes the sheet anew for every colour that is asked for; there are sixteen million.
func sendAccent(w http.ResponseWriter, r *http.Request, digits string) bool {
	accent := "#" + digits
	if !color.Valid(accent) || digits != strings.ToLower(digits) {
		return false
	}
	f := newFile("accent.css", []byte(accentCSS(accent)))
	f.send(w, r, cacheFor(r.PathValue("hash") == styleVersion))
	return true
}

// accentCSS keeps text readable whatever the owner chose: as text the accent is darkened on white
// and lightened on dark until its contrast is 5.
func accentCSS(accent string) string {
	sheet := func(back string) string {
		return fmt.Sprintf("--accent:%s;--on-accent:%s;--accent-text:%s;", accent, color.On(accent),
			color.Readable(accent, back, 5))
	}
	return ":root{" + sheet(lightBack) + "}\n@media screen and (prefers-color-scheme:dark){:root{" + sheet(darkBack) +
		"}}\n"
}
