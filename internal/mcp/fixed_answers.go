package mcp

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

//go:embed tools.json
var toolDefinitions []byte

const instructions = "slotd books meetings. Call list_public_event_types and get_availability before create_booking. " +
	"Slots are UTC instants: show them to a person in that person's own time zone, and send them back unchanged. " +
	"create_booking, reschedule_booking and cancel_booking need the workspace's token in the Authorization header; " +
	"the other tools need none."

// fixedAnswers holds the results that never change while the program runs, encoded once.
type fixedAnswers struct {
	tools      resultByEra
	discover   resultByEra
	initialize map[string][]byte // by the negotiated revision
	modernTail []byte            // the members that a modern result adds to a legacy one
}

// cacheTTLMillis is how long a client may cache tools/list and server/discover. They change only with the binary.
const cacheTTLMillis = 3_600_000

func newFixedAnswers(version string) fixedAnswers {
	info := map[string]string{"name": "slotd", "title": "slotd scheduling", "version": version}
	capabilities := map[string]any{"tools": map[string]any{}}
	modern := map[string]any{"resultType": "complete",
		"_meta": map[string]any{"io.modelcontextprotocol/serverInfo": info}}
	cached := map[string]any{"ttlMs": cacheTTLMillis, "cacheScope": "public"}

	tools := map[string]any{"tools": json.RawMessage(toolDefinitions)}
	discover := map[string]any{"supportedVersions": allVersions, "capabilities": capabilities, "serverInfo": info,
		"instructions": instructions}
	f := fixedAnswers{
		tools:      resultByEra{encode(tools), encode(tools, modern, cached)},
		discover:   resultByEra{encode(discover, cached), encode(discover, modern, cached)},
		initialize: map[string][]byte{},
	}
	for _, v := range legacyVersions {
		f.initialize[v] = encode(map[string]any{"protocolVersion": v, "capabilities": capabilities, "serverInfo": info,
			"instructions": instructions})
	}
	tail := encode(modern)
	f.modernTail = append([]byte(","), tail[1:]...) // {…} becomes ,…}
	return f
}

// encode merges objects into one and encodes it without needless escapes.
func encode(objects ...map[string]any) []byte {
	all := map[string]any{}
	for _, o := range objects {
		for name, value := range o {
			all[name] = value
		}
	}
	return marshal(all)
}

func marshal(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // all values are our own and can be encoded
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}
