package identity

import (
	"testing"
	"time"

	"slotd"
)

// newSetupToken returns the token of a new setup link, or "" if none is issued.
func (w *world) newSetupToken() string {
	w.t.Helper()
	path, err := w.SetupLink(background)
	w.must(err)
	return lastSegment(path)
}

func (w *world) setUp(token string) error {
	_, err := w.SetUp(background, token, "Ada", "ada@acme.example", "correct horse battery", "", home)
	return err
}

func TestSetupLink_EachKillsTheOneBefore(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		before, now := w.newSetupToken(), w.newSetupToken()
		w.must(w.CheckSetupLink(background, now))
		if w.log.Len() > 0 {
			t.Errorf("a good link is logged: %s", w.log)
		}
		w.wantRefused(w.CheckSetupLink(background, before), slotd.Unauthorized, "a setup was refused")
		w.log.Reset()
		w.wantRefused(w.setUp(before), slotd.Unauthorized, "a setup was refused")
		w.must(w.setUp(now))
		if row, err := findUser(background, w.db.Read(), "ada@acme.example"); err != nil || row == nil ||
			!w.matchesPassword("correct horse battery", row.Password) {
			t.Errorf("made %v %v", row, err)
		}
		w.wantRefused(w.setUp(now), slotd.Unauthorized, "")
	})
}

func TestSetUp_OnlyWhileNobodyAndNothingIsThere(t *testing.T) {
	for name, come := range map[string]func(w *world){
		"a user":      func(w *world) { w.signInByLink("bo@other.example", home) },
		"a workspace": func(w *world) { w.workspace(7, "acme") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t)
			link := w.newSetupToken()
			w.must(w.CheckSetupLink(background, link))
			come(w)
			w.wantRefused(w.CheckSetupLink(background, link), slotd.Unauthorized, "")
			w.wantRefused(w.setUp(link), slotd.Unauthorized, "a setup was refused")
			if again := w.newSetupToken(); again != "" {
				t.Error("there is a new link")
			}
			if row, err := findUser(background, w.db.Read(), "ada@acme.example"); err != nil || row != nil {
				t.Errorf("it made %v %v", row, err)
			}
		})
	}
}

func TestSetUp_TooOld(t *testing.T) {
	w := newSQLiteWorld(t)
	link := w.newSetupToken()
	w.clock.Advance(setupLifetime)
	w.wantRefused(w.CheckSetupLink(background, link), slotd.Unauthorized, "")
	w.wantRefused(w.setUp(link), slotd.Unauthorized, "a setup was refused")
	link = w.newSetupToken()
	w.clock.Advance(setupLifetime - time.Millisecond)
	w.must(w.setUp(link))
}

func TestRace_OfManyWhoSetUpOneDoes(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		link := w.newSetupToken()
		emails := make(chan string, 4)
		for _, e := range []string{"ada", "bo", "cy", "di"} {
			emails <- e + "@acme.example"
		}
		in, refused := runConcurrently(4, func() error {
			_, err := w.SetUp(background, link, "Somebody", <-emails, "", "", home)
			return err
		})
		if in != 1 {
			t.Fatalf("%d became the first: %v", in, refused)
		}
		for _, err := range refused {
			w.wantRefused(err, slotd.Unauthorized, "")
		}
	})
}
