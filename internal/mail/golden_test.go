package mail

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestTexts_AreTheGoldenOnes(t *testing.T) {
	eachMail(t, func(t *testing.T, n *Notice) {
		_, r := compose(t, n)
		golden(t, string(n.Kind)+"-"+string(n.To)+".txt", "Subject: "+r.decoded(t, "Subject")+"\n\n"+r.plain)
	})
}

func TestText_OfTheTestMailIsTheGoldenOne(t *testing.T) {
	m := TestMail(sample(Booked, ToHost).From, "ops@example.com", now, "1")
	r := parse(t, m.Data)
	golden(t, "test.txt", "Subject: "+r.decoded(t, "Subject")+"\n\n"+r.plain)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
