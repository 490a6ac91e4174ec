package caldav

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"slotd/internal/calendar"
)

// send sends a write. Its answer's body is of no interest.
func (w *writing) send(ctx context.Context, ask request) (*http.Response, error) {
	answer, err := w.dav.send(ctx, ask)
	if err != nil {
		return nil, err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusPreconditionFailed || !strings.HasPrefix(ask.ifMatch, "W/") {
		return answer, nil
	}
	// If-Match never matches a weak tag (RFC 9110, 13.1.1), so a server may refuse the very tag it gives. We compare
	// instead of it, once.
	now, err := w.look(ctx)
	if err != nil || now.Tag != ask.ifMatch {
		return answer, err
	}
	ask.ifMatch = ""
	if answer, err = w.dav.send(ctx, ask); err == nil {
		answer.Body.Close()
	}
	return answer, err
}

// stored is the place of what was just written. A server that changed it on the way in gives no tag (RFC 4791, 5.3.4).
func (w *writing) stored(ctx context.Context, answer *http.Response) (calendar.Place, error) {
	place := calendar.Place{ID: w.at.EscapedPath(), Tag: usableTag(answer.Header.Get("ETag"))}
	if place.Tag != "" {
		return place, nil
	}
	return w.look(ctx)
}

// unless makes a refused write either ErrChanged, if the entry is elsewhere or other than it was, or the refusal.
// Besides 412, 404 and 410 that may be a 403, a 409 or (Xandikos) a 207 because another file has the UID.
func (w *writing) unless(ctx context.Context, was calendar.Place, answer *http.Response) (calendar.Place, error) {
	refused := w.refusal(answer)
	switch answer.StatusCode {
	case http.StatusPreconditionFailed, http.StatusMultiStatus, http.StatusConflict:
		refused = calendar.Errorf(calendar.Unusable,
			"%s does not take the entry (HTTP %d), though nothing there is in its way: report it to who runs the "+
				"server.",
			w.host(), answer.StatusCode)
	case http.StatusNotFound, http.StatusGone, http.StatusForbidden:
	default:
		return was, refused
	}
	return w.settle(ctx, was, refused)
}

// settle never says ErrChanged about a place that is as it was: the caller would try again for ever.
func (w *writing) settle(ctx context.Context, was calendar.Place, refused error) (calendar.Place, error) {
	now, err := w.where(ctx)
	switch {
	case err != nil:
		return was, err
	case now == was:
		return was, refused
	}
	return now, calendar.ErrChanged
}

func (w *writing) noTag() error {
	return calendar.Errorf(calendar.Unusable,
		"%s gives no versions (ETags) of its entries, so none can be changed safely: "+
			"write bookings into another calendar.", w.host())
}

// where is the entry's place now: its file, or another one with its UID. None is the zero Place.
func (w *writing) where(ctx context.Context) (calendar.Place, error) {
	if now, err := w.look(ctx); err != nil || now.ID != "" {
		return now, err
	}
	return w.byUID(ctx)
}

func (w *writing) look(ctx context.Context) (now calendar.Place, err error) {
	_, err = w.multi(ctx, request{method: "PROPFIND", at: w.at, depth: "0", xml: askTag},
		func(_ *url.URL, r *response) error {
			if r.failed() {
				return w.unwell(r)
			}
			if p := r.found(); !r.gone() {
				now = calendar.Place{ID: w.at.EscapedPath(), Tag: p.tag()}
			}
			return nil
		})
	if status := statusOf(err); status == http.StatusNotFound || status == http.StatusGone {
		return calendar.Place{}, nil
	}
	return now, err
}

// byUID looks at the texts itself: deleting what a careless filter lets through would delete somebody's event.
func (w *writing) byUID(ctx context.Context) (place calendar.Place, err error) {
	ask := request{method: "REPORT", at: w.in.at, depth: "1", xml: askUID(w.uid)}
	_, err = w.multi(ctx, ask, func(_ *url.URL, r *response) error {
		p := r.found()
		if place.ID != "" || p.Data == nil || !hasUID(*p.Data, w.uid) {
			return nil
		}
		id, err := w.member(w.in, r.Href)
		place = calendar.Place{ID: id, Tag: p.tag()}
		return err
	})
	return place, err
}
