package clients

import (
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// mcpGo is the client of mcp-go, the library that most Go hosts used before there was an official one.
type mcpGo struct {
	t *testing.T
	c *mcpgo.Client
}

func TestMCPGo_EachRevision(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.ValidProtocolVersions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			p := startProgram(t)
			host, public := connectMCPGo(t, p.endpoint, p.token, version), connectMCPGo(t, p.endpoint, "", version)
			if got := host.c.ProtocolVersion(); got != version {
				t.Errorf("agreed on %s", got)
			}
			runDay(t, host, public)
		})
	}
}

func TestMCPGo_LeftToItselfTakesTheNewest(t *testing.T) {
	t.Parallel()
	p := startProgram(t)
	if got := connectMCPGo(t, p.endpoint, p.token, "").c.ProtocolVersion(); got != mcp.LATEST_PROTOCOL_VERSION {
		t.Errorf("agreed on %s", got)
	}
}

func connectMCPGo(t *testing.T, endpoint, token, version string) *mcpGo {
	t.Helper()
	streamable, err := transport.NewStreamableHTTP(endpoint,
		transport.WithHTTPBasicClient(checkingTransport{t, token}.client()))
	if err != nil {
		t.Fatal(err)
	}
	c := mcpgo.NewClient(streamable, mcpgo.WithProtocolVersion(version))
	t.Cleanup(func() { c.Close() })
	if err := c.Start(t.Context()); err != nil {
		t.Fatalf("start with %s: %v", version, err)
	}
	var request mcp.InitializeRequest
	request.Params.ClientInfo = mcp.Implementation{Name: "slotd-test", Version: "1"}
	result, err := c.Initialize(t.Context(), request)
	if err != nil {
		t.Fatalf("initialize with %s: %v", version, err)
	}
	if result.Instructions == "" || result.Capabilities.Tools == nil || result.Capabilities.Tools.ListChanged ||
		result.ServerInfo.Name != "slotd" {
		t.Errorf("the server introduced itself with %+v", result)
	}
	return &mcpGo{t, c}
}

func (c *mcpGo) tools() ([]tool, error) {
	list, err := c.c.ListTools(c.t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	return remarshal[[]tool](list.Tools)
}

func (c *mcpGo) call(name string, arguments object) (toolResult, error) {
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = name, arguments
	result, err := c.c.CallTool(c.t.Context(), request)
	if err != nil {
		return toolResult{}, err
	}
	a := toolResult{failed: result.IsError, structured: result.StructuredContent}
	for _, content := range result.Content {
		if text, ok := content.(mcp.TextContent); ok {
			a.texts = append(a.texts, text.Text)
		}
	}
	return a, nil
}
