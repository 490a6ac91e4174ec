package kit

import (
	"html/template"
	"strings"
	"testing"

	"slotd/internal/lib/say"
)

// Sentences that fill nothing in become text; the page is the same.
func TestInlineSentences_ShowTheSame(t *testing.T) {
	const text = `{{define "part"}}{{t "In a part"}}{{end}}<p title="{{t "In an attribute"}}">{{t "Plain."}}</p>` +
		`{{if .}}{{t "In an if"}}{{else}}{{t "In an else"}}{{end}}{{range .}}{{t "In a range"}}{{end}}` +
		`{{with .}}{{t "In a with"}}{{end}}{{template "part"}}` +
		"<p title=\"{{t `It's <b>bold</b>`}}\">{{t `It's <b>bold</b>, 100 %%`}}</p>{{t \"%s & Co\" .}}{{$x := t \"Kept\"}}{{$x}}"
	parsed := func() *template.Template { return template.Must(template.New("").Funcs(say.Funcs).Parse(text)) }
	render := func(page *template.Template) string {
		var out strings.Builder
		if err := page.Execute(&out, []string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	inlined := inlineSentences(parsed())
	root := inlined.Tree.Root.String() + inlined.Lookup("part").Tree.Root.String()
	for _, sentence := range []string{"In a part", "In an attribute", "Plain.", "In an if", "In an else", "In a range",
		"In a with"} {
		if strings.Contains(root, `t "`+sentence) || !strings.Contains(root, sentence) {
			t.Errorf("%q is not in the text of %s", sentence, root)
		}
	}
	if got, want := render(inlined), render(parsed()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
