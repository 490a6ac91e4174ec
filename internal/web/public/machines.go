package public

import (
	"fmt"
	"io"
	"strings"

	"slotd"
	"slotd/internal/availability/snapshot"
)

// linked is a node of JSON-LD. Agents that land on a page find the endpoint in it.
type linked map[string]any

func (v *visit) aboutWorkspace(p *snapshot.Snapshot) linked {
	offers := []linked{}
	for i := range p.EventTypes {
		if e := &p.EventTypes[i]; e.Public() {
			offers = append(offers, linked{"@type": "Offer", "itemOffered": v.service(p, e)})
		}
	}
	return linked{
		"@context": "https://schema.org", "@type": "Organization", "name": p.Name,
		"url":        v.BaseURL + "/" + p.Slug,
		"makesOffer": offers, "potentialAction": v.endpoint(p, ""),
	}
}

func (v *visit) aboutEvent(p *snapshot.Snapshot, e *slotd.EventType) linked {
	about := v.service(p, e)
	about["@context"] = "https://schema.org"
	about["provider"] = linked{"@type": "Organization", "name": p.Name, "url": v.BaseURL + "/" + p.Slug}
	about["potentialAction"] = []linked{
		{"@type": "ReserveAction", "target": linked{"@type": "EntryPoint",
			"urlTemplate": v.Booking.URL(p.Slug, e.Slug) + "?slot={slot}&name={name}&email={email}"}},
		v.endpoint(p, e.Slug),
	}
	return about
}

func (v *visit) service(p *snapshot.Snapshot, e *slotd.EventType) linked {
	s := linked{"@type": "Service", "name": e.Title, "description": firstLine(e.Description, e.Title),
		"url": v.Booking.URL(p.Slug, e.Slug)}
	if e.Price != nil {
		amount, currency, _ := strings.Cut(e.Price.String(), " ")
		s["offers"] = linked{"@type": "Offer", "price": amount, "priceCurrency": currency}
	}
	return s
}

// endpoint says how a program does what the page lets people do.
func (v *visit) endpoint(p *snapshot.Snapshot, eventType string) linked {
	how := fmt.Sprintf("MCP endpoint (JSON-RPC 2.0). Call list_public_event_types or get_availability with workspace %q", p.Slug)
	if eventType != "" {
		how += fmt.Sprintf(" and event_type %q", eventType)
	}
	return linked{
		"@type": "Action", "name": "Model Context Protocol", "description": how + "; no token is needed to read.",
		"target": linked{"@type": "EntryPoint", "urlTemplate": v.BaseURL + "/api/mcp", "httpMethod": "POST",
			"contentType": "application/json"},
	}
}

const llmsText = `# slotd

> A scheduling server: people book on its pages, programs through one MCP endpoint.

- Endpoint: %[1]s/api/mcp (POST, JSON-RPC 2.0, Model Context Protocol, streamable HTTP, stateless)
- A workspace's slug is the first part of its page's address: %[1]s/WORKSPACE
- An event type's slug is the second: %[1]s/WORKSPACE/EVENT_TYPE

## Without a token
- list_public_event_types {"workspace": "WORKSPACE"}
- get_availability {"workspace": "WORKSPACE", "event_type": "EVENT_TYPE", "start_date": "YYYY-MM-DD", "days": 7}

## With a token of the workspace, as Authorization: Bearer TOKEN
- create_booking, reschedule_booking, cancel_booking

## Without a token, for a person
- Send them to %[1]s/WORKSPACE/EVENT_TYPE?slot=SLOT&name=NAME&email=EMAIL, with a slot that get_availability returned. The page is filled in; they press one button.

Slots are UTC instants. Show them to a person in that person's own time zone, and send them back unchanged.

    curl -s %[1]s/api/mcp -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_availability","arguments":{"workspace":"WORKSPACE","event_type":"EVENT_TYPE"}}}'
`

func (v *visit) llms() error {
	h := v.w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "public, max-age=3600")
	_, err := io.WriteString(v.w, fmt.Sprintf(llmsText, v.BaseURL))
	return err
}
