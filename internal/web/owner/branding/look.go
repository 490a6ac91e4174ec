package branding

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/lib/color"
	"slotd/internal/web/owner/page"
)

var lookRoutes = []page.Route[visit]{
	page.At("/settings/look", page.Member, (*visit).lookPage, (*visit).saveLook),
}

type lookContent struct {
	page.Form
	Name, Zone    string
	Accent        string // as typed; empty: the default
	DefaultAccent string
	Picked        string // the value of the color picker
	Logo          string
	Image         string // the saved logo
	Sites         string // one on each line
	Codes         []EmbedCode
	NoSites       bool // none is saved
}

// lookVersion returns the version of exactly what the form shows.
func lookVersion(w *slotd.Workspace) string {
	return page.Versions("name", w.Name, "zone", w.TimeZone, "accent", normalizeColor(w.Look.Accent), "logo",
		w.Look.Logo, "sites", strings.Join(w.Embed.AllowedSites, "\n"))
}

func (v *visit) lookPage() error {
	w := &v.Snapshot.Workspace
	return v.showLook(http.StatusOK, &lookContent{
		Form: v.NewForm(lookVersion(w)), Name: w.Name, Zone: w.TimeZone, Accent: w.Look.Accent, Logo: w.Look.Logo,
		Sites: strings.Join(w.Embed.AllowedSites, "\n"),
	})
}

func (v *visit) showLook(status int, c *lookContent) error {
	c.DefaultAccent, c.Picked = color.Default, strings.ToLower(color.OrDefault(c.Accent))
	c.Image, c.NoSites = v.Snapshot.Look.Logo, len(v.Snapshot.Embed.AllowedSites) == 0
	c.Codes = EmbedCodes(v.BaseURL, &v.Snapshot.Workspace)
	return v.Show(status, "look", "Look and embed", c)
}

func (v *visit) saveLook() error {
	c := &lookContent{
		Form: v.NewForm(v.Value("seen")), Name: v.Value("name"), Zone: v.Value("zone"),
		Accent: normalizeColor(v.Value("accent")), Logo: v.Value("logo"), Sites: v.Value("sites"),
	}
	if zone, ok := page.FindZone(c.Zone); ok {
		c.Zone = zone
	}
	if c.Accent != "" && !color.Valid(c.Accent) {
		c.AddProblem("accent", "The colour must be a # and six hexadecimal digits, such as "+color.Default+".")
		return v.showLook(http.StatusUnprocessableEntity, c)
	}
	sites := siteLines(c.Sites)
	var now slotd.Workspace
	err := v.Edit(c.Version, func(w *slotd.Workspace) string { now = *w; return lookVersion(w) },
		func(w *slotd.Workspace) error {
			w.Name, w.TimeZone, w.Embed.AllowedSites = c.Name, c.Zone, sites
			w.Look = slotd.Look{Accent: c.Accent, Logo: c.Logo}
			return nil
		})
	switch {
	case errors.Is(err, page.ErrChanged):
		return v.lookChanged(c, &now)
	case c.AddProblems(err, lookField(sites)):
		return v.showLook(http.StatusUnprocessableEntity, c)
	case err != nil:
		return err
	}
	return v.Redirect("/settings/look?saved=1")
}

// lookChanged shows what somebody else has changed.
func (v *visit) lookChanged(c *lookContent, now *slotd.Workspace) error {
	c.Sites = strings.Join(siteLines(c.Sites), "\n")
	sites := now.Embed.AllowedSites
	c.Resolve(lookVersion(now),
		page.VersionedField{Name: "name", Label: "The name", Current: now.Name, Typed: &c.Name},
		page.VersionedField{Name: "zone", Label: "The time zone", Current: now.TimeZone, Typed: &c.Zone},
		page.VersionedField{Name: "accent", Label: "The colour", Current: normalizeColor(now.Look.Accent), Typed: &c.Accent},
		page.VersionedField{Name: "logo", Label: "The logo", Current: now.Look.Logo, Typed: &c.Logo},
		page.VersionedField{Name: "sites", Label: "The list of sites", Current: strings.Join(sites, "\n"),
			CurrentText: strings.Join(sites, ", "),
			Typed:       &c.Sites})
	return v.showLook(http.StatusConflict, c)
}

// normalizeColor also accepts a color without the number sign, and writes it as the color picker does.
func normalizeColor(accent string) string {
	if color.Valid("#" + accent) {
		accent = "#" + accent
	}
	if color.Valid(accent) {
		accent = strings.ToLower(accent)
	}
	return accent
}

// siteLines cleans up what people paste: a trailing slash, empty lines, duplicates.
func siteLines(text string) (sites []string) {
	for line := range strings.Lines(text) {
		site := strings.TrimSuffix(strings.TrimSpace(line), "/")
		if site != "" && !slices.Contains(sites, site) {
			sites = append(sites, site)
		}
	}
	return sites
}

func lookField(sites []string) func(path string) (field, subject string) {
	return func(path string) (field, subject string) {
		var i int
		if _, err := fmt.Sscanf(path, "embed.allowed_sites[%d]", &i); err == nil && i < len(sites) {
			return "sites", fmt.Sprintf("%.80q", sites[i])
		}
		switch path {
		case "workspace.time_zone":
			return "zone", "The time zone:"
		case "look.logo":
			return "logo", "The logo"
		case "embed.allowed_sites":
			return "sites", "The list"
		case "workspace.name":
			return "name", "The name"
		}
		return "name", path
	}
}
