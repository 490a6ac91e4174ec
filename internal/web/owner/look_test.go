package owner

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"slotd/internal/web/owner/branding"
	"slotd/internal/web/webtest"
)

func TestLook_IsWhatTheFileSays(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit("/settings/look",
		"name", "Acme & Söhne", "zone", "berlin", "accent", "AA3377", "logo", "https://cdn.acme.example/logo.svg",
		"sites", "https://acme.example/\r\n\r\n  http://localhost:3000 \r\nhttps://acme.example").leads("/settings/look?saved=1")
	file := w.export("acme")
	for _, want := range []string{"Acme & Söhne", "Europe/Berlin", `"#aa3377"`, "https://cdn.acme.example/logo.svg",
		`["https://acme.example", "http://localhost:3000"]`} {
		if !strings.Contains(file, want) {
			t.Errorf("no %s in\n%s", want, file)
		}
	}
	w.wantApplied("acme")
	p := ada.get("/settings/look?saved=1").says(200, "Saved.")
	for _, want := range []string{`accent-aa3377.css`, `<img class="logo" src="https://cdn.acme.example/logo.svg"`,
		`value="Europe/Berlin"`} {
		if !strings.Contains(p.Body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if policy := p.Header.Get("Content-Security-Policy"); !strings.Contains(policy,
		"img-src 'self' https://cdn.acme.example;") {
		t.Errorf("%s", policy)
	}
	ada.submit("/settings/look", "accent", "", "logo", "", "sites", "").leads("/settings/look?saved=1")
	if file := w.export("acme"); strings.Contains(file, "look:") || strings.Contains(file, "embed:") {
		t.Errorf("%s", file)
	}
	if got := w.notedAs("acme", "workspace.changed"); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

func TestLook_HostileValuesAreRefusedAndStayInTheForm(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	before := w.export("acme")
	many := ""
	for i := range 51 {
		many += fmt.Sprintf("https://s%d.example\n", i)
	}
	for _, c := range []struct{ field, value, reason string }{
		{"name", "", "Workspace name must not be empty"},
		{"name", strings.Repeat("x", 201), "at most 200"},
		{"name", "a\x00b", "control characters"},
		{"zone", "Nowhere/Land", "Time zone must be a city or a time zone"},
		{"zone", `"><script>alert(1)</script>`, "Time zone must"},
		{"zone", "", "Time zone must"},
		{"accent", "red", "six hexadecimal digits"},
		{"accent", "#12345", "six hexadecimal digits"},
		{"accent", "#123456;}body{display:none", "six hexadecimal digits"},
		{"logo", "http://acme.example/logo.svg", "Logo must be a full URL such as https://acme.example/logo.svg"},
		{"logo", "javascript:alert(1)", "Logo must be"},
		{"logo", "https://ada:secret@acme.example/x.svg", "no user name"},
		{"logo", "https://acme.example/" + strings.Repeat("x", 2000), "at most 2000"},
		{"logo", `https://acme.example/"><script>alert(1)</script>`, "Logo must"},
		{"sites", "https://good.example\nacme.example", `“acme.example” must be a site's origin`},
		{"sites", "https://acme.example/path", "must be a site's origin"},
		{"sites", "https://*.example", "must be a site's origin"},
		{"sites", "https://a.example; script-src *", "must be a site's origin"},
		{"sites", "<script>alert(1)</script>", "must be a site's origin"},
		{"sites", many, "at most 50 sites"},
	} {
		p := ada.submit("/settings/look", c.field, c.value).says(422, c.reason)
		if !strings.Contains(p.Body, `href="#`+c.field+`"`) || strings.Contains(p.Body, "<script>alert") {
			t.Errorf("%s %q: %s", c.field, c.value, p.Text())
		}
		if !strings.Contains(c.value, "\x00") &&
			!strings.Contains(html.UnescapeString(p.Body), strings.TrimSpace(c.value)) {
			t.Errorf("%s %q is lost", c.field, c.value)
		}
	}
	if w.export("acme") != before {
		t.Error("something was changed")
	}
}

func TestLook_TwoOwnersWhoEditIt(t *testing.T) {
	w := lite(t)
	ada, eve := w.ada(), w.owner("acme", "eve@acme.example")
	open := ada.get("/settings/look")
	eve.submit("/settings/mail", "name", "Eve").leads("/settings/mail?saved=1") // another thing is no conflict
	eve.submit("/settings/look", "accent", "#112233", "sites", "https://eve.example").leads("/settings/look?saved=1")
	p := ada.fill(open, "/settings/look", "name", "Acme GmbH").says(409, "Someone else changed this",
		"Color is now “#112233”", "Sites allowed to embed your pages is now https://eve.example")
	if strings.Contains(p.Text(), "Logo is") || strings.Contains(p.Text(), "Workspace name is now") ||
		!strings.Contains(p.Body, `value="Acme GmbH"`) {
		t.Errorf("%s", p.Text())
	}
	if strings.Contains(w.export("acme"), "GmbH") {
		t.Fatal("it was saved over theirs")
	}
	ada.fill(p, "/settings/look", "name", "Acme GmbH").leads("/settings/look?saved=1")
	if file := w.export("acme"); !strings.Contains(file, "Acme GmbH") || !strings.Contains(file, "eve.example") ||
		!strings.Contains(file, "#112233") || !strings.Contains(file, "name: Eve") {
		t.Errorf("saving again does not keep both:\n%s", file)
	}
	ada.fill(p, "/settings/look", "name", "Acme GmbH").leads("/settings/look?saved=1") // the same twice is no conflict
}

func TestLook_OfAnotherWorkspaceIsNobodysBusiness(t *testing.T) {
	w := lite(t)
	before := w.export("acme")
	bo := w.bo()
	bo.post("/settings/look", "workspace", "acme", "seen", "x", "name", "Bo's", "zone", "UTC").says(409,
		"another workspace")
	bo.submit("/settings/look", "name", "Bo's").leads("/settings/look?saved=1")
	if w.export("acme") != before {
		t.Error("bo has changed acme")
	}
}

func TestEmbedCode_IsWhatTheScriptReads(t *testing.T) {
	w := lite(t)
	w.Apply(strings.Replace(acme, "title: Intro call", `title: "\"><script>alert(1)</script> & 'co'"`, 1))
	p := w.ada().get("/settings/look").says(200, "No site can embed your pages yet",
		`<script src="https://book.example/embed.js" async></script>`,
		`<div data-slotd="https://book.example/acme" data-slotd-title="Acme Inc"></div>`,
		`<button type="button" data-slotd="https://book.example/acme/paid">Consulting</button>`,
		`<a href="https://book.example/acme/paid" data-slotd="https://book.example/acme/paid">Consulting</a>`)
	if strings.Contains(p.Body, "<script>alert") {
		t.Error("a title runs on our page")
	}
	for _, c := range codesOf(w) {
		for _, code := range []string{c.Frame, c.Button, c.Link} {
			scripts, holders := 0, 0
			for n := range webtest.ParsePart(t, code).Descendants() {
				if n.Tag == "script" {
					scripts++
				}
				if n.Attr("data-slotd") == c.Page {
					holders++
				}
			}
			if scripts != 1 || holders != 1 {
				t.Errorf("%d scripts, %d elements in %s", scripts, holders, code)
			}
		}
	}
}

func codesOf(w *world) []branding.EmbedCode {
	p, err := w.Site.Cache.Latest(background, w.id("acme"))
	w.Must(err)
	return branding.EmbedCodes(w.BaseURL, &p.Workspace)
}

func TestEmbedCode_OffersWhatGuestsAreOffered(t *testing.T) {
	w := lite(t)
	w.Apply(strings.Replace(acme, "slug: paid,", "slug: paid, hidden: true,", 1))
	if got := codesOf(w); len(got) != 2 || got[0].Page != baseURL+"/acme" || got[1].Page != baseURL+"/acme/intro" {
		t.Errorf("%+v", got)
	}
}
