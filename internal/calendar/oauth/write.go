package oauth

import (
	"context"
	"net/http"

	"slotd/internal/calendar"
)

// Service is what differs between Google and Microsoft when a booking is written: the requests, and what the responses
// mean.
type Service interface {
	Send(ctx context.Context, r Request) (*Response, error)

	Find(uid string) Request // the events with the booking's UID
	Create(e calendar.Entry) Request
	Update(e calendar.Entry, last calendar.EntryRef) Request // only if the event still has last's tag
	Delete(last calendar.EntryRef) Request                   // likewise
	Get(id string) Request

	// The zero EntryRef means that there is no event, or that it is deleted.
	ReadFound(*Response) (calendar.EntryRef, error)
	ReadEvent(*Response) (calendar.EntryRef, error)
	// ReadCreated returns ErrChanged if the service responded with another writer's event.
	ReadCreated(*Response, calendar.Entry) (calendar.EntryRef, error)

	NoCalendarError() error
}

// Put writes a booking, as calendar.Writer says. A repeated attempt finds the event of the first by its UID.
func Put(ctx context.Context, s Service, e calendar.Entry, last calendar.EntryRef) (calendar.EntryRef, error) {
	if last.ID != "" {
		return modify(ctx, s, s.Update(e, last), last.ID)
	}
	if current, err := find(ctx, s, e.UID); err != nil || current.ID != "" {
		return calendar.Changed(current, err)
	}
	answer, err := s.Send(ctx, s.Create(e))
	if err != nil {
		return calendar.EntryRef{}, err
	}
	switch answer.Status {
	case http.StatusNotFound:
		return calendar.EntryRef{}, s.NoCalendarError()
	case http.StatusConflict, http.StatusBadRequest:
		// Another writer may have been faster: Google responds with 400 if its event has a higher sequence.
		if current, err := find(ctx, s, e.UID); err != nil || current.ID != "" {
			return calendar.Changed(current, err)
		}
	}
	return s.ReadCreated(answer, e)
}

// Delete removes a booking, as calendar.Writer says.
func Delete(ctx context.Context, s Service, uid string, last calendar.EntryRef) (calendar.EntryRef, error) {
	if last.ID == "" {
		current, err := find(ctx, s, uid)
		if err != nil || current.ID == "" {
			return calendar.EntryRef{}, err
		}
		return current, calendar.ErrChanged
	}
	current, err := modify(ctx, s, s.Delete(last), last.ID)
	if current.ID == "" && err == calendar.ErrChanged {
		return current, nil
	}
	return current, err
}

// modify sends a request that applies only to the event with the tag. If the event has another one, modify looks up
// which.
func modify(ctx context.Context, s Service, r Request, id string) (calendar.EntryRef, error) {
	answer, err := s.Send(ctx, r)
	if err != nil {
		return calendar.EntryRef{}, err
	}
	switch {
	case answer.Status == http.StatusNoContent:
		return calendar.EntryRef{}, nil
	case answer.isGone():
		return calendar.EntryRef{}, calendar.ErrChanged
	case answer.Status != http.StatusPreconditionFailed:
		return s.ReadEvent(answer)
	}
	if answer, err = s.Send(ctx, s.Get(id)); err != nil || answer.isGone() {
		return calendar.Changed(calendar.EntryRef{}, err)
	}
	return calendar.Changed(s.ReadEvent(answer))
}

func find(ctx context.Context, s Service, uid string) (calendar.EntryRef, error) {
	answer, err := s.Send(ctx, s.Find(uid))
	if err != nil {
		return calendar.EntryRef{}, err
	}
	if answer.Status == http.StatusNotFound {
		return calendar.EntryRef{}, s.NoCalendarError()
	}
	return s.ReadFound(answer)
}

func (a *Response) isGone() bool {
	return a.Status == http.StatusNotFound || a.Status == http.StatusGone
}
