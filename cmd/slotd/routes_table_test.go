package main

import "slotd/internal/identity/links"

// allowed lists every route of the server with the roles that may use it, by method. A route that is not in the table
// fails the test.
//
// The roles: n is anybody without a link or a session. a is an attendee with a booking's link. s is the owner of
// another workspace, who sees that workspace's pages where the route does not name one. o is the owner.
var allowed = map[string]rule{
	"/api/mcp":            {post: "naso", api: true},
	"/api/stripe/webhook": {api: true},
	"GET /healthz":        {get: "naso"},
	"GET /readyz":         {get: "naso"},

	"/{$}":                            {get: "naso", path: "/"},
	"/":                               {path: "/no/such/page"},
	"/{workspace}":                    {get: "naso"},
	"/{workspace}/{event_type}":       {get: "naso", post: "naso"},
	"/embed/{workspace}":              {get: "naso"},
	"/embed/{workspace}/{event_type}": {get: "naso", post: "naso"},
	"/embed/b/booking/{token}":        {get: "a", link: links.Booking},
	"/b/booking/{token}":              {get: "a", link: links.Booking},
	"/b/cancel/{token}":               {get: "a", post: "a", link: links.Cancel},
	"/b/reschedule/{token}":           {get: "a", post: "a", link: links.Reschedule},
	"/b/pay/{token}":                  {link: links.Pay},    // the booking is free
	"/b/unpaid/{token}":               {link: links.Unpaid}, // the booking is free
	"/b/ics/{token}":                  {get: "a", link: links.Calendar},
	"/b/host-ics/{token}":             {get: "a", link: links.HostCalendar},
	"/oauth/calendar":                 {},
	"/static/{hash}/{name}":           {get: "naso", path: "/static/x/style.css"},
	"/embed.js":                       {get: "naso"},
	"/favicon.ico":                    {get: "naso"},
	"/robots.txt":                     {get: "naso"},
	"/llms.txt":                       {get: "naso"},
	"/schemas/workspace.json":         {get: "naso"},

	"/setup":            {get: "so"},
	"/setup/{token}":    {},
	"/setup/workspace":  {get: "so", post: "so"},
	"/setup/hours":      {get: "so", post: "so"},
	"/setup/event-type": {get: "so", post: "so"},
	"/login":            {get: "naso", post: "naso"},
	"/login/again":      {get: "so"},
	"/login/{token}":    {},
	"/logout":           {post: "so"},

	"/settings":            {get: "so"},
	"/settings/workspaces": {get: "so", post: "so", form: "&to={workspace}"},

	"/settings/{page}":           {}, // no such page
	"/settings/{page}/{rest...}": {},

	"/settings/bookings":                 {get: "so"},
	"/settings/bookings.csv":             {get: "so"},
	"/settings/bookings.ics":             {get: "so"},
	"/settings/bookings/{id}":            {get: "o"},
	"/settings/bookings/{id}/reschedule": {get: "o", post: "o"},
	"/settings/bookings/{id}/cancel":     {get: "o", post: "o"},
	"/settings/people":                   {get: "so", post: "so"},
	"/settings/people/export":            {post: "so"},
	"/settings/people/erase":             {post: "so"},

	"/settings/event-types":          {get: "so", post: "so"},
	"/settings/event-types/new":      {get: "so", post: "so"},
	"/settings/event-types/preview":  {post: "so"},
	"/settings/event-types/{slug}":   {get: "o", post: "o"},
	"/settings/event-types/-/{slug}": {get: "o", post: "o"},

	"/settings/hours":                 {get: "so", post: "so"},
	"/settings/hours/{name}":          {get: "o", post: "o"},
	"/settings/hours/{name}/date":     {get: "so", post: "o"},
	"/settings/hours/{name}/dates":    {get: "so", post: "o"},
	"/settings/hours/{name}/away":     {get: "so", post: "o"},
	"/settings/hours/{name}/holidays": {get: "o", post: "o"},
	"/settings/hours/{name}/delete":   {get: "so", post: "o"},

	"/settings/calendars":                  {get: "so"},
	"/settings/calendars/new":              {get: "so"},
	"/settings/calendars/new/ics":          {get: "so", post: "so"},
	"/settings/calendars/new/caldav":       {get: "so", post: "so"},
	"/settings/calendars/new/caldav/found": {post: "so"},
	"/settings/calendars/new/google":       {get: "so", post: "so"},
	"/settings/calendars/new/microsoft":    {get: "so", post: "so"},
	"/settings/calendars/{id}":             {get: "o", post: "o", path: "/settings/calendars/{calendar}"},
	"/settings/calendars/{id}/test":        {post: "o", path: "/settings/calendars/{calendar}/test"},
	"/settings/calendars/{id}/read":        {post: "o", path: "/settings/calendars/{calendar}/read"},
	"/settings/calendars/{id}/consent":     {get: "o", path: "/settings/calendars/{calendar}/consent"},
	"/settings/calendars/{id}/disconnect":  {get: "o", post: "o", path: "/settings/calendars/{calendar}/disconnect"},

	"/settings/mcp":                 {get: "so", post: "so"},
	"/settings/mcp/revoke":          {post: "so", form: "&id={id}"},
	"/settings/mcp/try":             {get: "so", post: "so"},
	"/settings/payments":            {get: "so", post: "so"},
	"/settings/payments/check":      {post: "so"},
	"/settings/payments/compare":    {post: "so"},
	"/settings/payments/disconnect": {get: "so", post: "so"},
	"/settings/mail":                {get: "so", post: "so"},
	"/settings/mail/test":           {post: "so"},
	"/settings/mail/retry":          {post: "so"},
	"/settings/look":                {get: "so", post: "so"},

	"/settings/explain":                 {get: "so"},
	"/settings/members":                 {get: "so", post: "so"},
	"/settings/members/leave":           {post: "so"},
	"/settings/members/remove":          {post: "so"},
	"/settings/members/take-back":       {post: "so"},
	"/settings/activity":                {get: "so"},
	"/settings/doctor":                  {get: "so", post: "so"},
	"/settings/account":                 {get: "so", post: "so"},
	"/settings/account/password":        {post: "so"},
	"/settings/account/password/remove": {post: "so"},
	"/settings/account/session":         {post: "so", form: "&session={session}"},
	"/settings/account/sessions":        {post: "so"},
	"/settings/account/passkey":         {post: "so"},
	"/settings/account/passkey/begin":   {post: "so"},
	"/settings/account/passkey/remove":  {post: "o", form: "&passkey=AAAA"},
	"/login/passkey":                    {},
	"/login/passkey/begin":              {post: "naso"},
}

type rule struct {
	get, post string
	path      string        // if the pattern itself is not a path
	form      string        // form fields besides the workspace
	link      links.Purpose // purpose of the attendee's link that replaces {token}
	api       bool          // not a page: programs call it
}
