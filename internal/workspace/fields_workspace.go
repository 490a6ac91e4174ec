package workspace

import (
	"slotd"
	"slotd/internal/lib/color"
	"slotd/internal/lib/say"
)

type workspace = slotd.Workspace

// Fields are the fields of a workspace, apart from its schedules, event types and calendars.
var Fields = []Field[workspace]{
	{
		Name: "workspace", Required: true,
		Help: "who is booked",
		Kind: Object[workspace]{Fields: []Field[workspace]{
			{
				Name: "slug", Required: true, Fixed: true, Input: "slug", Label: "Your booking link",
				Hint: "lowercase letters, numbers and hyphens; can't be changed later",
				Help: "its part of all booking links; not a reserved word, and it never changes",
				Kind: text(func(w *workspace) *string { return &w.Slug }, slugFormat),
				rule: checkWorkspaceSlug,
			},
			{
				Name: "name", Required: true, Input: "name", Label: "Workspace name",
				Hint: "yours, or your company's",
				Help: "what guests read at the top of the pages",
				Kind: text(func(w *workspace) *string { return &w.Name }, lineFormat),
			},
			{
				Name: "time_zone", Required: true, Input: "zone", Label: "Time zone",
				Hint: "or a city",
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
				Name: "name", Required: true, Input: "name", Label: "Name",
				Help: "whom guests meet",
				Kind: text(func(w *workspace) *string { return &w.Host.Name }, lineFormat),
			},
			{
				Name: "email", Required: true, Input: "email", Label: "Email",
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
				Name: "accent", Input: "accent", Label: "Color",
				Hint: "leave blank for " + color.Default,
				Help: "the color of buttons and links",
				Kind: text(func(w *workspace) *string { return &w.Look.Accent }, colorFormat),
			},
			{
				Name: "logo", Input: "logo", Label: "Logo",
				Hint: "an https address; leave blank for none",
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
				Name: "allowed_sites", Input: "sites", Label: "Sites allowed to embed your pages",
				Hint:    say.Sentence(say.T("one per line, such as https://acme.example; at most %d", maxAllowedSites)),
				Help:    "which sites may embed the booking pages",
				Example: `["https://acme.example"]`,
				Kind: Texts[workspace]{Format: siteFormat,
					MaxItems: maxAllowedSites, Items: "sites", At: func(w *workspace) *[]string { return &w.Embed.AllowedSites }},
			},
		}},
	},
}

func checkWorkspaceSlug(c *checker, path string, w *workspace) { c.add(path, checkReserved(w.Slug)) }
