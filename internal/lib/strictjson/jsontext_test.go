//go:build goexperiment.jsonv2

package strictjson

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// This file compares the package with the standard library's experiment, for docs/decisions/020-strictjson-stays.md:
//
//	GOEXPERIMENT=jsonv2 go test ./internal/lib/strictjson -run Jsontext -bench Jsontext

const createCall = `{"jsonrpc":"2.0","id":"b1f0","method":"tools/call","params":{"name":"create_booking","arguments":` +
	`{"event_type":"intro","slot_start":"2030-01-08T15:00:00.000Z","attendee_name":"Zoë Lee","attendee_email":` +
	`"zoe@guest.example","attendee_time_zone":"Europe/Berlin","notes":"Two lines,\nwith \"quotes\"."}}}`

const listCall = `{"jsonrpc":"2.0","id":"b1f0","method":"tools/list","params":{}}`

var requests = []struct{ name, text string }{
	{"create_booking", createCall},
	{"get_availability", toolsCall},
	{"tools_list", listCall},
	{"6000_names", hostile["names"](6000)},
	{"too_deep", hostile["deep"](32 << 10)},
}

var errTooDeep = errors.New("too deep")

// readTokens checks what Parse checks, and keeps nothing: what a replacement would cost at least.
func readTokens(d *jsontext.Decoder) error {
	for {
		if _, err := d.ReadToken(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if d.StackDepth() > depth {
			return errTooDeep
		}
	}
}

// envelope is how a handler would read a request with encoding/json/v2.
type envelope struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  string         `json:"method"`
	Params  struct {
		Name      string                    `json:"name"`
		Arguments map[string]jsontext.Value `json:"arguments"`
	} `json:"params"`
}

func BenchmarkJsontext(b *testing.B) {
	for _, r := range requests {
		data := []byte(r.text)
		b.Run(r.name+"/strictjson", func(b *testing.B) {
			var d Doc
			b.ReportAllocs()
			for b.Loop() {
				d.Parse(data, depth)
				d.Root().Get("params").Get("arguments")
			}
		})
		b.Run(r.name+"/jsontext", func(b *testing.B) {
			var reader bytes.Reader
			d := jsontext.NewDecoder(&reader)
			b.ReportAllocs()
			for b.Loop() {
				reader.Reset(data)
				d.Reset(&reader)
				readTokens(d)
			}
		})
		b.Run(r.name+"/jsonv2", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var e envelope
				json.Unmarshal(data, &e)
			}
		})
	}
}

// The two accept the same texts. encoding/json accepts the first four, too.
func TestJsontext_IsAsStrict(t *testing.T) {
	texts := []string{
		`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, "\"\xff\"", `"\ud800"`, `"\ud83d\ude00"`, `1 2`, `{} x`, ``, ` `, `01`, `-`,
		`1.`, `-0`, `1e999`, "\"a\tb\"", `"\x"`, `[1,]`, `{"a":1,}`, "\ufeff{}", `nul`, "\"\x7f\"", "\u00a01",
		strings.Repeat("[", depth) + strings.Repeat("]", depth), strings.Repeat("[", depth+1) + strings.Repeat("]", depth+1),
	}
	for _, shape := range hostile {
		texts = append(texts, shape(100))
	}
	for _, r := range requests {
		texts = append(texts, r.text)
	}
	for _, text := range texts {
		var d Doc
		if ours, theirs := d.Parse([]byte(text), depth), readOne(text); (ours == nil) != (theirs == nil) {
			t.Errorf("%.60q: we say %v, jsontext says %v", text, ours, theirs)
		}
	}
}

// readOne reads exactly one value.
func readOne(text string) error {
	d := jsontext.NewDecoder(strings.NewReader(text))
	for first := true; first || d.StackDepth() > 0; first = false {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		if d.StackDepth() > depth {
			return errTooDeep
		}
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return fmt.Errorf("more follows: %v", err)
	}
	return nil
}
