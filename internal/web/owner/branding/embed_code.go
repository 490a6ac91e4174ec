package branding

import (
	"fmt"
	"html"

	"slotd"
)

// EmbedCode puts one booking page into another site, in the three ways of embed.js.
type EmbedCode struct {
	ID, Title, Page     string
	Frame, Button, Link string
}

// EmbedCodes returns the code for what guests are offered: all event types together first, then each. A title may be
// anything, also in another site's page.
func EmbedCodes(baseURL string, w *slotd.Workspace) []EmbedCode {
	page := baseURL + "/" + w.Slug
	codes := []EmbedCode{embedCode(baseURL, "all", "All event types", page, "Book a time", w.Name)}
	for _, e := range w.EventTypes {
		if e.Public() {
			codes = append(codes, embedCode(baseURL, "type-"+e.Slug, e.Title, page+"/"+e.Slug, e.Title, e.Title))
		}
	}
	return codes
}

func embedCode(baseURL, id, title, page, label, frameTitle string) EmbedCode {
	script := fmt.Sprintf("<script src=\"%s/embed.js\" async></script>\n", html.EscapeString(baseURL))
	address, label := html.EscapeString(page), html.EscapeString(label)
	return EmbedCode{
		ID: id, Title: title, Page: page,
		Frame: script + fmt.Sprintf(`<div data-slotd="%s" data-slotd-title="%s"></div>`, address,
			html.EscapeString(frameTitle)),
		Button: script + fmt.Sprintf(`<button type="button" data-slotd="%s">%s</button>`, address, label),
		Link:   script + fmt.Sprintf(`<a href="%s" data-slotd="%s">%s</a>`, address, address, label),
	}
}
