package public

import (
	"context"
	"strings"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
	"slotd/internal/workspace"
)

// eventCard is an event type as pages show it. What is shown as it is stored needs no field here.
type eventCard struct {
	*slotd.EventType
	Href        string
	Description string
	Duration    string // 1 hour 30 minutes
	Location    string
	Icon        string // the location's type
	Price       string // empty if free
	Refund      string
	Host        string
}

type workspaceContent struct {
	Name, Host string
	Events     []eventCard
}

// workspace returns the workspace that the URL names.
func (v *visit) workspace(ctx context.Context) (*snapshot.Snapshot, error) {
	slug := v.r.PathValue("workspace")
	if !workspace.ValidSlug(slug) {
		return nil, snapshot.WorkspaceNotFound(slug)
	}
	p, err := v.Cache.Workspace(ctx, slug)
	if err == nil {
		v.snapshot = p
	}
	return p, err
}

// eventType returns the public event type that the URL names, with its workspace.
func (v *visit) eventType(ctx context.Context) (*snapshot.Snapshot, *slotd.EventType, error) {
	p, err := v.workspace(ctx)
	if err != nil {
		return nil, nil, err
	}
	e := p.EventTypeBySlug(v.r.PathValue("event_type"))
	if e == nil || !e.Public() {
		return nil, nil, booking.EventTypeNotFound(p.Slug, v.r.PathValue("event_type"))
	}
	// Set for a free event type too: it may get a price while the page is open.
	v.payees = v.Accounts.CheckoutSites(p.Config)
	return p, e, nil
}

func (v *visit) workspacePage() error {
	p, err := v.workspace(v.r.Context())
	if err != nil {
		return err
	}
	key := snapshot.ResponseKey{WorkspaceID: p.WorkspaceID, Page: v.path()}
	return v.sendCached(p, key, nil, func() ([]byte, error) {
		page := v.page(p)
		page.Title, page.Description = p.Name, say.T("Book a time with %s.", p.Host.Name)
		page.URL, page.Home = v.BaseURL+"/"+p.Slug, ""
		content := workspaceContent{Name: p.Name, Host: p.Host.Name}
		for i := range p.EventTypes {
			if e := &p.EventTypes[i]; e.Public() {
				content.Events = append(content.Events, v.card(p, e))
			}
		}
		page.Content, page.LinkedData = content, v.workspaceLinkedData(p)
		return view.Render("workspace", page)
	})
}

// blank returns a page without content, with the branding of the workspace if it is known. Without the workspace's
// allowed sites, no browser would show it in a frame.
func (v *visit) blank() *kit.Page {
	if v.snapshot == nil {
		return &kit.Page{Embedded: v.embedded}
	}
	return v.page(v.snapshot)
}

// page returns a page with the workspace's branding.
func (v *visit) page(p *snapshot.Snapshot) *kit.Page {
	return &kit.Page{
		Face:     kit.Face{Name: p.Name, Accent: p.Look.Accent, Logo: p.Look.Logo},
		Home:     v.path(p.Slug),
		Embedded: v.embedded,
		Framers:  p.Embed.AllowedSites,
		Payees:   v.payees,
	}
}

func (v *visit) card(p *snapshot.Snapshot, e *slotd.EventType) eventCard {
	card := eventCard{
		EventType: e, Href: v.path(p.Slug, e.Slug), Description: strings.TrimSpace(e.Description),
		Duration: duration(e.DurationMinutes),
		Location: locationText(e.Location, p.Host), Icon: string(e.Location.Type), Host: p.Host.Name,
	}
	if e.Price != nil {
		card.Price, card.Refund = e.Price.String(), refundTerms(e.RefundPolicy)
	}
	return card
}
