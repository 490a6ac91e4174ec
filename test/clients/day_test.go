package clients

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

// client is what day needs from a client library.
type client interface {
	tools() ([]tool, error)
	call(name string, arguments object) (toolResult, error)
}

type object = map[string]any

// tool is a tool definition as the library parsed it.
type tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  *jsonschema.Schema
	OutputSchema *jsonschema.Schema
	Annotations  object
}

// toolResult is a tool result as the library parsed it.
type toolResult struct {
	failed     bool
	structured any
	texts      []string
}

// day is the test of one booking's whole life through one client library.
type day struct {
	t            *testing.T
	host, public client // with the token, and without
	in, out      map[string]*jsonschema.Resolved
}

func runDay(t *testing.T, host, public client) {
	d := &day{t: t, host: host, public: public}
	d.listTools()
	d.listEventTypes()
	first, second := d.twoSlots()
	booking := object{
		"event_type": "intro", "slot_start": first, "attendee_name": "Grace Okafor",
		"attendee_email": "grace@example.com", "attendee_time_zone": "Europe/Berlin",
		"notes": "Zwölf Uhr paßt auch.\nDanke!",
	}
	d.mustFail(public, "create_booking", booking, "unauthorized")

	booked := d.mustSucceed(host, "create_booking", booking)
	id := booked["booking_id"].(string)
	d.want("booked", booked["booked"], true)
	d.want("starts_at", booked["starts_at"], first)
	d.want("ends_at", booked["ends_at"], halfAnHourAfter(t, first))
	if slices.Contains(d.slots(), first) {
		t.Errorf("%s is still offered after it was booked", first)
	}
	again := d.mustFail(host, "create_booking", booking, "slot_unavailable")
	d.want("booking_id of the refusal", again["booking_id"], id)
	if alternatives := again["alternatives"].([]any); len(alternatives) == 0 {
		t.Errorf("a taken slot was refused without alternatives")
	}
	paid := withField(booking, "event_type", "workshop")
	if refusal := d.mustFail(host, "create_booking", paid, "payment_required"); refusal["booking_url"] == "" {
		t.Errorf("a paid event type was refused without its booking_url")
	}

	move := object{"booking_id": id, "slot_start": second}
	d.mustFail(public, "reschedule_booking", move, "unauthorized")
	moved := d.mustSucceed(host, "reschedule_booking", move)
	d.want("starts_at", moved["starts_at"], second)
	d.want("the same move again", d.mustSucceed(host, "reschedule_booking", move), moved)
	if !slices.Contains(d.slots(), first) {
		t.Errorf("%s is not offered again after its booking moved", first)
	}

	d.mustFail(public, "cancel_booking", object{"booking_id": id}, "unauthorized")
	canceled := d.mustSucceed(host, "cancel_booking", object{"booking_id": id})
	d.want("canceled", canceled["canceled"], true)
	d.want("event_title", canceled["event_title"], "Intro call")
	d.want("refunded_cents", canceled["refunded_cents"], 0.0)
	d.want("the same cancel again", d.mustSucceed(host, "cancel_booking", object{"booking_id": id}), canceled)
	d.mustFail(host, "reschedule_booking", move, "booking_canceled")
	d.misuse()
}

func (d *day) listTools() {
	d.t.Helper()
	tools, err := d.public.tools()
	if err != nil {
		d.t.Fatalf("tools/list: %v", err)
	}
	var names []string
	d.in, d.out = map[string]*jsonschema.Resolved{}, map[string]*jsonschema.Resolved{}
	for _, tool := range tools {
		names = append(names, tool.Name)
		if tool.Title == "" || tool.Description == "" || len(tool.Annotations) < 4 {
			d.t.Errorf("%s lacks a title, a description or annotations: %+v", tool.Name, tool)
		}
		d.in[tool.Name], d.out[tool.Name] = d.resolve(tool.Name, tool.InputSchema),
			d.resolve(tool.Name, tool.OutputSchema)
	}
	d.want("the tools", names, []string{"list_public_event_types", "get_availability", "create_booking",
		"reschedule_booking", "cancel_booking"})
}

func (d *day) resolve(name string, schema *jsonschema.Schema) *jsonschema.Resolved {
	d.t.Helper()
	if schema == nil {
		d.t.Fatalf("%s lacks a schema", name)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		d.t.Fatalf("a schema of %s: %v", name, err)
	}
	return resolved
}

