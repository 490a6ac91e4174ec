package mcp

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"slotd/internal/web/webtest"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func TestToolsList_IsTheGoldenFile(t *testing.T) {
	const path = "testdata/tools/list.json"
	var got bytes.Buffer
	a := lite(t).post(listTools)
	if err := json.Indent(&got, []byte(a.Body), "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("tools/list has changed; look at it and run go test -update:\n%s", got.Bytes())
	}
}

func TestToolsList_IsAtMost8000BytesInBothEras(t *testing.T) {
	w := lite(t)
	body, header := modernRequest("tools/list", "")
	for era, a := range map[string]answer{"legacy": w.post(listTools), "modern": w.post(body, header...)} {
		if len(a.Body) > 8000 {
			t.Errorf("%s: %d bytes", era, len(a.Body))
		}
	}
}

// specified lists the tools in the specification's order, with their arguments and the keys of their results.
var specified = []struct {
	name               string
	required, optional []string
	result             []string
	hints              [4]bool // read only, destructive, idempotent, open world
}{
	{"list_public_event_types", []string{"workspace"}, nil, []string{"workspace", "event_types"},
		[4]bool{true, false, true, false}},
	{"get_availability", []string{"workspace", "event_type"}, []string{"start_date", "days"},
		[]string{"event_type", "range", "slot_count", "slots", "truncated", "booking_url"},
		[4]bool{true, false, true, false}},
	{"create_booking", []string{"event_type", "slot_start", "attendee_name", "attendee_email", "attendee_time_zone"},
		[]string{"notes"},
		[]string{"booked", "booking_id", "starts_at", "ends_at", "location", "join_url", "cancel_url",
			"reschedule_url"}, [4]bool{false, false, false, true}},
	{"reschedule_booking", []string{"booking_id", "slot_start"}, nil,
		[]string{"rescheduled", "booking_id", "starts_at", "ends_at", "location", "join_url"},
		[4]bool{false, true, true, true}},
	{"cancel_booking", []string{"booking_id"}, nil, []string{"canceled", "booking_id", "event_title", "refunded_cents"},
		[4]bool{false, true, true, true}},
}

func TestToolsList_HoldsTheFiveToolsInOrder(t *testing.T) {
	tools := lite(t).post(listTools).wantResult(t)["tools"].([]any)
	if len(tools) != len(specified) {
		t.Fatalf("%d tools", len(tools))
	}
	for i, want := range specified {
		got := tools[i].(object)
		webtest.WantKeys(t, got, "name", "title", "description", "inputSchema", "outputSchema", "annotations")
		if got["name"] != want.name || got["title"] == "" || got["description"] == "" {
			t.Errorf("tool %d is %v, want %s", i, got["name"], want.name)
		}
		input := got["inputSchema"].(object)
		webtest.WantKeys(t, input["properties"].(object), slices.Concat(want.required, want.optional)...)
		wantStrings(t, input["required"], want.required)
		if input["additionalProperties"] != false {
			t.Errorf("%s takes more arguments than it has", want.name)
		}
		output := got["outputSchema"].(object)
		webtest.WantKeys(t, output["properties"].(object), want.result...)
		wantStrings(t, output["required"], want.result)
		hints := got["annotations"].(object)
		webtest.WantKeys(t, hints, "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
		if want.hints != [4]bool{hints["readOnlyHint"].(bool), hints["destructiveHint"].(bool),
			hints["idempotentHint"].(bool), hints["openWorldHint"].(bool)} {
			t.Errorf("%s: annotations %v", want.name, hints)
		}
	}
}

func wantStrings(t *testing.T, got any, want []string) {
	t.Helper()
	list, _ := got.([]any)
	same := len(list) == len(want)
	for i := 0; same && i < len(want); i++ {
		same = list[i] == want[i]
	}
	if !same {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestResults_FitTheirOutputSchema checks all results, because clients reject structuredContent that does not match.
func TestResults_FitTheirOutputSchema(t *testing.T) {
	w := lite(t)
	schemas := map[string]object{}
	for _, tool := range w.post(listTools).wantResult(t)["tools"].([]any) {
		schemas[tool.(object)["name"].(string)] = tool.(object)["outputSchema"].(object)
	}
	created := w.create("fresh", at("02-02 10:00")).OK()
	id := created["booking_id"].(string)
	for tool, result := range map[string]object{
		"list_public_event_types": w.call("list_public_event_types", `{"workspace":"acme"}`).OK(),
		"get_availability":        w.availability("intro", "").OK(),
		"create_booking":          created,
		"reschedule_booking":      w.move(id, at("02-02 11:00")).OK(),
		"cancel_booking":          w.cancel(id).OK(),
	} {
		wantFit(t, tool, schemas[tool], result)
	}
}

// wantFit checks a value against a schema. It supports only the keywords of JSON Schema that the output schemas use.
func wantFit(t *testing.T, path string, schema object, value any) {
	t.Helper()
	if options, ok := schema["anyOf"].([]any); ok {
		for _, option := range options {
			if kindFits(option.(object)["type"], value) {
				wantFit(t, path, option.(object), value)
				return
			}
		}
	}
	if !kindFits(schema["type"], value) {
		t.Errorf("%s: %v is no %v", path, value, schema["type"])
		return
	}
	switch v := value.(type) {
	case object:
		properties := schema["properties"].(object)
		for _, name := range schema["required"].([]any) {
			if !webtest.HasKey(v, name.(string)) {
				t.Errorf("%s: %s is missing", path, name)
			}
		}
		for name, member := range v {
			if !webtest.HasKey(properties, name) {
				t.Errorf("%s: %s is not in the schema", path, name)
				continue
			}
			wantFit(t, path+"."+name, properties[name].(object), member)
		}
	case []any:
		for _, element := range v {
			wantFit(t, path+"[]", schema["items"].(object), element)
		}
	}
}

func kindFits(kind, value any) bool {
	switch v := value.(type) {
	case object:
		return kind == "object"
	case []any:
		return kind == "array"
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	default:
		return kind == "null"
	}
}
