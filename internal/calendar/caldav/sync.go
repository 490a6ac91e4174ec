package caldav

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"slotd/internal/calendar"
)

// listing is what a calendar says it holds, or what of it is new.
type listing struct {
	tags  map[string]string // by id
	gone  map[string]bool
	state state
}

func newListing() listing { return listing{tags: map[string]string{}, gone: map[string]bool{}} }

// sync asks for what is new since the token, all if it is empty (RFC 6578).
func (d *dav) sync(ctx context.Context, c collection, token string) (listing, error) {
	all, seen := newListing(), 0
	for {
		page, cut, err := d.syncPage(ctx, c, token)
		if err != nil {
			return all, err
		}
		all.follow(page)
		size := len(page.tags) + len(page.gone)
		seen += size
		switch {
		case page.state.Sync == "":
			return all, d.noDAV(http.StatusMultiStatus)
		case seen > maxResponses:
			return all, d.unread(errTooMany)
		case !cut:
			return all, nil
		case page.state.Sync == token || size == 0:
			return all, calendar.Errorf(calendar.Unusable,
				"%s lists a part of the calendar again and again: report it to who runs the server.", d.host())
		}
		token = page.state.Sync
	}
}

// follow lets a later page overrule the earlier ones.
func (l *listing) follow(page listing) {
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

// syncPage is one answer. It is cut if the server says 507 of the collection: the rest is new since the answer's token
// (RFC 6578, 3.6).
func (d *dav) syncPage(ctx context.Context, c collection, token string) (page listing, cut bool, err error) {
	page = newListing()
	ask := request{method: "REPORT", at: c.at, depth: "0", xml: askSync(token)}
	page.state.Sync, err = d.multi(ctx, ask, func(_ *url.URL, r *response) error {
		id, err := d.member(c, r.Href)
		if id == "" && err == nil && r.status() == http.StatusInsufficientStorage {
			cut = true
			return nil
		}
		if err == nil {
			err = d.enter(page, id, r)
		}
		return err
	})
	return page, cut, err
}

// list asks for everything, with tags.
func (d *dav) list(ctx context.Context, c collection) (listing, error) {
	all := newListing()
	all.state.CTag = c.now.CTag // older than the list: what changes in between is seen next time
	ask := request{method: "PROPFIND", at: c.at, depth: "1", xml: askItems}
	_, err := d.multi(ctx, ask, func(_ *url.URL, r *response) error {
		id, err := d.member(c, r.Href)
		if err == nil {
			err = d.enter(all, id, r)
		}
		return err
	})
	return all, err
}

// enter puts one response into the list. An item that the server cannot show now is an error: it may be busy.
func (d *dav) enter(l listing, id string, r *response) error {
	p := r.found()
	switch {
	case r.failed():
		return d.unwell(r)
	case id == "" || p.Type.Collection != nil:
	case r.gone() || p.foreign(id):
		l.gone[id] = true
	default:
		l.tags[id] = p.tag()
	}
	return nil
}
