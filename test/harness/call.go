package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// CallTool calls a tool of the server at url, as an agent does, and decodes what it returns. It returns an error if
// there is no valid response. The token may be empty.
func CallTool(client *http.Client, url, token, tool string, arguments, result any) error {
	request, err := ToolRequest(url, token, tool, arguments)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: status %d: %s", tool, response.StatusCode, body)
	}
	return ToolResult(body, result)
}

// ToolRequest returns the request that calls a tool. The arguments encode as a JSON object.
func ToolRequest(url, token, tool string, arguments any) (*http.Request, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(http.MethodPost, url+"/api/mcp", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return request, nil
}

// ToolResult decodes the text that a tool returns, which is {"error": …} if the call failed.
func ToolResult(body []byte, result any) error {
	var envelope struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(body, &envelope); err != nil || len(envelope.Result.Content) != 1 {
		return fmt.Errorf("no tool result: %s", body)
	}
	return json.Unmarshal([]byte(envelope.Result.Content[0].Text), result)
}
