package mcp

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAppendString_IsTheStringInJSON(t *testing.T) {
	var all strings.Builder
	for c := range rune(0x2100) { // every control character, and what needs two and three bytes
		all.WriteRune(c)
	}
	for _, s := range []string{"", `"`, `\`, "\n\t\r\x00\x1f", "a\x1fb", all.String()} {
		encoded := appendString(nil, s)
		var got string
		if err := json.Unmarshal(encoded, &got); err != nil || got != s {
			t.Errorf("%q became %s, which is %q: %v", s, encoded, got, err)
		}
	}
}

// Models read the text as it is. Escapes that JSON does not need would only be in their way.
func TestResults_AreNotEscapedNeedlessly(t *testing.T) {
	w := lite(t)
	body := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call",` +
		`"params":{"name":"list_public_event_types","arguments":{"workspace":"acme"}}}`).Body
	if !strings.Contains(body, "Thirty <minutes> & a") || strings.Contains(body, `\u00`) {
		t.Errorf("%s", body)
	}
}
