package clients

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goSDK is the official Go SDK's client.
type goSDK struct {
	t       *testing.T
	session *mcp.ClientSession
}

func TestGoSDK_EachRevision(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			p := startProgram(t)
			host, public := connectGoSDK(t, p.endpoint, p.token, version), connectGoSDK(t, p.endpoint, "", version)
			if got := host.session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("agreed on %s", got)
			}
			runDay(t, host, public)
		})
	}
}

// A client with an unknown newer revision learns from the rejection which revision both support.
func TestGoSDK_NewerRevisionComesDown(t *testing.T) {
	t.Parallel()
	p := startProgram(t)
	c := connectGoSDK(t, p.endpoint, p.token, "2099-01-01")
	if got := c.session.InitializeResult().ProtocolVersion; got != "2026-07-28" {
		t.Errorf("agreed on %s", got)
	}
}

func connectGoSDK(t *testing.T, endpoint, token, version string) *goSDK {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "slotd-test", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: endpoint, HTTPClient: checkingTransport{t, token}.client()}
	session, err := c.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect with %s: %v", version, err)
	}
	t.Cleanup(func() { session.Close() })
	result := session.InitializeResult()
	if result.Instructions == "" || result.Capabilities.Tools == nil || result.Capabilities.Tools.ListChanged {
		t.Errorf("the server introduced itself with %+v", result)
	}
	if result.ServerInfo == nil || result.ServerInfo.Name != "slotd" {
		t.Errorf("the server is called %+v", result.ServerInfo)
	}
	return &goSDK{t, session}
}

func (c *goSDK) tools() (tools []tool, err error) {
	for definition, err := range c.session.Tools(c.t.Context(), nil) {
		if err != nil {
			return nil, err
		}
		tool, err := remarshal[tool](definition)
		if err != nil {
			return nil, err
		}
		tools = append(tools, tool)
	}
	return tools, nil
}

func (c *goSDK) call(name string, arguments object) (toolResult, error) {
	result, err := c.session.CallTool(c.t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return toolResult{}, err
	}
	a := toolResult{failed: result.IsError, structured: result.StructuredContent}
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			a.texts = append(a.texts, text.Text)
		}
	}
	return a, nil
}
