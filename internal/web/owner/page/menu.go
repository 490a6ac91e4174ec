package page

import "slotd/internal/lib/say"

// section is an entry of the menu.
type section struct {
	Path string
	Text say.Sentence
	Icon string
}

// Sections lists the entries in the order of the menu.
var Sections = []section{
	{"/settings/bookings", "Bookings", "calendar"},
	{"/settings/event-types", "Event types", "list"},
	{"/settings/hours", "Hours", "clock"},
	{"/settings/calendars", "Calendars", "calendar"},
	{"/settings/mcp", "MCP access", "agent"},
	{"/settings/payments", "Payments", "price"},
	{"/settings/mail", "Email", "mail"},
	{"/settings/look", "Branding and embed", "look"},
	{"/settings/explain", "Explain", "question"},
	{"/settings/people", "People's data", "people"},
	{"/settings/members", "Members", "people"},
	{"/settings/activity", "Activity", "list"},
	{"/settings/doctor", "System health", "doctor"},
}
