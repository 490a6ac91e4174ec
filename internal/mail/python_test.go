package mail

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/store/testdb"
)

// pythonMail is a mail as parsed by a reader that shares no code with the writer.
type pythonMail struct {
	Headers, Parts, Tags, Defects []string
	Subject, Text                 string
	Names, To                     []string
}

func readWithPython(t *testing.T, mails []Message) (all []pythonMail) {
	t.Helper()
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		testdb.SkipOrFailInCI(t, "Python", err)
	}
	args, dir := []string{"testdata/read.py"}, t.TempDir()
	for i, m := range mails {
		path := filepath.Join(dir, strconv.Itoa(i)+".eml")
		if err := os.WriteFile(path, m.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	out, err := exec.Command(python, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &all); err != nil || len(all) != len(mails) {
		t.Fatalf("%d of %d mails, %v", len(all), len(mails), err)
	}
	return all
}

func TestPython_ReadsTheSameMail(t *testing.T) {
	eachMail(t, func(t *testing.T, n *Notice) {
		notices := []*Notice{n}
		for _, s := range hostile {
			notices = append(notices, withForeignText(sample(n.Kind, n.To), s))
		}
		mails := make([]Message, len(notices))
		for i, n := range notices {
			mails[i], _ = compose(t, n)
		}
		read := readWithPython(t, mails)
		for i, got := range read {
			expectSameAsPython(t, notices[i], parse(t, mails[i].Data), got)
			if diff := cmp.Diff([][]string{read[0].Headers, read[0].Parts, read[0].Tags},
				[][]string{got.Headers, got.Parts, got.Tags}); diff != "" {
				t.Errorf("mail %d (-harmless +hostile):\n%s", i, diff)
			}
		}
	})
}

func expectSameAsPython(t *testing.T, n *Notice, r *parsedMail, got pythonMail) {
	t.Helper()
	if len(got.Defects) > 0 || got.Subject != r.decoded(t, "Subject") || got.Text != r.plain ||
		!slices.Equal(got.To, []string{n.recipient().Address}) {
		t.Errorf("defects %q, subject %q, to %q, text\n%s", got.Defects, got.Subject, got.To, got.Text)
	}
	// Python before 3.13 keeps the spaces between encoded words in names, contrary to RFC 2047, section 6.2.
	unspaced := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	if unspaced(got.Names[0]) != unspaced(n.recipient().Name) {
		t.Errorf("name %q, want %q", got.Names, n.recipient().Name)
	}
}
