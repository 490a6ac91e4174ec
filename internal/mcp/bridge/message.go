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

// message is one line, decoded only as far as the bridge needs. The text itself is forwarded unchanged.
type message struct {
	text        []byte
	id          json.RawMessage // exactly as sent
	wantsAnswer bool
	method      string
	name        *string // name of the tool, prompt or resource, if the method has one
	version     string  // set in modern messages only
}

// refusal is an answer that the bridge gives itself, because there is nothing to send to the server.
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
	fields, ok := decodeObject(l.text)
	if !ok {
		return message{}, &refusal{codeInvalidRequest,
			"The line is not a JSON object. Send one JSON-RPC message per line; batches are not taken."}
	}
	return newMessage(l.text, fields), nil
}

func newMessage(text []byte, fields map[string]json.RawMessage) message {
	m := message{text: text, id: fields["id"]}
	m.method, _ = decodeString(fields["method"])
	m.wantsAnswer = m.id != nil && !isResponse(fields)
	params, _ := decodeObject(fields["params"])
	if name, ok := decodeString(params[nameField(m.method)]); ok {
		m.name = &name
	}
	meta, _ := decodeObject(params["_meta"])
	m.version, _ = decodeString(meta["io.modelcontextprotocol/protocolVersion"])
	return m
}

// isResponse reports whether the message is the host's own answer, which also has an id but must not be answered.
func isResponse(fields map[string]json.RawMessage) bool {
	return fields["method"] == nil && (fields["result"] != nil || fields["error"] != nil)
}

// nameField returns the parameter that Mcp-Name repeats, or "" for methods without one.
func nameField(method string) string {
	switch method {
	case "tools/call", "prompts/get":
		return "name"
	case "resources/read":
		return "uri"
	}
	return ""
}

// decodeObject decodes into a map, because encoding/json matches struct field names regardless of case.
func decodeObject(raw []byte) (map[string]json.RawMessage, bool) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(raw, &fields)
	return fields, err == nil && fields != nil
}

func decodeString(raw json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

func errorLine(id json.RawMessage, code int, text string) []byte {
	message, _ := json.Marshal(text) // encoding a string cannot fail
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, message)
}
