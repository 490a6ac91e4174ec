package page

import (
	"slotd/internal/lib/color"
	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// faultSentences are the sentences of forms where they differ from those of the workspace file. The subject, such as
// "Duration", comes before them.
var faultSentences = map[workspace.FaultCode]say.Sentence{
	workspace.Empty:            "must not be empty",
	workspace.NotASlug:         "must be lowercase letters, numbers and hyphens, and must not start or end with a hyphen",
	workspace.ReservedSlug:     "is reserved; choose another one",
	workspace.NotAnEmail:       "must be an email address",
	workspace.NotAColor:        "must be a # and six hexadecimal digits, such as " + color.Default,
	workspace.NotAZone:         "must be a city or a time zone such as America/New_York",
	workspace.NotACurrency:     "must be a code of three letters, such as USD or EUR",
	workspace.NoSuchSchedule:   "must be one of your schedules",
	workspace.NoPlace:          "must not be empty: tell guests where to go or what to do",
	workspace.PhoneWithoutText: "must not be empty: enter the number that guests call",
}

// FaultSentence says what is wrong with a value that somebody typed into a form, without its subject.
func FaultSentence(f *workspace.Fault) string {
	if f.Code == workspace.OutOfRange && f.Unit == workspace.Spans {
		if f.Min == 0 {
			return say.T("must be minutes, or words such as 2 hours or 1 day: %s at most", SpellMinutes(f.Max))
		}
		return say.T("must be minutes, or words such as 2 hours or 1 day: from %s to %s", SpellMinutes(f.Min),
			SpellMinutes(f.Max))
	}
	if sentence, ok := faultSentences[f.Code]; ok {
		return f.Sentence(sentence)
	}
	return f.Error()
}