func (d *day) listEventTypes() {
	d.t.Helper()
	list := d.mustSucceed(d.public, "list_public_event_types", object{"workspace": "demo"})
	prices := object{}
	for _, e := range list["event_types"].([]any) {
		prices[e.(object)["slug"].(string)] = e.(object)["price"]
	}
	d.want("the event types' prices", prices,
		object{"intro": nil, "phone": nil, "workshop": object{"amount_cents": 15000.0, "currency": "usd"}})
}

func (d *day) slots() (slots []string) {
	d.t.Helper()
	open := d.mustSucceed(d.public, "get_availability", object{"workspace": "demo", "event_type": "intro", "days": 14})
	for _, s := range open["slots"].([]any) {
		slots = append(slots, s.(string))
	}
	return slots
}

// twoSlots returns two slots far enough ahead that neither passes while the test runs.
func (d *day) twoSlots() (first, second string) {
	d.t.Helper()
	slots := d.slots()
	if len(slots) < 60 {
		d.t.Fatalf("the demo offers %d slots in two weeks, too few", len(slots))
	}
	return slots[40], slots[50]
}

// misuse checks that the library reports mistakes as the protocol intends: wrong arguments as a result that a model can
// read, a wrong tool name as an error.
func (d *day) misuse() {
	d.t.Helper()
	d.mustFail(d.public, "get_availability", object{"workspace": "demo", "event_type": "intro", "days": 31},
		"invalid_argument")
	d.mustFail(d.public, "list_public_event_types", object{"workspace": "nobody"}, "workspace_not_found")
	if a, err := d.public.call("delete_everything", object{}); err == nil {
		d.t.Errorf("a tool that does not exist answered %+v", a)
	}
}

// mustSucceed calls a tool, which must succeed, and returns its result.
func (d *day) mustSucceed(c client, name string, arguments object) object {
	d.t.Helper()
	if err := d.in[name].Validate(arguments); err != nil {
		d.t.Errorf("the input schema of %s refuses right arguments: %v", name, err)
	}
	a := d.call(c, name, arguments)
	if a.failed {
		d.t.Fatalf("%s failed: %s", name, a.texts)
	}
	if err := d.out[name].Validate(a.structured); err != nil {
		d.t.Errorf("%s answered what its output schema refuses: %v", name, err)
	}
	d.want("the text of "+name, d.text(a), a.structured)
	return d.text(a)
}

// mustFail calls a tool, which must fail with the code, and returns the error.
func (d *day) mustFail(c client, name string, arguments object, code string) object {
	d.t.Helper()
	a := d.call(c, name, arguments)
	if !a.failed || a.structured != nil {
		d.t.Fatalf("%s: wanted %s without structured content, got %+v", name, code, a)
	}
	refusal := d.text(a)["error"].(object)
	d.want("the code of "+name, refusal["code"], code)
	if refusal["message"] == "" {
		d.t.Errorf("%s: %s without a message", name, code)
	}
	return refusal
}

func (d *day) call(c client, name string, arguments object) toolResult {
	d.t.Helper()
	a, err := c.call(name, arguments)
	if err != nil {
		d.t.Fatalf("%s: %v", name, err)
	}
	if len(a.texts) != 1 {
		d.t.Fatalf("%s answered %d texts", name, len(a.texts))
	}
	return a
}

func (d *day) text(a toolResult) (o object) {
	d.t.Helper()
	if err := json.Unmarshal([]byte(a.texts[0]), &o); err != nil {
		d.t.Fatalf("the text is no JSON object: %s", a.texts[0])
	}
	return o
}

func (d *day) want(what string, got, want any) {
	d.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		d.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func withField(o object, name string, value any) object {
	changed := object{}
	for n, v := range o {
		changed[n] = v
	}
	changed[name] = value
	return changed
}

func halfAnHourAfter(t *testing.T, instant string) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		t.Fatal(err)
	}
	return at.Add(30 * time.Minute).Format("2006-01-02T15:04:05.000Z07:00")
}

// remarshal converts a library's value to T through JSON.
func remarshal[T any](from any) (to T, err error) {
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, &to)
	}
	return to, err
}
