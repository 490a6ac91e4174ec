// Package clients checks that slotd's endpoint works with other people's clients.
//
// It runs the built program and calls all five tools with the official Go SDK, mcp-go, both generations of the
// TypeScript SDK, the Inspector and mcp-remote. It also runs the protocol's conformance suite against the endpoint. It
// uses nothing from inside the program.
package clients
