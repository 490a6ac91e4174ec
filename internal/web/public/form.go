package public

import (
	"crypto/rand"
	"encoding/binary"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
)

// formView is the form for the time that was chosen.
type formView struct {
	Action   string
	Back     string // to the calendar
	Slot     string
	When     when.Span
	Zone     string
	AutoZone string // the same, where the browser's own would be better
	Token    string
	Guest    guest
	AskPhone bool
	Target   string // a frame is left for paying
	Price    string // as it is sent back; empty: it is free
	Cost     string // as it is shown
	Refund   string // what of it the guest may get back

	Problems     []problem  // with what was typed
	Trouble      string     // with anything else
	Lost         bool       // the time was taken in the meantime
	Alternatives []timeLink // what is open near it
}

// problem is what is wrong with one field.
type problem struct{ Field, Reason string }

// Wrong reports whether anything is wrong with the field.
func (f *formView) Wrong(field string) bool {
	return slices.ContainsFunc(f.Problems, func(p problem) bool { return p.Field == field })
}

// A form is good for a day. It is meant for people, who need a moment to fill it in.
const (
	formLives  = 24 * time.Hour
	formAtBest = time.Second
)

func (v *visit) newForm(p *snapshot.Snapshot, e *slotd.EventType, who viewer, ask asked) *formView {
	path, shared := v.path(p.Slug, e.Slug), ask.guest
	if v.r.Method == http.MethodPost { // what a person typed does not belong into an address
		shared = guest{}
	}
	form := &formView{
		Action:   path,
		Back:     newAddress(path, who, shared).with("date", who.local.Zone().Date(ask.slot).String()),
		Slot:     slotd.Instant(ask.slot),
		When:     who.local.Span(ask.slot, ask.slot.Add(e.Rules().Duration)),
		Zone:     who.local.ZoneName(),
		Token:    v.formToken(p.WorkspaceID),
		Guest:    ask.guest,
		AskPhone: e.Location.Ask,
	}
	if e.Price != nil {
		form.Price, form.Cost, form.Refund = writeShown(booking.ShownPriceOf(e)), e.Price.String(),
			refundAt(e.RefundPolicy, ask.slot, v.now)
		if v.embedded {
			form.Action, form.Target = "/"+p.Slug+"/"+e.Slug, "_top"
		}
	}
	if !who.chosen {
		form.AutoZone = form.Zone
	}
	return form
}

// formToken says when a form was given out, and which of all forms it is.
func (v *visit) formToken(workspaceID int64) string {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(v.now.UnixMilli()))
	rand.Read(id[8:])
	return v.Links.Token(links.Form, workspaceID, id)
}

// readForm is how old the form is. It is not ok if we did not give it out for this workspace, or too
// long ago.
func (v *visit) readForm(workspaceID int64, token string) (id uuid.UUID, age time.Duration, ok bool) {
	of, id, ok := v.Links.Verify(links.Form, token)
	age = v.now.Sub(time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]))))
	return id, age, ok && of == workspaceID && age < formLives
}
