package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"unicode/utf8"
)

// answer turns the server's reply into the host's line, or says in a sentence for people why it cannot.
func (b *bridge) answer(m message, r reply) (line []byte, problem string) {
	if r.status/100 == 3 {
		return nil, b.redirected(r)
	}
	if !m.wantsAnswer {
		return nil, b.notTaken(r)
	}
	fields, ok := rpcAnswer(r.body)
	if !ok {
		return nil, b.notAnswer(r)
	}
	if !answers(fields, m.id) {
		return nil, fmt.Sprintf("%s answered another request than the one sent. Check what stands between here and "+
			"the server, such as a proxy that caches.", shown(b.endpoint))
	}
	return answerLine(m.id, fields), ""
}

// rpcAnswer wants a result or a real error object: proxies too send JSON such as {"error":"no such app"}, and a host
// would wait for ever after it.
func rpcAnswer(body []byte) (map[string]json.RawMessage, bool) {
	fields, ok := object(body)
	if !ok || !utf8.Valid(body) {
		return nil, false
	}
	problem, _ := object(fields["error"])
	return fields, (fields["result"] != nil) != (problem["code"] != nil)
}

// answers accepts an error without an id, which a server sends when it refuses a message before it reads it.
func answers(fields map[string]json.RawMessage, id json.RawMessage) bool {
	got := fields["id"]
	if fields["result"] == nil && (got == nil || bytes.Equal(got, noID)) {
		return true
	}
	return sameValue(got, id)
}

// sameValue leaves the server its own spelling of the id, such as other escapes.
func sameValue(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := decoded(a)
	y, errY := decoded(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

func decoded(raw json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // ids above 2⁵³ differ in their last digits only
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
	_ = json.Compact(&line, fields[kind]) // it was decoded before, so it is valid
	line.WriteByte('}')
	return line.Bytes()
}

// notTaken is all there is to say about a notification: nobody waits for its answer.
func (b *bridge) notTaken(r reply) string {
	if r.status/100 == 2 {
		return ""
	}
	return fmt.Sprintf("%s refused the notification with %s.", shown(b.endpoint), status(r))
}

// remember keeps the version that an initialize answer agreed on; a failed one changes nothing.
func (b *bridge) remember(answer []byte) {
	fields, _ := object(answer)
	result, _ := object(fields["result"])
	if version, ok := str(result["protocolVersion"]); ok {
		b.version = version
	}
}

func status(r reply) string {
	return fmt.Sprintf("HTTP %d %s", r.status, http.StatusText(r.status))
}
