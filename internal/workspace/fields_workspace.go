package workspace

import "slotd"

type workspace = slotd.Workspace

// Fields are the fields of a workspace, apart from its schedules, event types and calendars.
var Fields = []Field[workspace]{
	{
		Name: "workspace", Required: true,
		Help: "who is booked",
		Kind: Object[workspace]{Fields: []Field[workspace]{
			{
				Name: "slug", Required: true,
				Help: "its part of all booking links; not a reserved word, and it never changes",
				Kind: text(func(w *workspace) *string { return &w.Slug }, slugFormat),
				rule: checkWorkspaceSlug,
			},
			{
				Name: "name", Required: true,
				Help: "what guests read at the top of the pages",
				Kind: text(func(w *workspace) *string { return &w.Name }, lineFormat),
			},
			{
				Name: "time_zone", Required: true,
				Help: "where its hours apply",
				Kind: text(func(w *workspace) *string { return &w.TimeZone }, zoneFormat),
			},
		}},
	},
	{
		Name: "host", Required: true,
		Help: "the person whose time is booked",
		Kind: Object[workspace]{Fields: []Field[workspace]{
			{
				Name: "name", Required: true,
				Help: "whom guests meet",
				Kind: text(func(w *workspace) *string { return &w.Host.Name }, lineFormat),
			},
			{
				Name: "email", Required: true,
				Help: "where the emails about bookings go",
				Kind: text(func(w *workspace) *string { return &w.Host.Email }, emailFormat),
			},
		}},
	},
	{
		Name: "look",
		Help: "how the booking pages and emails look",
		Kind: Object[workspace]{Fields: []Field[workspace]{
			{
				Name: "accent",
				Help: "the color of buttons and links",
				Kind: text(func(w *workspace) *string { return &w.Look.Accent }, colorFormat),
			},
			{
				Name: "logo",
				Help: "shown 40 pixels high",
				Kind: text(func(w *workspace) *string { return &w.Look.Logo }, logoFormat),
			},
		}},
	},
	{
		Name: "embed",
		Help: "other sites with the booking pages",
		Kind: Object[workspace]{Fields: []Field[workspace]{
			{
				Name:    "allowed_sites",
				Help:    "which sites may embed the booking pages",
				Example: `["https://acme.example"]`,
				Kind: Texts[workspace]{Format: siteFormat,
					MaxItems: maxAllowedSites, Items: "sites", At: func(w *workspace) *[]string { return &w.Embed.AllowedSites }},
			},
		}},
	},
}

func checkWorkspaceSlug(c *checker, path string, w *workspace) { c.add(path, checkReserved(w.Slug)) }
