// Package calendars tests the built program with connected calendars, as its users would: real Radicale and Xandikos
// servers, fakes of Google and Microsoft, and calendar servers that fail.
package calendars
