package agents

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"strings"

	"slotd/internal/lib/say"
)

// snippet is a configuration or command that is ready to be pasted.
type snippet struct {
	ID           string
	Title, Where say.Sentence
	Text         string
}

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
			strings.Join([]string{"claude mcp add --transport http slotd", url, "--header",
				`"Authorization: Bearer ` + token + `"`}, " ")},
		{"claude-desktop", "Claude Desktop",
			"Settings, Developer, Edit Config: claude_desktop_config.json. This starts the local bridge, so slotd " +
				"must be installed on that computer.",
			prettyJSON(servers("mcpServers", jsonObject{
				{"command", "slotd"}, {"args", []string{"bridge", "--url", url}},
				{"env", jsonObject{{"SLOTD_TOKEN", token}}},
			}))},
		{"cursor", "Cursor", "Add this to .cursor/mcp.json in a project or in your home folder.",
			prettyJSON(servers("mcpServers", jsonObject{{"url", url}, {"headers", bearer}}))},
		{"vs-code", "VS Code", "Add this to .vscode/mcp.json. VS Code asks for the token once and stores it " +
			"outside the file.", prettyJSON(forVSCode(url))},
		{"other-http", "Any other client that supports HTTP", "Add this to its MCP configuration.",
			prettyJSON(servers("mcpServers", jsonObject{{"type", "http"}, {"url", url}, {"headers", bearer}}))},
		{"bridge", "The bridge on its own",
			"For a client that only runs local servers: an MCP server on standard input and output.",
			strings.Join([]string{"SLOTD_TOKEN=" + token, "slotd bridge --url", url}, " ")},
		{"curl", "curl", "Reading also works without a token; booking, rescheduling and canceling need one.",
			curl(url, token, workspace, eventType)},
	}
}

func servers(name string, slotd jsonObject) jsonObject {
	return jsonObject{{name, jsonObject{{"slotd", slotd}}}}
}

func forVSCode(url string) jsonObject {
	ask := jsonObject{{"type", "promptString"}, {"id", "slotd-token"}, {"description", say.T("slotd access token")},
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
	return strings.Join([]string{"curl -s", url, "-H 'Content-Type: application/json'",
		"-H 'Authorization: Bearer " + token + "'", "-d '" + compactJSON(body) + "'"}, " ")
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
