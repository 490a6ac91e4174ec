package caldav

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"slotd/internal/calendar"
)

// Put stores the entry as a file named after its booking, so that a retry finds the file of the first attempt.
func (c *Calendar) Put(ctx context.Context, e calendar.Entry, last calendar.EntryRef) (calendar.EntryRef, error) {
	w, err := c.entryFile(ctx, e.UID, last)
	if err != nil {
		return last, err
	}
	if last.ID != "" && last.Tag == "" {
		return w.resolveRejection(ctx, last, w.noTagError())
	}
	req := request{method: "PUT", url: w.url, ics: e.ICS, ifMatch: last.Tag}
	if last.ID == "" {
		req.ifNoneMatch = "*"
	}
	answer, err := w.send(ctx, req)
	if err != nil {
		return last, err
	}
	switch answer.StatusCode {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
		return w.storedRef(ctx, answer)
	}
	return w.afterRejection(ctx, last, answer)
}

// Delete removes the entry. If its reference is not known, Delete looks for it first.
func (c *Calendar) Delete(ctx context.Context, uid string, last calendar.EntryRef) (calendar.EntryRef, error) {
	w, err := c.entryFile(ctx, uid, last)
	if err != nil {
		return last, err
	}
	if last.ID == "" {
		found, err := w.currentRef(ctx)
		if err != nil || found.ID == "" {
			return found, err
		}
		return c.Delete(ctx, uid, found)
	}
	if last.Tag == "" {
		return ignoreMissing(w.resolveRejection(ctx, last, w.noTagError()))
	}
	answer, err := w.send(ctx, request{method: "DELETE", url: w.url, ifMatch: last.Tag})
	if err != nil {
		return last, err
	}
	switch answer.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent, http.StatusNotFound, http.StatusGone:
		return calendar.EntryRef{}, nil
	}
	return ignoreMissing(w.afterRejection(ctx, last, answer))
}

// ignoreMissing treats an entry that somebody else removed as deleted.
func ignoreMissing(ref calendar.EntryRef, err error) (calendar.EntryRef, error) {
	if err == calendar.ErrChanged && ref.ID == "" {
		return ref, nil
	}
	return ref, err
}

// entryFile is the file of one entry in its calendar.
type entryFile struct {
	*dav
	collection collection
	url        *url.URL
	uid        string
}

func (c *Calendar) entryFile(ctx context.Context, uid string, last calendar.EntryRef) (*entryFile, error) {
	d, err := open(c.client, c.account)
	if err != nil {
		return nil, err
	}
	if last.ID != "" {
		at, err := d.resolve(d.base, last.ID)
		if err != nil {
			return nil, err
		}
		return &entryFile{d, collection{url: at.ResolveReference(&url.URL{Path: "."})}, at, uid}, nil
	}
	in, err := d.target(ctx)
	if err != nil {
		return nil, err
	}
	name, _, _ := strings.Cut(uid, "@")
	return &entryFile{d, in, in.url.JoinPath(url.PathEscape(name) + ".ics"), uid}, nil
}

// target returns the only calendar that bookings can go to.
func (d *dav) target(ctx context.Context) (collection, error) {
	all, err := d.find(ctx, sameOrigin)
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
			addresses, last = append(addresses, c.url.String()), c
		}
	}
	switch len(addresses) {
	case 0:
		return last, calendar.Errorf(calendar.Unusable,
			"This user can't write to any calendar on %s.", d.host()).Advise(calendar.ChooseWritable)
	case 1:
		return last, nil
	}
	return last, calendar.Errorf(calendar.Unusable,
		"The account has several calendars that bookings could be added to: %s.",
		strings.Join(addresses[:min(len(addresses), 10)], ", ")).Advise(calendar.UseOwnAddress)
}
