// Package calendars holds the tests that drive the built program with connected calendars, as its users would: real
// Radicale and Xandikos, stand-ins for Google and Microsoft, and calendars' servers that are not well.
package calendars
