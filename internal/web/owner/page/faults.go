package page

import (
	"slotd/internal/lib/color"
	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// faultSentences are the sentences of forms where they differ from those of the workspace file. The subject, such as
// "Duration", comes before them.
var faultSentences = map[workspace.FaultCode]say.Sentence{
	workspace.NotAColor:    "must be a # and six hexadecimal digits, such as " + color.Default,
	workspace.NotAZone:     "must be a city or a time zone such as America/New_York",
	workspace.NotACurrency: "must be a code of three letters, such as USD or EUR",
	workspace.ReservedSlug: "is reserved; choose another one",
}

// FaultSentence says what is wrong with a value that somebody typed into a form, without its subject.
func FaultSentence(f *workspace.Fault) string {
	if f.Code == workspace.OutOfRange && f.Unit == workspace.Spans {
		if f.Min == 0 {
			return "must be minutes, or words such as 2 hours or 1 day: " + SpellMinutes(f.Max) + " at most"
		}
		return "must be minutes, or words such as 2 hours or 1 day: from " + SpellMinutes(f.Min) + " to " +
			SpellMinutes(f.Max)
	}
	if sentence, ok := faultSentences[f.Code]; ok {
		return f.Sentence(sentence)
	}
	return f.Error()
}
