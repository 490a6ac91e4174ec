package bridge

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeInternal       = -32603
)

var noID = json.RawMessage("null")

// message is one line as far as the bridge looks into it. The text itself is forwarded untouched.
type message struct {
	text        []byte
	id          json.RawMessage // as it was sent
	wantsAnswer bool
	method      string
	name        *string // of the tool, prompt or resource, where the method has one
	version     string  // of a modern message
}

// refusal is an answer we give ourselves, because there is nothing a server could be asked.
type refusal struct {
	code int
	text string
}

func (l line) message() (message, *refusal) {
	if l.tooLong {
		return message{}, &refusal{codeInvalidRequest,
			fmt.Sprintf("The message is longer than %d bytes. Send a shorter one.", maxLine)}
	}
	if !utf8.Valid(l.text) || !json.Valid(l.text) {
		return message{}, &refusal{codeParse, "The line is not JSON. Send one JSON-RPC message per line, in UTF-8."}
	}
	fields, ok := object(l.text)
	if !ok {
		return message{}, &refusal{codeInvalidRequest,
			"The line is not a JSON object. Send one JSON-RPC message per line; batches are not taken."}
	}
	return newMessage(l.text, fields), nil
}

func newMessage(text []byte, fields map[string]json.RawMessage) message {
	m := message{text: text, id: fields["id"]}
	m.method, _ = str(fields["method"])
	m.wantsAnswer = m.id != nil && !isResponse(fields)
	params, _ := object(fields["params"])
	if name, ok := str(params[nameField(m.method)]); ok {
		m.name = &name
	}
	meta, _ := object(params["_meta"])
	m.version, _ = str(meta["io.modelcontextprotocol/protocolVersion"])
	return m
}

// isResponse tells a host's own answer, which has an id too, but must not be answered.
func isResponse(fields map[string]json.RawMessage) bool {
	return fields["method"] == nil && (fields["result"] != nil || fields["error"] != nil)
}

// nameField is the parameter that Mcp-Name repeats; "" for methods without one.
func nameField(method string) string {
	switch method {
	case "tools/call", "prompts/get":
		return "name"
	case "resources/read":
		return "uri"
	}
	return ""
}

// object decodes into a map, because encoding/json matches the names of struct fields in any case of letters.
func object(raw []byte) (map[string]json.RawMessage, bool) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(raw, &fields)
	return fields, err == nil && fields != nil
}

func str(raw json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

func errorLine(id json.RawMessage, code int, text string) []byte {
	message, _ := json.Marshal(text) // a string always encodes
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, message)
}
