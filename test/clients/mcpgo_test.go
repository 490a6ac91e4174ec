package clients

import (
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// mcpGo is the client of mcp-go, the library most Go hosts used before there was an official one.
type mcpGo struct {
	t *testing.T
	c *mcpgo.Client
}

func TestMCPGo_EachRevision(t *testing.T) {
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
	over, err := transport.NewStreamableHTTP(endpoint, transport.WithHTTPBasicClient(wire{t, token}.client()))
	if err != nil {
		t.Fatal(err)
	}
	c := mcpgo.NewClient(over, mcpgo.WithProtocolVersion(version))
	t.Cleanup(func() { c.Close() })
	if err := c.Start(t.Context()); err != nil {
		t.Fatalf("start with %s: %v", version, err)
	}
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "slotd-test", Version: "1"}
	greeting, err := c.Initialize(t.Context(), hello)
	if err != nil {
		t.Fatalf("initialize with %s: %v", version, err)
	}
	if greeting.Instructions == "" || greeting.Capabilities.Tools == nil || greeting.Capabilities.Tools.ListChanged ||
		greeting.ServerInfo.Name != "slotd" {
		t.Errorf("the server introduced itself with %+v", greeting)
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

func (c *mcpGo) call(name string, arguments object) (answer, error) {
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = name, arguments
	result, err := c.c.CallTool(c.t.Context(), request)
	if err != nil {
		return answer{}, err
	}
	a := answer{failed: result.IsError, structured: result.StructuredContent}
	for _, content := range result.Content {
		if text, ok := content.(mcp.TextContent); ok {
			a.texts = append(a.texts, text.Text)
		}
	}
	return a, nil
}
