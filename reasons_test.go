package slotd_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"slotd"
)

// What is wrong is the same at every door; what to do is not, so a reason says nothing about it.
func TestReasons_SpeakOfNoDoor(t *testing.T) {
	door := regexp.MustCompile("(?i)slotd |--|`|_|call |click|button|menu|page|please|first\\.|try again")
	for reason, about := range slotd.Reasons {
		sentence := about.Sentence.String()
		if !slices.Contains(slotd.Codes, about.Code) || door.MatchString(regexp.MustCompile(`\{\w+\}`).ReplaceAllString(sentence, "")) ||
			sentence == "" || sentence[len(sentence)-1] != '.' {
			t.Errorf("%s: %s %q", reason, about.Code, sentence)
		}
	}
}

func TestError_SaysNoPersonalDataInLogs(t *testing.T) {
	err := slotd.Because(slotd.AlreadyOwner, slotd.Facts{Name: "ada@acme.example", Count: 3})
	if got := err.Error(); got != "invalid_argument: already_owner" {
		t.Error(got)
	}
	if got := err.Sentence(); got != "ada@acme.example is already an owner of this workspace." {
		t.Error(got)
	}
}

// What agents may have to handle is documented.
func TestCodes_AreInTheDocs(t *testing.T) {
	using, err := os.ReadFile("docs/using.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range slotd.Codes {
		if !strings.Contains(string(using), "\n| `"+string(code)+"` |") {
			t.Errorf("docs/using.md has no row for %s", code)
		}
	}
}
