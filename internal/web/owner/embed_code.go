package owner

import (
	"fmt"
	"html"
)

// embedCode puts one booking page into another site, in the three ways of embed.js.
type embedCode struct {
	ID, Title, Page     string
	Frame, Button, Link string
}

// embedCodes are of what guests are offered: all together first, then each. A title may be anything, also in another
// site's page.
func (v *visit) embedCodes() []embedCode {
	page := v.BaseURL + "/" + v.snapshot.Slug
	codes := []embedCode{v.embedCode("all", "All event types", page, "Book a time", v.snapshot.Name)}
	for _, e := range v.snapshot.EventTypes {
		if e.Public() {
			codes = append(codes, v.embedCode("type-"+e.Slug, e.Title, page+"/"+e.Slug, e.Title, e.Title))
		}
	}
	return codes
}

func (v *visit) embedCode(id, title, page, label, frameTitle string) embedCode {
	script := fmt.Sprintf("<script src=\"%s/embed.js\" async></script>\n", html.EscapeString(v.BaseURL))
	address, label := html.EscapeString(page), html.EscapeString(label)
	return embedCode{
		ID: id, Title: title, Page: page,
		Frame: script + fmt.Sprintf(`<div data-slotd="%s" data-slotd-title="%s"></div>`, address,
			html.EscapeString(frameTitle)),
		Button: script + fmt.Sprintf(`<button type="button" data-slotd="%s">%s</button>`, address, label),
		Link:   script + fmt.Sprintf(`<a href="%s" data-slotd="%s">%s</a>`, address, address, label),
	}
}
