package calendars

import (
	"encoding/base64"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/davtest"
)

// secrets are all that must stay where it is, however it is written.
var secrets = regexp.MustCompile(strings.Join([]string{
	davPassword, strings.ReplaceAll(davPassword, " ", "."),
	base64.StdEncoding.EncodeToString([]byte("alice:" + davPassword)),
	cloudtest.ClientSecret, `\b(?:access|refresh|code)-[0-9]+\b`,
}, "|"))

const secretWord = "secret-4711" // in the feed's path

// said is all that the program says to its users.
type said struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *said) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.WriteString(text)
}

// listen passes on what the server says, and keeps it.
func (s *said) listen(w http.ResponseWriter, r *http.Request, through http.Handler) {
	whole := record(r, through)
	s.add(whole.Body.String())
	w.WriteHeader(whole.Code)
	w.Write(whole.Body.Bytes())
}

func TestSecrets_StayWhereTheyAre(t *testing.T) {
	t.Parallel()
	d, dav := onSQLite(t), davtest.Radicale(t)
	google := at(t, d, "google")
	office := before(t, dav.URL)
	club := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, taken) }))
	acme := d.office(t, "acme", calendars(davAt(office.URL+"/alice/office/")+", write_back: true",
		feedAt(club.URL+secretPath)+password, "name: private, type: google"))
	s := d.start(t, "--log-level", "debug")
	answers, front := &said{}, before(t, s.url)
	front.make(answers.listen)
	overheard := &server{url: front.URL, log: s.log}

	o := owner{t}
	back := o.agree(d.link(t, "acme")).Query()
	for range 2 { // the second time, the code is used up
		o.press(overheard, back, "same-origin")
	}
	must(t)(acme.create(overheard, "call", "01-18T09"))
	acme.useAll(d, overheard, answers)
	// All of them are in trouble, and their servers repeat in their answers what they were sent.
	office.make(says(http.StatusUnauthorized, "WWW-Authenticate", `Basic realm="x"`))
	club.make(says(http.StatusForbidden, "", ""))
	google.RevokeGrant()
	acme.useAll(d, overheard, answers)
	eventually(t, "the host is told", func() bool { return len(d.troubleMails(t)) == 1 })
	wantQuickEnd(t, s)

	log := s.log.String()
	if !strings.Contains(log, "level=DEBUG") || !strings.Contains(log, "a calendar cannot be read") {
		t.Error("the log says so little that it proves nothing")
	}
	for where, text := range map[string]string{"the log": log, "an answer": answers.text.String(),
		"a mail": strings.Join(d.mails(t), "\n")} {
		wantNoSecret(t, where, text)
		if i := strings.Index(text, secretWord); i >= 0 {
			t.Errorf("%s tells the feed's path: …%s", where, text[max(0, i-200):i+20])
		}
	}
	wantNoSecret(t, "export", d.command(t, "", "export", "--workspace", "acme"))
	wantNoSecretOnDisk(t, d)
}

// useAll does what users do, whether it works or not.
func (o office) useAll(d *deployment, s *server, answers *said) {
	if a, err := o.create(s, "call", "01-16T09"); err == nil {
		o.move(s, a.BookingID, "01-17T09")
		o.cancel(s, a.BookingID)
	}
	o.availability(s, "2030-01-14", 14)
	o.page(s)
	for _, args := range [][]string{{"calendar", "sync"}, {"calendar", "test"}, {"calendar", "list"},
		{"calendar", "list", "--json"}} {
		text, _ := d.try("", append(args, "--workspace", o.slug)...)
		answers.add(text)
	}
	text, _ := d.try("", "jobs", "list", "--json")
	answers.add(text)
}

func wantNoSecret(t *testing.T, where, text string) {
	t.Helper()
	if at := secrets.FindStringIndex(text); at != nil {
		t.Errorf("%s tells a secret: …%q", where, text[max(0, at[0]-200):at[1]])
	}
}

// wantNoSecretOnDisk looks at the bytes of all that the program keeps.
func wantNoSecretOnDisk(t *testing.T, d *deployment) {
	t.Helper()
	settings := false
	err := filepath.WalkDir(d.data, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		wantNoSecret(t, filepath.Base(path), string(text))
		settings = settings || strings.Contains(string(text), secretWord)
		return err
	})
	if err != nil || !settings {
		t.Errorf("the feed's address is not found either, so nothing was looked at (%v)", err)
	}
}
