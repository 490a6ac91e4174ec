package main

import (
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// Templates are read as text, not with text/template/parse, because that knows no lines and joins nothing across
// conditions. An action is replaced with a character that is no letter.
var (
	action  = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	literal = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")
	marks   = regexp.MustCompile(`(?s)(?:^|[({|\s])(t|n)\s`)
)

const gap = "\ue000"

// readTemplate returns the sentences of a template: those that are marked and those that are not.
func readTemplate(path string) (marked, unmarked []sentence, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	at := func(offset int) token.Position {
		return token.Position{Filename: path, Line: 1 + strings.Count(string(text[:offset]), "\n")}
	}
	for _, m := range action.FindAllIndex(text, -1) {
		inMarks, others := literals(string(text[m[0]:m[1]]))
		for _, s := range inMarks {
			marked = append(marked, sentence{at(m[0]), s})
		}
		for _, s := range others {
			if isProse(s) {
				unmarked = append(unmarked, sentence{at(m[0]), s})
			}
		}
	}
	bare := action.ReplaceAllStringFunc(string(text), func(a string) string {
		return gap + strings.Repeat("\n", strings.Count(a, "\n"))
	})
	if strings.HasSuffix(path, ".html") {
		return marked, append(unmarked, bareHTML(path, bare)...), nil
	}
	for i, line := range strings.Split(bare, "\n") {
		if word.MatchString(line) {
			unmarked = append(unmarked, sentence{token.Position{Filename: path, Line: i + 1}, line})
		}
	}
	return marked, unmarked, nil
}

// literals returns the strings in an action. Those that follow a t or an n on their level are marked.
func literals(action string) (marked, others []string) {
	wanted := 0 // literals that the last mark takes
	last := 0
	for _, m := range literal.FindAllStringIndex(action, -1) {
		if found := marks.FindStringSubmatch(action[last:m[0]] + " "); found != nil {
			wanted = map[string]int{"t": 1, "n": 2}[found[1]]
		}
		last = m[1]
		s, err := strconv.Unquote(action[m[0]:m[1]])
		if err != nil {
			continue
		}
		if wanted > 0 {
			wanted--
			marked = append(marked, s)
		} else {
			others = append(others, s)
		}
	}
	return marked, others
}

// readAttributes are attributes that people read or hear.
var readAttributes = []string{"alt", "aria-label", "aria-description", "aria-roledescription", "content", "data-status",
	"placeholder", "title"}

// bareHTML returns the texts of a page that are not in actions.
func bareHTML(path, text string) (all []sentence) {
	line, skip := 1, false
	z := html.NewTokenizer(strings.NewReader(text))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		at := token.Position{Filename: path, Line: line}
		line += strings.Count(string(z.Raw()), "\n")
		t := z.Token()
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			skip = slices.Contains([]string{"script", "style", "code"}, t.Data)
			for _, a := range t.Attr {
				if slices.Contains(readAttributes, a.Key) && word.MatchString(a.Val) && !isName(a.Val) && !forBrowsers(t, a) {
					all = append(all, sentence{at, a.Key + "=" + a.Val})
				}
			}
		case html.TextToken:
			if s := strings.TrimSpace(t.Data); !skip && word.MatchString(s) {
				all = append(all, sentence{at, strings.ReplaceAll(s, gap, "…")})
			}
		case html.EndTagToken:
			skip = false
		}
	}
	return all
}

// forBrowsers reports whether an attribute is a setting of a page, which only browsers and search engines read.
func forBrowsers(t html.Token, a html.Attribute) bool {
	return t.Data == "meta" && a.Key == "content" && !slices.ContainsFunc(t.Attr, func(a html.Attribute) bool {
		return a.Val == "description" || a.Val == "og:title" || a.Val == "og:description"
	})
}

var comment = regexp.MustCompile(`(?m)//.*$`)

// readScript returns the texts of a script that look like prose. Scripts have none of their own: the page that loads one
// gives it the sentences, in attributes.
func readScript(path string) (unmarked []sentence, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(text), "\n") {
		for _, s := range literal.FindAllString(comment.ReplaceAllString(line, ""), -1) {
			if s = s[1 : len(s)-1]; isProse(s) {
				unmarked = append(unmarked, sentence{token.Position{Filename: path, Line: i + 1}, s})
			}
		}
	}
	return unmarked, nil
}
