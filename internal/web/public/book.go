package public

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
	"slotd/internal/workspace"
)

// maxForm is the largest accepted form body. It fits the longest notes in the widest characters, percent-encoded.
const maxForm = 128 << 10

// readForm reads a posted form. It rejects forms from other sites and forms with a repeated field.
func (v *visit) readForm() error {
	if kit.IsCrossSite(v.r, v.BaseURL) {
		return slotd.NewError(slotd.Unauthorized, slotd.Facts{})
	}
	if err := kit.ReadForm(v.w, v.r, maxForm); err != nil {
		return err
	}
	for _, values := range v.r.PostForm {
		if len(values) > 1 {
			return slotd.NewError(slotd.InvalidArgument, slotd.Facts{})
		}
	}
	return nil
}

// book creates the booking that the form asks for. If that fails, the form is shown again with what the guest typed.
func (v *visit) book() error {
	p, e, err := v.eventType(v.r.Context())
	if err != nil {
		return err
	}
	if err := v.readForm(); err != nil {
		return err
	}
	sel, who := readSelection(v.r), newViewer(v.r, p.TimeZone)
	if sel.slot.IsZero() {
		return slotd.NewError(slotd.InvalidArgument, slotd.Facts{})
	}
	form := v.newForm(p, e, who, sel)
	request, id, ok := v.bookingRequest(p, e, who, sel, form)
	if !ok {
		return v.showForm(http.StatusUnprocessableEntity, p, e, form)
	}
	request.Idempotency = idempotencyOf(id, request)
	if e.Price != nil {
		return v.checkout(p, e, who, form, request)
	}
	b, err := v.Booking.Create(v.r.Context(), booking.Page(p.WorkspaceID), request)
	if err == nil {
		return v.redirect(v.path() + v.Links.Path(links.Booking, p.WorkspaceID, b.ID)[1:])
	}
	var codeErr *slotd.Error
	if !errors.As(err, &codeErr) || !form.explain(codeErr, who) {
		return err
	}
	return v.showForm(v.status(codeErr), p, e, form)
}

// explain puts the reason for a failed booking on the form if another try may help. It reports whether it did.
func (f *formView) explain(err *slotd.Error, who viewer) bool {
	switch err.Code {
	case slotd.SlotUnavailable:
		f.SlotTaken = true
		for _, t := range err.Alternatives {
			f.Alternatives = append(f.Alternatives,
				timeLink{Slot: slotd.Instant(t), Name: who.local.DayOfYear(t) + ", " + who.local.Time(t)})
		}
	case slotd.RateLimited:
		f.Trouble = say.N(limit.Seconds(err.RetryAfter),
			"Many bookings were just made from your network. Please try again in %d second.",
			"Many bookings were just made from your network. Please try again in %d seconds.")
	case slotd.CalendarUnavailable:
		f.Trouble = say.T("The host's calendar can't be reached right now. Please try again in a few minutes.")
	default:
		return false
	}
	return true
}

// bookingRequest returns the booking request of the posted form and the form's id. If ok is false, form says why.
func (v *visit) bookingRequest(p *snapshot.Snapshot, e *slotd.EventType, who viewer, sel selection,
	form *formView) (r booking.Request, id uuid.UUID, ok bool) {
	id, age, ok := v.readFormToken(p.WorkspaceID, v.r.PostForm.Get("form"))
	switch {
	case v.r.PostForm.Get("leave_empty") != "":
		form.Trouble = say.T("A hidden field that stops spam was filled in, perhaps by your browser. Please press the " +
			"button again.")
		return r, id, false
	case !ok:
		form.Trouble = say.T("This page was open for a long time. Please check what you typed and press the button again.")
		return r, id, false
	case age < minFormAge:
		// No person is that quick, but a browser's autofill is. So the server waits and does not reject the form.
		v.Wait(minFormAge - max(age, 0))
	}
	form.Token = v.r.PostForm.Get("form")
	r = booking.Request{
		EventType: e.Slug, StartsAt: sel.slot, Notes: sel.guest.Notes,
		Attendee: slotd.Attendee{Name: sel.guest.Name, Email: sel.guest.Email, TimeZone: who.local.ZoneName(),
			Phone: sel.guest.Phone},
		Permit: v.permit,
	}
	form.Problems = sel.guest.problems(e.Location.Ask)
	return r, id, len(form.Problems) == 0
}

// permit counts a booking against the client's limit.
func (v *visit) permit() error {
	return kit.RateLimitError(v.Bookings.Take(v.Client(v.r), v.now))
}

// permitHold also counts a hold against a stricter limit: holds cost nothing and block the time for others. A form that
// replaces its own hold does not hold more.
func (v *visit) permitHold(replaces bool) error {
	if err := v.permit(); err != nil || replaces {
		return err
	}
	return kit.RateLimitError(v.Holds.Take(v.Client(v.r), v.now))
}

// problems validates the guest's fields.
func (g guest) problems(askPhone bool) (all []problem) {
	add := func(field, value string, err error) {
		if err != nil {
			all = append(all, problem{field, faultSentence(field, value, err)})
		}
	}
	add("name", g.Name, workspace.CheckAttendeeName(g.Name))
	add("email", g.Email, workspace.CheckEmail(g.Email))
	if askPhone || g.Phone != "" {
		add("phone", g.Phone, workspace.CheckName(g.Phone))
	}
	add("notes", g.Notes, workspace.CheckText(g.Notes, workspace.MaxNotes))
	return all
}

// idempotencyOf returns the key that makes one booking out of a form that is sent twice with the same content.
func idempotencyOf(form uuid.UUID, r booking.Request) *booking.Idempotency {
	typed := []string{slotd.Instant(r.StartsAt), r.Attendee.Name, r.Attendee.Email, r.Attendee.TimeZone, r.Notes}
	if r.Attendee.Phone != "" {
		typed = append(typed, r.Attendee.Phone)
	}
	return booking.FormIdempotency(form, url.Values{"": typed}.Encode())
}
