package branding

import (
	"fmt"
	"html"

	"slotd"
	"slotd/internal/lib/say"
)

// EmbedCode is the HTML that embeds one booking page in another site, in the three ways that embed.js supports.
type EmbedCode struct {
	ID, Title, Page     string
	Frame, Button, Link string
}

// EmbedCodes returns the code for what guests can book: all event types together first, then each one. Titles are
// escaped, because they may contain anything and end up in another site's page.
func EmbedCodes(baseURL string, w *slotd.Workspace) []EmbedCode {
	page := baseURL + "/" + w.Slug
	codes := []EmbedCode{embedCode(baseURL, "all", say.T("All event types"), page, say.T("Book a time"), w.Name)}
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
