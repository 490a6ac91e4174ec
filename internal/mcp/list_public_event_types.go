package mcp

import (
	"slotd"
	"slotd/internal/availability/snapshot"
)

type workspaceResult struct {
	Slug     string `json:"slug"`
	Name     string `json:"name"`
	TimeZone string `json:"time_zone"`
}

type eventTypeResult struct {
	Slug            string             `json:"slug"`
	Title           string             `json:"title"`
	Description     string             `json:"description"`
	DurationMinutes int                `json:"duration_minutes"`
	LocationType    slotd.LocationType `json:"location_type"`
	Price           *slotd.Price       `json:"price"`
	BookingURL      string             `json:"booking_url"`
}

type listResult struct {
	Workspace  workspaceResult   `json:"workspace"`
	EventTypes []eventTypeResult `json:"event_types"`
}

func (c *call) listPublicEventTypes(args arguments) ([]byte, error) {
	if err := args.only("workspace"); err != nil {
		return nil, err
	}
	slug, err := args.slug("workspace", "acme")
	if err != nil {
		return nil, err
	}
	p, err := c.h.Cache.Workspace(c.r.Context(), slug)
	if err != nil {
		return nil, err
	}
	kept, question := &c.h.Cache.Responses, snapshot.ResponseKey{WorkspaceID: p.WorkspaceID}
	if answer, ok := kept.Find(question); ok && answer.Version == p.Config.Version {
		return answer.Body, nil
	}
	result := listResult{Workspace: workspaceResult{p.Slug, p.Name, p.TimeZone}, EventTypes: []eventTypeResult{}}
	for _, e := range p.EventTypes {
		if e.Public() {
			result.EventTypes = append(result.EventTypes, eventTypeResult{
				e.Slug, e.Title, e.Description, e.DurationMinutes, e.Location.Type, e.Price,
				c.h.Booking.URL(p.Slug, e.Slug),
			})
		}
	}
	content := contentOf(result)
	kept.Keep(question, snapshot.Response{Version: p.Config.Version, Body: content})
	return content, nil
}
