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
	"slotd/test/await"
	"slotd/test/harness"
)

// secrets matches everything that must never leave its place, in every encoding.
var secrets = regexp.MustCompile(strings.Join([]string{
	davPassword, strings.ReplaceAll(davPassword, " ", "."),
	base64.StdEncoding.EncodeToString([]byte("alice:" + davPassword)),
	cloudtest.ClientSecret, `\b(?:access|refresh|code)-[0-9]+\b`,
}, "|"))

const secretWord = "secret-4711" // part of the feed's path

// transcript collects everything that the program shows to its users.
type transcript struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *transcript) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.WriteString(text)
}

// record forwards a request and records the response.
func (s *transcript) record(w http.ResponseWriter, r *http.Request, backend http.Handler) {
	response := recordResponse(r, backend)
	s.add(response.Body.String())
	w.WriteHeader(response.Code)
	w.Write(response.Body.Bytes())
}

func TestSecrets_StayWhereTheyAre(t *testing.T) {
	t.Parallel()
	d, dav := onSQLite(t), davtest.Radicale(t)
	google := startCloud(t, d, "google")
	office := proxyFor(t, dav.URL)
	club := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, taken) }))
	acme := d.office(t, "acme", calendars(davAt(office.URL+"/alice/office/")+", write_back: true",
		feedAt(club.URL+secretPath)+password, "name: private, type: google"))
	s := d.Serve(t, "--log-level", "debug")
	answers, front := &transcript{}, proxyFor(t, s.URL)
	front.setTrouble(answers.record)
	recorded := &harness.Server{Process: s.Process, URL: front.URL}

	o := owner{t}
	back := o.agree(d.consentLink(t, "acme")).Query()
	for range 2 { // the second time, the code has been used
		o.press(recorded, back, "same-origin")
	}
	await.True(t, "all calendars are read", func() bool { return acme.readable(s) })
	must(t)(acme.create(recorded, "call", "01-18T09"))
	acme.useEverything(d, recorded, answers)
	// Now all calendars fail, and their servers repeat the request's credentials in their responses.
	office.setTrouble(answerWith(http.StatusUnauthorized, "WWW-Authenticate", `Basic realm="x"`))
	club.setTrouble(answerWith(http.StatusForbidden, "", ""))
	google.RevokeGrant()
	acme.useEverything(d, recorded, answers)
	await.True(t, "the host is told", func() bool { return len(d.troubleMails(t)) == 1 })
	stop(t, s)

	log := s.Log.String()
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
	wantNoSecret(t, "export", d.Run(t, "export", "--workspace", "acme"))
	wantNoSecretOnDisk(t, d)
}

// useEverything uses all tools, pages and commands, whether they succeed or not.
func (o office) useEverything(d deployment, s *harness.Server, answers *transcript) {
	if a, err := o.create(s, "call", "01-16T09"); err == nil {
		o.move(s, a.BookingID, "01-17T09")
		o.cancel(s, a.BookingID)
	}
	o.availability(s, "2030-01-14", 14)
	o.page(s)
	for _, args := range [][]string{{"calendar", "sync"}, {"calendar", "test"}, {"calendar", "list"},
		{"calendar", "list", "--json"}} {
		text, _ := d.Try("", append(args, "--workspace", o.slug)...)
		answers.add(text)
	}
	text, _ := d.Try("", "jobs", "list", "--json")
	answers.add(text)
}

func wantNoSecret(t *testing.T, where, text string) {
	t.Helper()
	if at := secrets.FindStringIndex(text); at != nil {
		t.Errorf("%s tells a secret: …%q", where, text[max(0, at[0]-200):at[1]])
	}
}

// wantNoSecretOnDisk checks the bytes of all files that the program stores.
func wantNoSecretOnDisk(t *testing.T, d deployment) {
	t.Helper()
	settings := false
	err := filepath.WalkDir(d.Data, func(path string, e fs.DirEntry, err error) error {
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
