package agents

import (
	"cmp"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func snippetsByID(url, token, eventType string) map[string]string {
	texts := map[string]string{}
	for _, s := range snippets(url, token, "acme", eventType) {
		texts[s.ID] = s.Text
	}
	return texts
}

func TestSnippets_NameTheRealURLAndTheToken(t *testing.T) {
	for _, token := range []string{"", "slotd_mcp_" + strings.Repeat("a", 49)} {
		for id, text := range snippetsByID("https://book.example/api/mcp", token, "intro") {
			if !strings.Contains(text, "https://book.example/api/mcp") {
				t.Errorf("%s does not say where: %s", id, text)
			}
			if holds := strings.Contains(text, cmp.Or(token, placeholder)); holds == (id == "vs-code") {
				t.Errorf("%s holds the token: %v", id, holds)
			}
		}
	}
}

func TestSnippets_AreTheJSONThatEachProgramReads(t *testing.T) {
	const url = "https://book.example/api/mcp"
	headers := map[string]any{"Authorization": "Bearer T"}
	local := map[string]any{"command": "slotd", "args": []any{"bridge", "--url", url},
		"env": map[string]any{"SLOTD_TOKEN": "T"}}
	ask := map[string]any{"type": "promptString", "id": "slotd-token", "description": "slotd access token",
		"password": true}
	texts := snippetsByID(url, "T", "intro")
	for id, want := range map[string]map[string]any{
		"claude-desktop": {"mcpServers": map[string]any{"slotd": local}},
		"cursor":         {"mcpServers": map[string]any{"slotd": map[string]any{"url": url, "headers": headers}}},
		"other-http": {"mcpServers": map[string]any{"slotd": map[string]any{"type": "http", "url": url,
			"headers": headers}}},
		"vs-code": {"inputs": []any{ask}, "servers": map[string]any{"slotd": map[string]any{
			"type": "http", "url": url, "headers": map[string]any{"Authorization": "Bearer ${input:slotd-token}"},
		}}},
	} {
		var got map[string]any
		if err := json.Unmarshal([]byte(texts[id]), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s, %v:\n%s", id, err, texts[id])
		}
	}
	for id, want := range map[string]string{
		"claude-code": `claude mcp add --transport http slotd https://book.example/api/mcp --header "Authorization: Bearer T"`,
		"bridge":      "SLOTD_TOKEN=T slotd bridge --url https://book.example/api/mcp",
	} {
		if texts[id] != want {
			t.Errorf("%s: %s", id, texts[id])
		}
	}
}

func TestSnippets_CurlSendsARequestThatTheEndpointTakes(t *testing.T) {
	for eventType, method := range map[string]string{"intro": "tools/call", "": "tools/list"} {
		body := regexp.MustCompile(` -d '(.*)'$`).FindStringSubmatch(snippetsByID("https://book.example/api/mcp", "T",
			eventType)["curl"])
		var request struct{ Jsonrpc, Method string }
		if len(body) != 2 || json.Unmarshal([]byte(body[1]), &request) != nil || request.Method != method ||
			request.Jsonrpc != "2.0" {
			t.Errorf("%q: %q", eventType, body)
		}
	}
}

// The README shows two of the snippets, which must match.
func TestSnippets_AreThoseOfTheREADME(t *testing.T) {
	readme, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json\n(\\{\"mcpServers.*?)```").FindAllSubmatch(readme, -1)
	for i, c := range []struct{ id, url string }{{"other-http", "http://127.0.0.1:8080/api/mcp"},
		{"claude-desktop", "https://book.example/api/mcp"}} {
		if i >= len(blocks) {
			t.Fatalf("the README has %d configurations", len(blocks))
		}
		var there, here any
		if err := json.Unmarshal(blocks[i][1], &there); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(snippetsByID(c.url, "", "")[c.id]), &here); err != nil ||
			!reflect.DeepEqual(here, there) {
			t.Errorf("%s: %v there, %v here", c.id, there, here)
		}
	}
}
