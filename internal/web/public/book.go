package public

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/web/kit"
	"slotd/internal/workspace"
)

// maxForm is more than the longest notes in the widest letters, percent-encoded.
const maxForm = 128 << 10

// posted reads a form of ours.
func (v *visit) posted() error {
	if kit.IsCrossSite(v.r, v.BaseURL) {
		return slotd.Errorf(slotd.Unauthorized, "The form comes from another site.")
	}
	if err := kit.ReadForm(v.w, v.r, maxForm); err != nil {
		return err
	}
	for _, values := range v.r.PostForm {
		if len(values) > 1 {
			return slotd.Errorf(slotd.InvalidArgument, "A field stands twice in the form.")
		}
	}
	return nil
}

// book makes the booking that the form asks for. Whatever is wrong, what was typed is kept.
func (v *visit) book() error {
	p, e, err := v.eventType(v.r.Context())
	if err != nil {
		return err
	}
	if err := v.posted(); err != nil {
		return err
	}
	ask, who := askedBy(v.r), viewerOf(v.r, p.TimeZone)
	if ask.slot.IsZero() {
		return slotd.Errorf(slotd.InvalidArgument, "No time was chosen.")
	}
	form := v.newForm(p, e, who, ask)
	request, id, ok := v.request(p, e, who, ask, form)
	if !ok {
		return v.showForm(http.StatusUnprocessableEntity, p, e, form)
	}
	request.Idempotency = repeatOf(id, request)
	if e.Price != nil {
		return v.checkout(p, e, who, form, request)
	}
	b, err := v.Booking.Create(v.r.Context(), booking.Actor{WorkspaceID: p.WorkspaceID, Name: "page"}, request)
	if err == nil {
		return v.leave(v.path() + v.Links.Path(links.Booking, p.WorkspaceID, b.ID)[1:])
	}
	var no *slotd.Error
	if !errors.As(err, &no) || !form.explain(no, who) {
		return err
	}
	return v.showForm(v.status(no), p, e, form)
}

// explain says on the form itself why it could not be booked, if another try may help.
func (f *formView) explain(no *slotd.Error, who viewer) bool {
	switch no.Code {
	case slotd.SlotUnavailable:
		f.Lost = true
		for _, t := range no.Alternatives {
			f.Alternatives = append(f.Alternatives,
				timeLink{Slot: slotd.Instant(t), Name: who.local.DayOfYear(t) + ", " + who.local.Time(t)})
		}
	case slotd.RateLimited:
		f.Trouble = "Many bookings were made from your network just now. Please press the button again in " +
			count(limit.Seconds(no.RetryAfter), "second") + "."
	case slotd.CalendarUnavailable:
		f.Trouble = errorPages[no.Code].Title + ". Please press the button again in a few minutes."
	default:
		return false
	}
	return true
}

// request is what the form asks for. If it is not ok, the form says why.
func (v *visit) request(p *snapshot.Snapshot, e *slotd.EventType, who viewer, ask asked,
	form *formView) (r booking.Request, id uuid.UUID, ok bool) {
	id, age, ok := v.readForm(p.WorkspaceID, v.r.PostForm.Get("form"))
	switch {
	case v.r.PostForm.Get("leave_empty") != "":
		form.Trouble = "One field has to stay empty: it is there to stop programs that fill in everything. Please " +
			"press the button once more."
		return r, id, false
	case !ok:
		form.Trouble = "This page was open for a long time. Please check what you typed and press the button once more."
		return r, id, false
	case age < formAtBest:
		// No person is that quick, but a browser that fills in forms is. So it waits and is not refused.
		v.Wait(formAtBest - max(age, 0))
	}
	form.Token = v.r.PostForm.Get("form")
	r = booking.Request{
		EventType: e.Slug, StartsAt: ask.slot, Notes: ask.guest.notes(),
		Attendee: slotd.Attendee{Name: ask.guest.Name, Email: ask.guest.Email, TimeZone: who.local.ZoneName()},
		Permit:   v.permit,
	}
	form.Problems = ask.guest.problems(e.Location.Ask)
	return r, id, len(form.Problems) == 0
}

// permit counts what a guest makes.
func (v *visit) permit() error {
	return kit.TooMany(v.Bookings.Take(v.Client(v.r), v.now))
}

// permitHold also counts what is held: it costs nothing and keeps others away, so there is less of it. A form that
// replaces its own does not hold more.
func (v *visit) permitHold(replaces bool) error {
	if err := v.permit(); err != nil || replaces {
		return err
	}
	return kit.TooMany(v.Holds.Take(v.Client(v.r), v.now))
}

// notes is where a phone number that was asked for stands, as agents put it there too.
func (g guest) notes() string {
	if g.Phone == "" {
		return g.Notes
	}
	return strings.TrimSpace(phoneLabel + g.Phone + "\n" + g.Notes)
}

const phoneLabel = "Phone: "

func (g guest) problems(askPhone bool) (all []problem) {
	add := func(field, value, what, reason string) {
		switch {
		case reason == "":
		case value == "":
			all = append(all, problem{field, "Please give your " + what + "."})
		default:
			all = append(all, problem{field, "Your " + what + " " + reason + "."})
		}
	}
	add("name", g.Name, "name", workspace.CheckAttendeeName(g.Name))
	add("email", g.Email, "e-mail address", only(!workspace.ValidEmail(g.Email), "must look like grace@example.com"))
	if askPhone || g.Phone != "" {
		add("phone", g.Phone, "phone number", workspace.CheckName(g.Phone))
	}
	phone := utf8.RuneCountInString(g.notes()) - utf8.RuneCountInString(g.Notes) // stands in the notes, too
	add("notes", g.Notes, "notes", workspace.CheckText(g.Notes, workspace.MaxNotes-phone))
	return all
}

// repeatOf makes the same form, sent twice with the same content, one booking.
func repeatOf(form uuid.UUID, r booking.Request) *booking.Idempotency {
	content := sha256.Sum256([]byte(url.Values{"": {slotd.Instant(r.StartsAt), r.Attendee.Name, r.Attendee.Email,
		r.Attendee.TimeZone, r.Notes}}.Encode()))
	return &booking.Idempotency{TokenID: "page", Key: fmt.Sprintf("%x.%x", form[:], content[:12])}
}
