// Package say marks the sentences that people read: on pages, in emails and on the command line.
//
// The English sentence is the key: a translation would be looked up under it, and `make sentences` prints them all.
// Marking is by T and N for sentences in code, by t and n in templates, and by the type Sentence in tables. Logs, errors
// that only wrap others, and what programs and models read are not marked.
package say

import (
	"fmt"
	"html/template"
	texttemplate "text/template"
)

// Sentence is a sentence that stands in a table and is shown later.
type Sentence string

func (s Sentence) String() string { return string(s) }

// With fills the placeholders of the sentence.
func (s Sentence) With(args ...any) string { return fmt.Sprintf(string(s), args...) }

// T returns a sentence with its placeholders filled, as fmt.Sprintf does. The sentence must be a constant.
func T(sentence string, args ...any) string { return fmt.Sprintf(sentence, args...) }

// N returns the sentence for one or the one for any other number. The number is the first argument of both.
func N(n int, one, other string, args ...any) string {
	sentence := other
	if n == 1 {
		sentence = one
	}
	return fmt.Sprintf(sentence, append([]any{n}, args...)...)
}

// Funcs are T and N for templates of pages. The sentence may contain tags, because it is part of the template; the
// arguments are escaped, unless they are HTML themselves.
var Funcs = template.FuncMap{
	"t": func(sentence string, args ...any) template.HTML {
		return template.HTML(T(sentence, escape(args)...)) //nolint:gosec // a constant of the template, and escaped values
	},
	"n": func(n int, one, other string, args ...any) template.HTML {
		return template.HTML(N(n, one, other, escape(args)...)) //nolint:gosec // as above
	},
}

// TextFuncs are T and N for templates of plain text.
var TextFuncs = texttemplate.FuncMap{"t": T, "n": N}

func escape(args []any) []any {
	escaped := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case template.HTML:
			escaped[i] = string(arg)
		case int, int64:
			escaped[i] = arg
		default:
			escaped[i] = template.HTMLEscapeString(fmt.Sprint(arg))
		}
	}
	return escaped
}
