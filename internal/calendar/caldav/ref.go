package caldav

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"slotd/internal/calendar"
)

// send sends a write. The body of the response does not matter.
func (w *entryFile) send(ctx context.Context, req request) (*http.Response, error) {
	answer, err := w.dav.send(ctx, req)
	if err != nil {
		return nil, err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusPreconditionFailed || !strings.HasPrefix(req.ifMatch, "W/") {
		return answer, nil
	}
	// If-Match never matches a weak tag (RFC 9110, 13.1.1), so a server may reject the very tag that it sent. In that
	// case we compare the tags ourselves, once.
	current, err := w.readRef(ctx)
	if err != nil || current.Tag != req.ifMatch {
		return answer, err
	}
	req.ifMatch = ""
	if answer, err = w.dav.send(ctx, req); err == nil {
		answer.Body.Close()
	}
	return answer, err
}

// storedRef returns the reference to an entry that was just written. A server that changed the entry while storing it
// sends no tag (RFC 4791, 5.3.4).
func (w *entryFile) storedRef(ctx context.Context, answer *http.Response) (calendar.EntryRef, error) {
	ref := calendar.EntryRef{ID: w.url.EscapedPath(), Tag: usableTag(answer.Header.Get("ETag"))}
	if ref.Tag != "" {
		return ref, nil
	}
	return w.readRef(ctx)
}

// afterRejection turns a rejected write into ErrChanged if the entry has moved or changed, and otherwise into the
// rejection. Apart from 412, 404 and 410, the status may be 403, 409 or (Xandikos) 207 because another file has the
// same UID.
func (w *entryFile) afterRejection(ctx context.Context, last calendar.EntryRef,
	answer *http.Response) (calendar.EntryRef, error) {
	rejection := w.statusError(answer)
	switch answer.StatusCode {
	case http.StatusPreconditionFailed, http.StatusMultiStatus, http.StatusConflict:
		rejection = calendar.Errorf(calendar.Unusable,
			"%s doesn't accept the entry (HTTP %d), although nothing is in its way.", w.host(), answer.StatusCode).
			Advise(calendar.AskProvider)
	case http.StatusNotFound, http.StatusGone, http.StatusForbidden:
	default:
		return last, rejection
	}
	return w.resolveRejection(ctx, last, rejection)
}

// resolveRejection never returns ErrChanged for an unchanged reference: the caller would retry forever.
func (w *entryFile) resolveRejection(ctx context.Context, last calendar.EntryRef,
	rejection error) (calendar.EntryRef, error) {
	current, err := w.currentRef(ctx)
	switch {
	case err != nil:
		return last, err
	case current == last:
		return last, rejection
	}
	return current, calendar.ErrChanged
}

func (w *entryFile) noTagError() error {
	return calendar.Errorf(calendar.Unusable,
		"%s sends no versions (ETags) of its entries, so they can't be changed safely.", w.host()).
		Advise(calendar.ChooseWritable)
}

// currentRef returns the reference to the entry as it is now: to its file, or to another file with its UID. It returns
// the zero EntryRef if there is none.
func (w *entryFile) currentRef(ctx context.Context) (calendar.EntryRef, error) {
	if ref, err := w.readRef(ctx); err != nil || ref.ID != "" {
		return ref, err
	}
	return w.findByUID(ctx)
}

func (w *entryFile) readRef(ctx context.Context) (ref calendar.EntryRef, err error) {
	_, err = w.multistatus(ctx, request{method: "PROPFIND", url: w.url, depth: "0", xml: tagQuery},
		func(_ *url.URL, r *response) error {
			if r.isFailed() {
				return w.resourceError(r)
			}
			if p := r.properties(); !r.isGone() {
				ref = calendar.EntryRef{ID: w.url.EscapedPath(), Tag: p.tag()}
			}
			return nil
		})
	if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone {
		return calendar.EntryRef{}, nil
	}
	return ref, err
}

// findByUID checks the texts itself: deleting whatever an imprecise filter returns could delete somebody else's
// event.
func (w *entryFile) findByUID(ctx context.Context) (ref calendar.EntryRef, err error) {
	req := request{method: "REPORT", url: w.collection.url, depth: "1", xml: uidQuery(w.uid)}
	_, err = w.multistatus(ctx, req, func(_ *url.URL, r *response) error {
		p := r.properties()
		if ref.ID != "" || p.Data == nil || !hasUID(*p.Data, w.uid) {
			return nil
		}
		id, err := w.memberID(w.collection, r.Href)
		ref = calendar.EntryRef{ID: id, Tag: p.tag()}
		return err
	})
	return ref, err
}
