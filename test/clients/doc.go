// Package clients proves that slotd's endpoint works with clients that other people wrote.
//
// It runs the real program and drives all five tools with the official Go SDK, mcp-go, both
// generations of the TypeScript SDK, the Inspector and mcp-remote, and lets the protocol's
// conformance suite judge the endpoint. It looks at nothing inside the program.
package clients
