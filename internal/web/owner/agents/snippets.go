package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
)

// snippet is a configuration or command that is ready to be pasted.
type snippet struct{ ID, Title, Where, Text string }

// Command reports whether the snippet is one line for a terminal.
func (s snippet) Command() bool { return !strings.HasPrefix(s.Text, "{") }

// placeholder stands in for a token that can no longer be shown.
const placeholder = "slotd_mcp_…"

// jsonObject is a JSON object that keeps the order of its fields, because people read it.
type jsonObject []jsonField

type jsonField struct {
	name  string
	value any
}

func (o jsonObject) MarshalJSON() ([]byte, error) {
	out := bytes.NewBufferString("{")
	for i, f := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(compactJSON(f.name) + ":" + compactJSON(f.value))
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// compactJSON leaves < and & unescaped: the page escapes these texts, and people read them.
func compactJSON(value any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // strings, lists and objects always encode
	}
	return string(bytes.TrimSpace(out.Bytes()))
}

func prettyJSON(value any) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(compactJSON(value)), "", "  "); err != nil {
		panic(err)
	}
	return out.String()
}

// snippets returns the ways to connect an agent. If eventType is empty, the curl example lists the tools instead of
// open times.
func snippets(url, token, workspace, eventType string) []snippet {
	if token == "" {
		token = placeholder
	}
	bearer := jsonObject{{"Authorization", "Bearer " + token}}
	return []snippet{
		{"claude-code", "Claude Code", "Run this in a terminal.",
			fmt.Sprintf(`claude mcp add --transport http slotd %s --header "Authorization: Bearer %s"`, url, token)},
		{"claude-desktop", "Claude Desktop",
			"Settings, Developer, Edit Config: claude_desktop_config.json. It starts the local bridge, so the " +
				"program slotd must be on that computer.",
			prettyJSON(servers("mcpServers", jsonObject{
				{"command", "slotd"}, {"args", []string{"bridge", "--url", url}},
				{"env", jsonObject{{"SLOTD_TOKEN", token}}},
			}))},
		{"cursor", "Cursor", ".cursor/mcp.json in a project, or in your home folder.",
			prettyJSON(servers("mcpServers", jsonObject{{"url", url}, {"headers", bearer}}))},
		{"vs-code", "VS Code", ".vscode/mcp.json. VS Code asks for the token once and keeps it, so that it does not " +
			"stand in the file.", prettyJSON(forVSCode(url))},
		{"other-http", "Any other host that speaks HTTP", "Its MCP configuration.",
			prettyJSON(servers("mcpServers", jsonObject{{"type", "http"}, {"url", url}, {"headers", bearer}}))},
		{"bridge", "The bridge alone",
			"For a host that only runs local servers: an MCP server on standard input and output.",
			fmt.Sprintf("SLOTD_TOKEN=%s slotd bridge --url %s", token, url)},
		{"curl", "curl", "Reading works without the token too; booking, moving and canceling need it.",
			curl(url, token, workspace, eventType)},
	}
}

func servers(name string, slotd jsonObject) jsonObject {
	return jsonObject{{name, jsonObject{{"slotd", slotd}}}}
}

func forVSCode(url string) jsonObject {
	ask := jsonObject{{"type", "promptString"}, {"id", "slotd-token"}, {"description", "slotd access token"},
		{"password", true}}
	entry := jsonObject{{"type", "http"}, {"url", url},
		{"headers", jsonObject{{"Authorization", "Bearer ${input:slotd-token}"}}}}
	return jsonObject{{"inputs", []jsonObject{ask}}, {"servers", jsonObject{{"slotd", entry}}}}
}

func curl(url, token, workspace, eventType string) string {
	body := toolsList()
	if eventType != "" {
		body = getAvailability(workspace, eventType)
	}
	return fmt.Sprintf("curl -s %s -H 'Content-Type: application/json' -H 'Authorization: Bearer %s' -d '%s'", url,
		token, compactJSON(body))
}

func toolsList() jsonObject { return request(1, "tools/list", nil) }

func getAvailability(workspace, eventType string) jsonObject {
	return request(2, "tools/call", jsonObject{
		{"name", "get_availability"}, {"arguments", jsonObject{{"workspace", workspace}, {"event_type", eventType}}},
	})
}

func request(id int, method string, params jsonObject) jsonObject {
	r := jsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}}
	if params != nil {
		r = append(r, jsonField{"params", params})
	}
	return r
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
