package caldav

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"slotd/internal/calendar"
)

// listing is what a calendar reports as its items, or as its changes.
type listing struct {
	tags  map[string]string // by id
	gone  map[string]bool
	state state
}

func newListing() listing { return listing{tags: map[string]string{}, gone: map[string]bool{}} }

// sync requests the changes since the token, or everything if the token is empty (RFC 6578).
func (d *dav) sync(ctx context.Context, c collection, token string) (listing, error) {
	all, seen := newListing(), 0
	for {
		page, truncated, err := d.syncPage(ctx, c, token)
		if err != nil {
			return all, err
		}
		all.merge(page)
		size := len(page.tags) + len(page.gone)
		seen += size
		switch {
		case page.state.Sync == "":
			return all, d.notDAVError(http.StatusMultiStatus)
		case seen > maxResponses:
			return all, d.readError(errTooMany)
		case !truncated:
			return all, nil
		case page.state.Sync == token || size == 0:
			return all, calendar.Errorf(calendar.Unusable,
				"%s keeps listing the same part of the calendar.", d.host()).Advise(calendar.AskProvider)
		}
		token = page.state.Sync
	}
}

// merge adds a later page, which overrides earlier ones.
func (l *listing) merge(page listing) {
	for id := range page.tags {
		delete(l.gone, id)
	}
	for id := range page.gone {
		delete(l.tags, id)
	}
	maps.Copy(l.tags, page.tags)
	maps.Copy(l.gone, page.gone)
	l.state = page.state
}

// syncPage requests one page. It is truncated if the server reports 507 for the collection: then the rest follows
// when asking with the page's token (RFC 6578, 3.6).
func (d *dav) syncPage(ctx context.Context, c collection, token string) (page listing, truncated bool, err error) {
	page = newListing()
	req := request{method: "REPORT", url: c.url, depth: "0", xml: syncQuery(token)}
	page.state.Sync, err = d.multistatus(ctx, req, func(_ *url.URL, r *response) error {
		id, err := d.memberID(c, r.Href)
		if id == "" && err == nil && r.status() == http.StatusInsufficientStorage {
			truncated = true
			return nil
		}
		if err == nil {
			err = d.addToListing(page, id, r)
		}
		return err
	})
	return page, truncated, err
}

// list requests all items with their tags.
func (d *dav) list(ctx context.Context, c collection) (listing, error) {
	all := newListing()
	all.state.CTag = c.state.CTag // older than the list: changes in between are found the next time
	req := request{method: "PROPFIND", url: c.url, depth: "1", xml: itemsQuery}
	_, err := d.multistatus(ctx, req, func(_ *url.URL, r *response) error {
		id, err := d.memberID(c, r.Href)
		if err == nil {
			err = d.addToListing(all, id, r)
		}
		return err
	})
	return all, err
}

// addToListing adds one response to the list. An item that the server cannot show now is an error: it may be busy
// time.
func (d *dav) addToListing(l listing, id string, r *response) error {
	p := r.properties()
	switch {
	case r.isFailed():
		return d.resourceError(r)
	case id == "" || p.Type.Collection != nil:
	case r.isGone() || p.isForeign(id):
		l.gone[id] = true
	default:
		l.tags[id] = p.tag()
	}
	return nil
}
