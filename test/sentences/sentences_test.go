package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEverySentenceIsMarked(t *testing.T) {
	c, err := read("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range c.unmarked {
		t.Errorf("not marked: %s", s)
	}
	if len(c.marked) < 1000 {
		t.Errorf("found only %d sentences", len(c.marked))
	}
}

// A small program has each way to mark a sentence, and each way to forget it.
func TestRead_FindsWhatIsMarkedAndWhatIsNot(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module slotd\n\ngo 1.26\n",
		"internal/lib/say/say.go": "package say\n\ntype Sentence string\n\nfunc T(s string, args ...any) string { return s }\n\n" +
			"func N(n int, one, other string, args ...any) string { return one }\n",
		"page/page.go": `package page

import (
	"fmt"

	"slotd/internal/lib/say"
)

const heading say.Sentence = "marked by its type"

type row struct{ Title say.Sentence }

var rows = []row{{"marked in a table"}}

type problem struct{}

func (problem) Error() string { return "an error type for logs" }

func texts(dynamic string) []string {
	return []string{say.T("marked " + "by T"), say.N(2, "marked one", "marked many", "bare argument"), "bare text",
		say.T(dynamic), fmt.Errorf("an error for logs: %s", say.T("marked in an error")).Error(), "Label", "word",
		":root{color: dark red}"}
}
`,
		"page/page.html": "<h1>{{t \"marked heading\"}}</h1>{{if .X}}<p title=\"{{t `marked title`}}\" class=\"a b\">bare " +
			"paragraph</p>{{end}}\n<input placeholder=\"bare hint\">{{n 1 \"marked day\" \"marked days\"}}" +
			"{{printf \"bare format\"}}<script>let x = 'code here'</script>" +
			"<meta name=\"robots\" content=\"for browsers\"><meta name=\"description\" content=\"bare description\">" +
			"{{if .X}}slotd{{end}}",
		"page/page.js":              "say(\"bare script\"); // a remark \"in quotes\"\n",
		"page/templates/notice.txt": "{{t \"marked line\"}}\nbare line {{.X}}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	wantTexts(t, c.marked, "marked by its type", "marked in a table", "marked by T", "marked one", "marked many",
		"marked in an error", "marked heading", "marked title", "marked day", "marked days", "marked line")
	wantTexts(t, c.unmarked, "bare argument", "bare text", "a sentence that is not a constant", "Label", "bare paragraph",
		"placeholder=bare hint", "bare format", "content=bare description", "bare script", "bare line "+gap)
}

func wantTexts(t *testing.T, got []sentence, want ...string) {
	t.Helper()
	var texts []string
	for _, s := range got {
		texts = append(texts, s.text)
	}
	slices.Sort(texts)
	slices.Sort(want)
	if !slices.Equal(texts, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(texts, "\n"), strings.Join(want, "\n"))
	}
}

// What to do about a calendar's problem depends on where it is shown, so only the tables of the doors say it.
func TestCalendarProblems_SayOnlyWhatIsWrong(t *testing.T) {
	remedy := regexp.MustCompile(`(?i)\b(ask|check|please|slotd|retr\w+|tr(y|ied) again|keep trying|` +
		`connect (it|them|the|one|a)|reconnect)\b`)
	c, err := read("../..")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, s := range c.marked {
		file := s.at.Filename
		if !strings.HasPrefix(file, "internal/calendar/") && !strings.HasPrefix(file, "internal/lib/safehttp/") ||
			file == "internal/calendar/calsync/advice.go" {
			continue
		}
		checked++
		if remedy.MatchString(s.text) {
			t.Error(s)
		}
	}
	if checked < 80 {
		t.Errorf("only %d sentences were found", checked)
	}
}
