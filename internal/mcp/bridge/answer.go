package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"unicode/utf8"
)

// answer turns the server's reply into the host's line, or returns a sentence for people that explains why it cannot.
func (b *bridge) answer(m message, r reply) (line []byte, problem string) {
	if r.status/100 == 3 {
		return nil, b.redirected(r)
	}
	if !m.wantsAnswer {
		return nil, b.rejectedNotification(r)
	}
	fields, ok := parseAnswer(r.body)
	if !ok {
		return nil, b.invalidAnswer(r)
	}
	if !isAnswerTo(fields, m.id) {
		return nil, fmt.Sprintf("%s answered another request than the one sent. Check what stands between here and "+
			"the server, such as a proxy that caches.", displayURL(b.endpoint))
	}
	return answerLine(m.id, fields), ""
}

// parseAnswer requires a result or a real error object. Proxies also send JSON such as {"error":"no such app"}, and a
// host would wait forever after it.
func parseAnswer(body []byte) (map[string]json.RawMessage, bool) {
	fields, ok := decodeObject(body)
	if !ok || !utf8.Valid(body) {
		return nil, false
	}
	problem, _ := decodeObject(fields["error"])
	return fields, (fields["result"] != nil) != (problem["code"] != nil)
}

// isAnswerTo accepts an error without an id, which a server sends when it refuses a message before reading it.
func isAnswerTo(fields map[string]json.RawMessage, id json.RawMessage) bool {
	got := fields["id"]
	if fields["result"] == nil && (got == nil || bytes.Equal(got, noID)) {
		return true
	}
	return sameValue(got, id)
}

// sameValue compares decoded values, because the server may spell the id differently, for example with other escapes.
func sameValue(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := decodeValue(a)
	y, errY := decodeValue(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

func decodeValue(raw json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // ids above 2⁵³ may differ only in their last digits
	err = d.Decode(&v)
	return v, err
}

// answerLine writes the request's own id, byte for byte, and the rest on one line.
func answerLine(id json.RawMessage, fields map[string]json.RawMessage) []byte {
	kind := "result"
	if fields[kind] == nil {
		kind = "error"
	}
	var line bytes.Buffer
	fmt.Fprintf(&line, `{"jsonrpc":"2.0","id":%s,"%s":`, id, kind)
	_ = json.Compact(&line, fields[kind]) // fields was decoded before, so it is valid
	line.WriteByte('}')
	return line.Bytes()
}

// rejectedNotification explains why the server rejected a notification. It returns "" if the server accepted it: a
// notification has no answer.
func (b *bridge) rejectedNotification(r reply) string {
	if r.status/100 == 2 {
		return ""
	}
	return fmt.Sprintf("%s refused the notification with %s.", displayURL(b.endpoint), statusText(r))
}

// rememberVersion stores the version that an initialize answer agreed on. A failed initialize changes nothing.
func (b *bridge) rememberVersion(answer []byte) {
	fields, _ := decodeObject(answer)
	result, _ := decodeObject(fields["result"])
	if version, ok := decodeString(result["protocolVersion"]); ok {
		b.version = version
	}
}

func statusText(r reply) string {
	return fmt.Sprintf("HTTP %d %s", r.status, http.StatusText(r.status))
}
