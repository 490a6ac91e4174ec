package public

import (
	"net/http"
	"net/url"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
)

func (v *visit) static() error {
	if !kit.Static(v.w, v.r) {
		return slotd.NewError(slotd.WorkspaceNotFound, slotd.Facts{})
	}
	return nil
}

// notFound answers requests for unknown paths. A path with a trailing slash is redirected to the one without it.
func (v *visit) notFound() error {
	path := "/" + strings.Trim(v.r.URL.Path, "/")
	if !strings.HasSuffix(v.r.URL.Path, "/") {
		return slotd.NewError(slotd.WorkspaceNotFound, slotd.Facts{})
	}
	v.protect(&kit.Page{})
	to := url.URL{Path: path, RawQuery: v.r.URL.RawQuery}
	http.Redirect(v.w, v.r, to.String(), http.StatusPermanentRedirect)
	return nil
}

// home is the page at /. It says how to set the server up while nobody owns it.
func (v *visit) home() error {
	if v.Unowned != nil {
		if unowned, err := v.Unowned(v.r.Context()); err != nil {
			return err
		} else if unowned {
			return v.show(http.StatusOK, "message", &kit.Page{Title: "slotd", Content: messageContent{
				Title:   say.T("This server isn't set up yet"),
				Message: say.T("To set it up, open the link that slotd serve printed when it started."),
			}})
		}
	}
	page := &kit.Page{Title: "slotd", Content: messageContent{
		Title:   say.T("This is a scheduling server"),
		Message: say.T("To book a time, please use the link your host gave you."),
		Owners:  "/settings",
	}}
	return v.show(http.StatusOK, "message", page)
}
