package workspace

import "slotd"

type workspace = slotd.Workspace

// Fields are the fields of a workspace, apart from its schedules, event types and calendars.
var Fields = []Field[workspace]{
	{Name: "workspace", Required: true, Kind: Object[workspace]{Fields: []Field[workspace]{
		{Name: "slug", Required: true, rule: checkWorkspaceSlug,
			Kind: text(func(w *workspace) *string { return &w.Slug }, slugFormat)},
		{Name: "name", Required: true, Kind: text(func(w *workspace) *string { return &w.Name }, lineFormat)},
		{Name: "time_zone", Required: true, Kind: text(func(w *workspace) *string { return &w.TimeZone }, zoneFormat)},
	}}},
	{Name: "host", Required: true, Kind: Object[workspace]{Fields: []Field[workspace]{
		{Name: "name", Required: true, Kind: text(func(w *workspace) *string { return &w.Host.Name }, lineFormat)},
		{Name: "email", Required: true, Kind: text(func(w *workspace) *string { return &w.Host.Email }, emailFormat)},
	}}},
	{Name: "look", Kind: Object[workspace]{Fields: []Field[workspace]{
		{Name: "accent", Kind: text(func(w *workspace) *string { return &w.Look.Accent }, colorFormat)},
		{Name: "logo", Kind: text(func(w *workspace) *string { return &w.Look.Logo }, logoFormat)},
	}}},
	{Name: "embed", Kind: Object[workspace]{Fields: []Field[workspace]{
		{Name: "allowed_sites", Example: `["https://acme.example"]`, Kind: Texts[workspace]{Format: siteFormat,
			MaxItems: maxAllowedSites, Items: "sites", At: func(w *workspace) *[]string { return &w.Embed.AllowedSites }}},
	}}},
}

func checkWorkspaceSlug(c *checker, path string, w *workspace) { c.add(path, checkReserved(w.Slug)) }
