package clients

import (
	"encoding/json"
	"testing"
)

const inspector = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"

func TestInspector_EachEra(t *testing.T) {
	t.Parallel()
	needNPM(t)
	for _, era := range []string{"legacy", "auto", "modern"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			p := startProgram(t)
			inspect := func(arguments ...string) object {
				t.Helper()
				return runInspector(t, append([]string{"--cli", p.endpoint, "--transport", "http", "--protocol-era",
					era,
					"--format", "json"}, arguments...)...)
			}
			if tools := inspect("--method", "tools/list", "--strict")["tools"].([]any); len(tools) != 5 {
				t.Errorf("listed %d tools", len(tools))
			}
			call := []string{"--method", "tools/call", "--tool-name"}
			open := inspect(append(call, "get_availability", "--tool-arg", "workspace=demo", "event_type=intro",
				"days=14")...)
			slots := open["structuredContent"].(object)["slots"].([]any)
			booking, err := json.Marshal(object{
				"event_type": "intro", "slot_start": slots[40], "attendee_name": "Grace Okafor",
				"attendee_email": "grace@example.com", "attendee_time_zone": "Europe/Berlin",
			})
			if err != nil {
				t.Fatal(err)
			}
			booked := inspect(append(call, "create_booking", "--tool-args-json", string(booking), "--header",
				"Authorization: Bearer "+p.token)...)
			if booked["structuredContent"].(object)["booked"] != true {
				t.Errorf("booking answered %v", booked)
			}
		})
	}
}

// runInspector runs the Inspector and returns its result. With --strict it prints problems to standard error, which
// must stay empty.
func runInspector(t *testing.T, arguments ...string) object {
	t.Helper()
	r := runNode(t, inspector, arguments...)
	if r.err != nil || r.stderr != "" {
		t.Fatalf("inspector %q: %v\n%s%s", arguments, r.err, r.stderr, r.stdout)
	}
	var answer struct{ Result object }
	if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil {
		t.Fatalf("inspector %q printed %s", arguments, r.stdout)
	}
	return answer.Result
}
