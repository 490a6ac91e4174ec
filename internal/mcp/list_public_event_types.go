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
	if err := args.allowOnly("workspace"); err != nil {
		return nil, err
	}
	slug, err := args.slug("workspace", "acme")
	if err != nil {
		return nil, err
	}
	snap, err := c.h.Cache.Workspace(c.r.Context(), slug)
	if err != nil {
		return nil, err
	}
	cache, key := &c.h.Cache.Responses, snapshot.ResponseKey{WorkspaceID: snap.WorkspaceID}
	if cached, ok := cache.Get(key); ok && cached.Version == snap.Config.Version {
		return cached.Body, nil
	}
	result := listResult{Workspace: workspaceResult{snap.Slug, snap.Name, snap.TimeZone},
		EventTypes: []eventTypeResult{}}
	for _, e := range snap.EventTypes {
		if e.Public() {
			result.EventTypes = append(result.EventTypes, eventTypeResult{
				e.Slug, e.Title, e.Description, e.DurationMinutes, e.Location.Type, e.Price,
				c.h.Booking.URL(snap.Slug, e.Slug),
			})
		}
	}
	content := contentOf(result)
	cache.Put(key, snapshot.Response{Version: snap.Config.Version, Body: content})
	return content, nil
}
