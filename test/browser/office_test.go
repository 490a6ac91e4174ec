package browser

import (
	"cmp"
	"fmt"
	"time"
)

// monday is the time at which most tests start: an hour before the first slot.
var monday = time.Date(2030, 11, 4, 8, 0, 0, 0, time.UTC)

// office is a workspace with one event type of each kind. Its fields replace the owner's texts and settings; the zero
// value is an ordinary workspace.
type office struct{ slug, zone, name, host, title, text, accent, site string }

// file returns the workspace file.
func (o office) file() string {
	title, text := cmp.Or(o.title, "Intro call"),
		cmp.Or(o.text, "Thirty minutes to see if we fit.\nBring your questions.")
	return fmt.Sprintf(`
workspace: {slug: %q, name: %q, time_zone: %q}
host: {name: %q, email: ada@acme.example}
look: {accent: %q}
embed: {allowed_sites: [%q]}
schedules:
  default: {weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["09:00-17:00"], fri: ["09:00-17:00"]}}
  rare: {weekly: {}, overrides: {"2030-12-18": ["09:00-17:00"]}}
  never: {weekly: {}}
event_types:
  - {slug: intro, title: %q, description: %q, duration_minutes: 30, location: {type: video, url: "https://meet.example/ada"}}
  - {slug: call, title: Call back, duration_minutes: 30, location: {type: phone, ask: true}}
  - {slug: visit, title: %[7]q, description: %[8]q, duration_minutes: 60, location: {type: in_person, text: %[8]q}}
  - {slug: paid, title: %[7]q, duration_minutes: 60, location: {type: video}, price: {amount_cents: 5000, currency: usd}, refund_policy: {full_until_hours_before: 24}}
  - {slug: rare, title: Rarely, duration_minutes: 30, location: {type: video}, schedule: rare}
  - {slug: never, title: Never, duration_minutes: 30, location: {type: custom, text: Nowhere}, schedule: never}
`, cmp.Or(o.slug, "acme"), cmp.Or(o.name, "Acme Inc"), cmp.Or(o.zone, "UTC"), cmp.Or(o.host, "Ada Park"), cmp.Or(o.accent, "#0b7285"),
		cmp.Or(o.site, "https://acme.example"), title, text)
}

// unread is a workspace whose calendar is not connected yet, so it cannot be read.
const unread = `
workspace: {slug: unread, name: "Unread & Co", time_zone: UTC}
host: {name: Una, email: una@unread.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"]}}}
event_types:
  - {slug: intro, title: Intro, duration_minutes: 30, location: {type: video}}
calendars:
  - {name: private, type: google, write_back: true}
`

// bare is a workspace without anything to book.
const bare = `
workspace: {slug: bare, name: Bare, time_zone: UTC}
host: {name: Bo, email: bo@bare.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"]}}}
event_types:
  - {slug: secret, title: Secret, duration_minutes: 30, location: {type: video}, hidden: true}
`
