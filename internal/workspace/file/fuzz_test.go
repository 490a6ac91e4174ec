package file

import (
	"errors"
	"strings"
	"testing"
)

// FuzzRead expects an *Error with lines for every file that is rejected, and a round trip for every file that is
// accepted.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"acme.yaml", "acme_calendars.yaml", "acme.json", "export.yaml"} {
		f.Add([]byte(testdata(f, name)))
	}
	for _, text := range []string{
		small, "{}", "a: &a [*a]", "? a\n: b", "<<: 1", "- #\n#\n", "a: |2\n  b", "\ufeffa: 1", "a: !!binary x",
		"---\n---\n", "a: b: c", "#\n- a\n # b\n-\n#", "a:\n  # x\n\n# y\n b: 1",
		strings.Replace(small, "title: Intro", "title: &t \"\\u2028 \\ufeff\"\n    description: *t", 1),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(data)
		if err != nil {
			wantRefusal(t, data, err)
			return
		}
		again, err := Read(Export(&file.Workspace))
		if err != nil {
			t.Fatalf("export is refused: %v\n%s", err, Export(&file.Workspace))
		}
		wantEqual(t, again.Workspace, file.Workspace)
	})
}

func wantRefusal(t *testing.T, data []byte, err error) {
	var refused *Error
	if !errors.As(err, &refused) || len(refused.Problems) == 0 {
		t.Fatalf("no *Error with problems: %v", err)
	}
	last := 0
	for _, p := range refused.Problems {
		if p.Line < max(last, 1) || p.Reason == "" {
			t.Fatalf("no line, or out of order: %v", err)
		}
		last = p.Line
	}
	// The parser treats a few more characters than a newline as line ends.
	if !strings.ContainsAny(string(data), "\r\u0085\u2028\u2029") && last > 2+strings.Count(string(data), "\n") {
		t.Fatalf("line %d of a shorter file: %v", last, err)
	}
}
