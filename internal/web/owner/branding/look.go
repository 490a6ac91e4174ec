package branding

import (
	"net/http"
	"strings"

	"slotd/internal/lib/color"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

var lookRoutes = []page.Route[visit]{
	page.At("/settings/look", page.Member, (*visit).lookPage, (*visit).saveLook),
}

// form has the inputs of the page.
var form = inputs.New(workspace.Parts(workspace.Fields, "workspace", "look", "embed"), nil).Changeable()

type lookContent struct {
	inputs.Filled
	DefaultAccent string
	Picked        string // the value of the color picker
	Image         string // the saved logo
	Codes         []EmbedCode
	NoSites       bool // none is saved
}

func (v *visit) lookPage() error {
	w := &v.Snapshot.Workspace
	return v.showLook(http.StatusOK, &lookContent{Filled: form.Fill(v.NewForm(form.Version(w)), form.Show(w))})
}

func (v *visit) showLook(status int, c *lookContent) error {
	c.DefaultAccent, c.Picked = color.Default, strings.ToLower(color.OrDefault(c.Typed["accent"]))
	c.Image, c.NoSites = v.Snapshot.Look.Logo, len(v.Snapshot.Embed.AllowedSites) == 0
	c.Codes = EmbedCodes(v.BaseURL, &v.Snapshot.Workspace)
	return v.Show(status, "look", say.T("Branding and embed"), c)
}

func (v *visit) saveLook() error {
	c := &lookContent{Filled: form.Fill(v.NewForm(v.Value("seen")), form.Typed(v.Visit))}
	switch status, err := inputs.SaveWorkspace(v.Visit, form, &c.Filled); {
	case err != nil:
		return err
	case status != http.StatusOK:
		return v.showLook(status, c)
	}
	return v.Redirect("/settings/look?saved=1")
}
