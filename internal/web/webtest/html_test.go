package webtest

import (
	"net/url"
	"reflect"
	"testing"
)

func TestParse_RefusesWhatBrowsersRepair(t *testing.T) {
	for about, text := range map[string]string{
		"no end":              "<p>a",
		"another end":         "<p><b>a</p></b>",
		"an end too many":     "<p>a</p></p>",
		"a bare <":            "<p>1 < 2</p>",
		"an unquoted value":   "<p class=a>b</p>",
		"a single quote":      "<p class='a'>b</p>",
		"an attribute twice":  `<p class="a" class="b">c</p>`,
		"a < in an attribute": `<p class="<b>">c</p>`,
		"no end of a script":  "<script>a",
		"an unclosed tag":     "<p",
	} {
		root := &Node{}
		if rest, err := root.read(text); err == nil && rest == "" {
			t.Errorf("%s is accepted: %s", about, text)
		}
	}
}

func TestForm_HasWhatABrowserSends(t *testing.T) {
	page := ParseHTML(t, `<!doctype html><main><h1>A &amp; b</h1><form method="post" action="/x">
		<input name="text" value="&lt;b&gt;"><input name="empty"><input value="without a name">
		<input type="checkbox" name="off"><input type="checkbox" name="on" checked>
		<input type="radio" name="one" value="1"><input type="radio" name="one" value="2" checked>
		<select name="first"><option value="a">A</option><option value="b">B</option></select>
		<select name="chosen"><option value="a">A</option><option value="b" selected>B</option></select>
		<textarea name="area">
two
lines</textarea><button name="do">Go</button></form></main>`)
	forms := page.Forms()
	if len(forms) != 1 || forms[0].Action != "/x" || forms[0].Method != "post" || page.First("h1").Words() != "A & b" {
		t.Fatalf("%+v", forms)
	}
	want := url.Values{"text": {"<b>"}, "empty": {""}, "on": {"on"}, "one": {"2"}, "first": {"a"}, "chosen": {"b"},
		"area": {"two\nlines"}}
	if got := forms[0].Values; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if f := forms[0]; !f.HasAll([]string{"off", "", "do", "1", "area", ""}) || f.HasAll([]string{"other", ""}) ||
		!f.Optional["do"] || !f.Optional["off"] || f.Optional["text"] {
		t.Errorf("%+v", f)
	}
}
