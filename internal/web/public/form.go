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

// formView is the form for the chosen time.
type formView struct {
	Action   string
	Back     string // to the calendar
	Slot     string
	When     when.Span
	Zone     string
	AutoZone string // the same, if the script should replace it by the browser's own
	Token    string
	Guest    guest
	AskPhone bool
	Target   string // "_top" to leave a frame for paying
	Price    string // as the form sends it back; empty if free
	Cost     string // as the page shows it
	Refund   string // the refund terms

	Problems     []problem  // with what the guest typed
	Trouble      string     // with anything else
	SlotTaken    bool       // somebody else took the time
	Alternatives []timeLink // open times near it
}

// problem is what is wrong with one field.
type problem struct{ Field, Reason string }

// Wrong reports whether anything is wrong with the field.
func (f *formView) Wrong(field string) bool {
	return slices.ContainsFunc(f.Problems, func(p problem) bool { return p.Field == field })
}

// A form can be sent for a day. A form that is sent sooner than minFormAge was probably not filled in by a person.
const (
	formLifetime = 24 * time.Hour
	minFormAge   = time.Second
)

func (v *visit) newForm(p *snapshot.Snapshot, e *slotd.EventType, who viewer, sel selection) *formView {
	path, shared := v.path(p.Slug, e.Slug), sel.guest
	if v.r.Method == http.MethodPost { // what a person typed does not belong in a URL
		shared = guest{}
	}
	form := &formView{
		Action:   path,
		Back:     newPageURL(path, who, shared).with("date", who.local.Zone().Date(sel.slot).String()),
		Slot:     slotd.Instant(sel.slot),
		When:     who.local.Span(sel.slot, sel.slot.Add(e.Rules().Duration)),
		Zone:     who.local.ZoneName(),
		Token:    v.formToken(p.WorkspaceID),
		Guest:    sel.guest,
		AskPhone: e.Location.Ask,
	}
	if e.Price != nil {
		form.Price, form.Cost, form.Refund = formatShownPrice(booking.ShownPriceOf(e)), e.Price.String(),
			refundTermsAt(e.RefundPolicy, sel.slot, v.now)
		if v.embedded {
			form.Action, form.Target = "/"+p.Slug+"/"+e.Slug, "_top"
		}
	}
	if !who.zoneInURL {
		form.AutoZone = form.Zone
	}
	return form
}

// formToken returns a signed token with the form's time of issue and a random id.
func (v *visit) formToken(workspaceID int64) string {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(v.now.UnixMilli()))
	rand.Read(id[8:])
	return v.Links.Token(links.Form, workspaceID, id)
}

// readFormToken returns the form's id and age. It is not ok if the server did not issue the form for this workspace, or
// issued it too long ago.
func (v *visit) readFormToken(workspaceID int64, token string) (id uuid.UUID, age time.Duration, ok bool) {
	issuedFor, id, ok := v.Links.Verify(links.Form, token)
	age = v.now.Sub(time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]))))
	return id, age, ok && issuedFor == workspaceID && age < formLifetime
}
