package caldav

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"slotd/internal/calendar"
)

// Put stores the entry as a file that is named for its booking, so that a repetition meets the first attempt's.
func (c *Calendar) Put(ctx context.Context, e calendar.Entry, was calendar.Place) (calendar.Place, error) {
	w, err := c.writing(ctx, e.UID, was)
	if err != nil {
		return was, err
	}
	if was.ID != "" && was.Tag == "" {
		return w.settle(ctx, was, w.noTag())
	}
	ask := request{method: "PUT", at: w.at, ics: e.ICS, ifMatch: was.Tag}
	if was.ID == "" {
		ask.ifNone = "*"
	}
	answer, err := w.send(ctx, ask)
	if err != nil {
		return was, err
	}
	switch answer.StatusCode {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
		return w.stored(ctx, answer)
	}
	return w.unless(ctx, was, answer)
}

// Delete takes the entry out. One whose place is not known is looked for first.
func (c *Calendar) Delete(ctx context.Context, uid string, was calendar.Place) (calendar.Place, error) {
	w, err := c.writing(ctx, uid, was)
	if err != nil {
		return was, err
	}
	if was.ID == "" {
		found, err := w.where(ctx)
		if err != nil || found.ID == "" {
			return found, err
		}
		return c.Delete(ctx, uid, found)
	}
	if was.Tag == "" {
		return gone(w.settle(ctx, was, w.noTag()))
	}
	answer, err := w.send(ctx, request{method: "DELETE", at: w.at, ifMatch: was.Tag})
	if err != nil {
		return was, err
	}
	switch answer.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent, http.StatusNotFound, http.StatusGone:
		return calendar.Place{}, nil
	}
	return gone(w.unless(ctx, was, answer))
}

// gone: an entry that somebody else took out is as good as deleted.
func gone(now calendar.Place, err error) (calendar.Place, error) {
	if err == calendar.ErrChanged && now.ID == "" {
		return now, nil
	}
	return now, err
}

// writing is one entry's file in its calendar.
type writing struct {
	*dav
	in  collection
	at  *url.URL
	uid string
}

func (c *Calendar) writing(ctx context.Context, uid string, was calendar.Place) (*writing, error) {
	d, err := open(c.client, c.account)
	if err != nil {
		return nil, err
	}
	if was.ID != "" {
		at, err := d.resolve(d.base, was.ID)
		if err != nil {
			return nil, err
		}
		return &writing{d, collection{at: at.ResolveReference(&url.URL{Path: "."})}, at, uid}, nil
	}
	in, err := d.target(ctx)
	if err != nil {
		return nil, err
	}
	name, _, _ := strings.Cut(uid, "@")
	return &writing{d, in, in.at.JoinPath(url.PathEscape(name) + ".ics"), uid}, nil
}

// target is the one calendar that can be meant.
func (d *dav) target(ctx context.Context) (collection, error) {
	all, err := d.find(ctx, stay)
	if err != nil {
		return collection{}, err
	}
	if len(all.homes) == 0 {
		return all.calendars[0], nil
	}
	var addresses []string
	var last collection
	for _, c := range all.calendars {
		if c.writable {
			addresses, last = append(addresses, c.at.String()), c
		}
	}
	switch len(addresses) {
	case 0:
		return last, calendar.Errorf(calendar.Unusable,
			"this user may write into no calendar on %s: connect one that can be written.", d.host())
	case 1:
		return last, nil
	}
	return last, calendar.Errorf(calendar.Unusable,
		"the account has several calendars: connect the one that bookings are to be written into "+
			"by its own address, one of %s.", strings.Join(addresses[:min(len(addresses), 10)], ", "))
}
