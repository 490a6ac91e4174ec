package say

import (
	"html/template"
	"strings"
	"testing"
)

func TestN_OneAndOthers(t *testing.T) {
	for n, want := range map[int]string{0: "0 bookings of Ada", 1: "1 booking of Ada", 2: "2 bookings of Ada"} {
		if got := N(n, "%d booking of %s", "%d bookings of %s", "Ada"); got != want {
			t.Errorf("N(%d) = %q, want %q", n, got, want)
		}
	}
}

// Sentences in templates may have tags; what is filled in is escaped once, in text and in attributes.
func TestFuncs_EscapeWhatIsFilledIn(t *testing.T) {
	page := template.Must(template.New("").Funcs(Funcs).Parse(
		"<p>{{t `Ask <bdi>%s</bdi>, %d times` .Name 3}}</p><a title=\"{{t `Ask %s <b>now</b>` .Name}}\">" +
			"{{n 1 `%d time by %s` `%d times by %s` .Name}}</a>{{t `See %s` .Link}}"))
	var out strings.Builder
	err := page.Execute(&out, map[string]any{"Name": `<Ada & "Co">`, "Link": template.HTML("<b>x</b>")})
	if err != nil {
		t.Fatal(err)
	}
	const name = "&lt;Ada &amp; &#34;Co&#34;&gt;"
	want := "<p>Ask <bdi>" + name + "</bdi>, 3 times</p><a title=\"Ask " + name + " now\">" +
		"1 time by " + name + "</a>See <b>x</b>"
	if got := out.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
