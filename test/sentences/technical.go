package main

import (
	"regexp"
	"strings"
)

// technicalFiles are files whose texts are not for the people who read our pages, and why.
var technicalFiles = map[string]string{
	"internal/web/public/agents.go": "programs and models read them",
	"internal/web/public/embed.js":  "runs on other sites, which give the title in their language",
}

// technicalText matches HTML and CSS that code writes, an example in YAML, and keys of the keyboard.
var technicalText = regexp.MustCompile(`="|^}\n@media|^- \w+: \w+$|^(Escape|Enter)$`)

// isTechnical reports whether a text looks like a sentence but is none.
func isTechnical(s sentence) bool {
	for file := range technicalFiles {
		if strings.HasSuffix(s.at.Filename, "/"+file) {
			return true
		}
	}
	return technicalText.MatchString(s.text)
}
