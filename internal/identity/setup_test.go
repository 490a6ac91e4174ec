package identity

import (
	"testing"
	"time"

	"slotd"
)

// firstLink is the token of a new setup link; empty if there is none to be had.
func (w *world) firstLink() string {
	w.t.Helper()
	path, err := w.SetupLink(background)
	w.must(err)
	return secretIn(path)
}

func (w *world) first(token string) error {
	_, err := w.SetUp(background, token, "Ada", "ada@acme.example", "correct horse battery", "", home)
	return err
}

func TestFirstLink_EachKillsTheOneBefore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before, now := w.firstLink(), w.firstLink()
		w.refuses(w.CheckSetupLink(background, before), slotd.Unauthorized, "")
		w.refuses(w.first(before), slotd.Unauthorized, "a setup was refused")
		w.must(w.CheckSetupLink(background, now))
		w.must(w.first(now))
		if row, err := find(background, w.db.Read(), "ada@acme.example"); err != nil || row == nil ||
			!w.matches("correct horse battery", row.Password) {
			t.Errorf("made %v %v", row, err)
		}
		w.refuses(w.first(now), slotd.Unauthorized, "")
	})
}

func TestFirst_OnlyWhileNobodyAndNothingIsThere(t *testing.T) {
	for name, come := range map[string]func(w *world){
		"a user":      func(w *world) { w.arrives("bo@other.example", home) },
		"a workspace": func(w *world) { w.workspace(7, "acme") },
	} {
		t.Run(name, func(t *testing.T) {
			w := lite(t)
			link := w.firstLink()
			w.must(w.CheckSetupLink(background, link))
			come(w)
			w.refuses(w.CheckSetupLink(background, link), slotd.Unauthorized, "")
			w.refuses(w.first(link), slotd.Unauthorized, "a setup was refused")
			if again := w.firstLink(); again != "" {
				t.Error("there is a new link")
			}
			if row, err := find(background, w.db.Read(), "ada@acme.example"); err != nil || row != nil {
				t.Errorf("it made %v %v", row, err)
			}
		})
	}
}

func TestFirst_TooOld(t *testing.T) {
	w := lite(t)
	link := w.firstLink()
	w.clock.Move(setupLives)
	w.refuses(w.CheckSetupLink(background, link), slotd.Unauthorized, "")
	w.refuses(w.first(link), slotd.Unauthorized, "a setup was refused")
	link = w.firstLink()
	w.clock.Move(setupLives - time.Millisecond)
	w.must(w.first(link))
}

func TestFirst_OfManyAtOnceOneIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		link := w.firstLink()
		emails := make(chan string, 4)
		for _, e := range []string{"ada", "bo", "cy", "di"} {
			emails <- e + "@acme.example"
		}
		in, refused := atOnce(4, func() error {
			_, err := w.SetUp(background, link, "Somebody", <-emails, "", "", home)
			return err
		})
		if in != 1 {
			t.Fatalf("%d became the first: %v", in, refused)
		}
		for _, err := range refused {
			w.refuses(err, slotd.Unauthorized, "")
		}
	})
}
