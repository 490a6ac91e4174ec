package public

import (
	"net/http"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/links"
	"slotd/internal/workspace"
)

// maxReason is for a few sentences: the reason stands in the host's mail.
const maxReason = 1000

type cancelContent struct {
	*bookingView
	Typed   string
	Trouble string
}

// cancelPage asks; only its button cancels.
func (v *visit) cancelPage() error { return v.askToCancel(http.StatusOK, "", "") }

func (v *visit) askToCancel(status int, typed, trouble string) error {
	p, b, err := v.own(v.r.Context(), links.Cancel)
	if err != nil {
		return err
	}
	page := v.ownPage(p, b)
	page.Content = &cancelContent{page.Content.(*bookingView), typed, trouble}
	return v.show(status, "cancel", page)
}

func (v *visit) cancel() error {
	if err := v.posted(); err != nil {
		return err
	}
	p, b, err := v.own(v.r.Context(), links.Cancel)
	if err != nil {
		return err
	}
	reason := typed(v.r, "reason", maxReason)
	if wrong := workspace.CheckText(reason, maxReason); wrong != "" {
		return v.askToCancel(http.StatusUnprocessableEntity, reason, "The reason "+wrong+".")
	}
	_, err = v.Booking.Cancel(v.r.Context(), booking.Attendee(p.WorkspaceID), b.ID, reason)
	if slotd.Is(err, slotd.BookingPast) {
		return v.askToCancel(http.StatusConflict, "", "") // the page says that it is over
	} else if err != nil {
		return err
	}
	return v.leave(v.r.URL.Path)
}
