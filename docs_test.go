package slotd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	pathLike = regexp.MustCompile(`^[a-zA-Z0-9_./*-]+$`)
)

// Every path in how-it-works.md must exist, from the root, below internal or below internal/availability.
func TestHowItWorks_NamesWhatIsThere(t *testing.T) {
	text, err := os.ReadFile("docs/how-it-works.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, m := range codeSpan.FindAllStringSubmatch(string(text), -1) {
		path := m[1]
		if !pathLike.MatchString(path) || !strings.Contains(path, "/") || strings.HasPrefix(path, "/") {
			continue
		}
		checked++
		here, _ := filepath.Glob(path)
		below, _ := filepath.Glob(filepath.Join("internal", path))
		in, _ := filepath.Glob(filepath.Join("internal/availability", path))
		if len(here)+len(below)+len(in) == 0 {
			t.Errorf("there is no %s", path)
		}
	}
	if checked < 60 {
		t.Errorf("only %d paths were found", checked)
	}
}
