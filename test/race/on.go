//go:build race

// Package race tells tests whether the race detector watches them. It takes several times the memory and the time, so
// what measures either leaves that out.
package race

// Enabled reports whether the race detector is on.
const Enabled = true
