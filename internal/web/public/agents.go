package public

import (
	"fmt"
	"io"
	"strings"

	"slotd"
	"slotd/internal/availability/snapshot"
)

// jsonLD is a JSON-LD node. Agents that open a page find the MCP endpoint in it.
type jsonLD map[string]any

func (v *visit) workspaceLinkedData(p *snapshot.Snapshot) jsonLD {
	offers := []jsonLD{}
	for i := range p.EventTypes {
		if e := &p.EventTypes[i]; e.Public() {
			offers = append(offers, jsonLD{"@type": "Offer", "itemOffered": v.serviceNode(p, e)})
		}
	}
	return jsonLD{
		"@context": "https://schema.org", "@type": "Organization", "name": p.Name,
		"url":        v.BaseURL + "/" + p.Slug,
		"makesOffer": offers, "potentialAction": v.endpointNode(p, ""),
	}
}

func (v *visit) eventLinkedData(p *snapshot.Snapshot, e *slotd.EventType) jsonLD {
	node := v.serviceNode(p, e)
	node["@context"] = "https://schema.org"
	node["provider"] = jsonLD{"@type": "Organization", "name": p.Name, "url": v.BaseURL + "/" + p.Slug}
	node["potentialAction"] = []jsonLD{
		{"@type": "ReserveAction", "target": jsonLD{"@type": "EntryPoint",
			"urlTemplate": v.Booking.URL(p.Slug, e.Slug) + "?slot={slot}&name={name}&email={email}"}},
		v.endpointNode(p, e.Slug),
	}
	return node
}

func (v *visit) serviceNode(p *snapshot.Snapshot, e *slotd.EventType) jsonLD {
	s := jsonLD{"@type": "Service", "name": e.Title, "description": firstLine(e.Description, e.Title),
		"url": v.Booking.URL(p.Slug, e.Slug)}
	if e.Price != nil {
		amount, currency, _ := strings.Cut(e.Price.String(), " ")
		s["offers"] = jsonLD{"@type": "Offer", "price": amount, "priceCurrency": currency}
	}
	return s
}

// endpointNode describes how a program does what the page lets people do.
func (v *visit) endpointNode(p *snapshot.Snapshot, eventType string) jsonLD {
	how := fmt.Sprintf("MCP endpoint (JSON-RPC 2.0). Call list_public_event_types or get_availability with workspace %q", p.Slug)
	if eventType != "" {
		how += fmt.Sprintf(" and event_type %q", eventType)
	}
	return jsonLD{
		"@type": "Action", "name": "Model Context Protocol", "description": how + "; no token is needed to read.",
		"target": jsonLD{"@type": "EntryPoint", "urlTemplate": v.BaseURL + "/api/mcp", "httpMethod": "POST",
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

// llms serves llms.txt, which describes the MCP endpoint to agents.
func (v *visit) llms() error {
	h := v.w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "public, max-age=3600")
	_, err := io.WriteString(v.w, fmt.Sprintf(llmsText, v.BaseURL))
	return err
}
