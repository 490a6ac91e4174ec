package identity

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"slotd"
)

func TestCheckPassword_LengthIsWhatCounts(t *testing.T) {
	for password, want := range map[string]string{
		"correct horse battery":      "",
		"zehn¤¤¤äöü":                 "", // ten characters, more bytes
		strings.Repeat("ab", 100):    "",
		"nine char":                  "at least 10",
		"":                           "at least 10",
		strings.Repeat("ab", 101):    "at most 200",
		strings.Repeat("ä", 20):      "too easy",
		"aaaaaaaaaaaaaaa":            "too easy",
		"Ada@Acme.Example":           "too easy",
		"not \xff valid, but long":   "UTF-8",
		"with\x00control\ncharacter": "",
	} {
		err := CheckPassword(password, "ada@acme.example")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", password, err, want)
		}
	}
}

func TestMatches_OnlyThePasswordItself(t *testing.T) {
	w := newSQLiteWorld(t)
	stored := w.hashPassword("correct horse battery")
	if !w.matchesPassword("correct horse battery", stored) {
		t.Error("the right one was refused")
	}
	for _, wrong := range []string{"", "correct horse batterz", "correct horse battery ", "Correct horse battery",
		strings.Repeat("x", 100_000)} {
		if w.matchesPassword(wrong, stored) || w.matchesPassword(wrong, "") {
			t.Errorf("%.30q matched", wrong)
		}
	}
	if again := w.hashPassword("correct horse battery"); again == stored {
		t.Error("the same password was stored as the same text: there is no salt")
	}
}

// A stored hash that asks for gigabytes of memory must not be computed.
func TestMatches_RunsNothingItDidNotWrite(t *testing.T) {
	w := newSQLiteWorld(t)
	salt, key := "AAAAAAAAAAAAAAAAAAAAAA", strings.Repeat("A", 43)
	w.derive = func(password, salt []byte, time, memory uint32, threads uint8, length uint32) []byte {
		if memory != argonMemory || time != argonTime || threads != argonThreads || len(salt) > maxSaltLength {
			t.Errorf("ran m=%d,t=%d,p=%d with %d bytes of salt", memory, time, threads, len(salt))
		}
		return make([]byte, length) // the key that all of these hashes contain
	}
	for _, hostile := range []string{
		"", "$", "$$$$$", "plain", dummyHash[1:],
		"$argon2id$v=19$m=4194304,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=4294967295,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=4294967295,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=0,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=0$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=255$" + salt + "$" + key,
		"$argon2id$v=19$m=-1,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=99999999999999999999,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=16$m=19456,t=2,p=1$" + salt + "$" + key,
		"$argon2i$v=19$m=19456,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=1$" + strings.Repeat("A", 4000) + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$",
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + key + key,
		"$argon2id$v=19$m=19456,t=2,p=1$!$" + key,
	} {
		if w.matchesPassword("anything", hostile) {
			t.Errorf("%.60q matched", hostile)
		}
	}
}

// countHashes counts how often a password is hashed, which is what takes the time.
func (w *world) countHashes() *int {
	n := new(int)
	w.derive = func(password, salt []byte, time, memory uint32, threads uint8, length uint32) []byte {
		*n++
		return argon2.IDKey(password, salt, time, memory, threads, length)
	}
	return n
}

func TestSignInByPassword_CostsTheSameForEveryAddress(t *testing.T) {
	w := newSQLiteWorld(t)
	w.signInByLink("nopassword@acme.example", home)
	_, ada := w.signInByLink("ada@acme.example", home)
	w.must(w.SetPassword(background, ada, "correct horse battery", home))
	var answers []string
	for _, email := range []string{"ada@acme.example", "nopassword@acme.example", "nobody@acme.example"} {
		for _, wrong := range []string{"wrong password", "", strings.Repeat("x", 5000)} {
			n := w.countHashes()
			_, err := w.SignInByPassword(background, email, wrong, "", home)
			w.wantRefused(err, slotd.Unauthorized, "")
			if *n != 1 {
				t.Errorf("%s with %.20q: hashed %d times, want once", email, wrong, *n)
			}
			answers = append(answers, err.Error())
		}
	}
	for _, a := range answers {
		if a != answers[0] {
			t.Errorf("%q and %q", a, answers[0])
		}
	}
	if log := w.log.String(); strings.Contains(log, "acme.example") || strings.Contains(log, "wrong password ") {
		t.Errorf("the log says who it was:\n%s", log)
	}
}

func TestChangePassword_NeedsThePresentOneAndEndsTheOtherSessions(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		id := w.workspace(7, "acme")
		oldCookie, old := w.signInByLink("ada@acme.example", abroad)
		w.must(w.db.InTx(background, func(ctx context.Context,
			tx *tx) error {
			return w.AddMember(ctx, tx, id, old.User.ID)
		}))
		cookie, ada := w.signInByLink("ada@acme.example", home)
		w.must(w.ChangePassword(background, ada, "", "the first password", home)) // there was no password before
		if ada.User.HasPassword || w.session(oldCookie) != nil || w.session(cookie) == nil {
			t.Fatal("the other session lives on, or this one does not")
		}
		if !w.session(cookie).User.HasPassword {
			t.Error("the session does not know of the password")
		}
		w.wantRefused(w.ChangePassword(background, ada, "a wrong guess", "the second password", home),
			slotd.Unauthorized, "wrong present password")
		w.must(w.ChangePassword(background, ada, "the first password", "the second password", home))
		_, err := w.SignInByPassword(background, "ada@acme.example", "the first password", "", home)
		w.wantRefused(err, slotd.Unauthorized, "")
		_, err = w.SignInByPassword(background, "ADA@acme.example ", "the second password", "", home)
		w.must(err)
		if got := fmt.Sprint(w.activity(id)); !strings.Contains(got, "password.changed") ||
			!strings.Contains(got, "signed.in.refused") {
			t.Errorf("the activity has only %s", got)
		}
	})
}

func TestChangePassword_CountsTries(t *testing.T) {
	w := newSQLiteWorld(t)
	_, ada := w.signInByLink("ada@acme.example", home)
	w.must(w.SetPassword(background, ada, "correct horse battery", home))
	for range tryBurst {
		w.wantRefused(w.ChangePassword(background, ada, "a wrong guess", "another password", abroad),
			slotd.Unauthorized, "")
	}
	w.wantRefused(w.ChangePassword(background, ada, "correct horse battery", "another password", abroad),
		slotd.RateLimited, "too many tries")
	w.must(w.ChangePassword(background, ada, "correct horse battery", "another password", home))
}

func TestRemovePassword_OneWayInStays(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		_, ada := w.signInByLink("ada@acme.example", home)
		w.must(w.SetPassword(background, ada, "correct horse battery", home))
		w.wantRefused(w.RemovePassword(background, ada, false, home), slotd.InvalidArgument, "")
		w.insertPasskeyRow(ada.User.ID, "laptop")
		w.must(w.RemovePassword(background, ada, false, home))
		_, err := w.RemovePasskey(background, ada, []byte("laptop"), false, home)
		w.wantRefused(err, slotd.InvalidArgument, "")
		if found, err := w.RemovePasskey(background, ada, []byte("laptop"), true, home); err != nil || !found {
			t.Errorf("where links are mailed: %v %v", found, err)
		}
		w.must(w.RemovePassword(background, ada, true, home))
	})
}

func TestRace_RemovingPasswordAndLastPasskey(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		w.derive = func(_, _ []byte, _, _ uint32, _ uint8, length uint32) []byte { return make([]byte, length) }
		_, ada := w.signInByLink("ada@acme.example", home)
		for round := range 15 { // without the lock, some of the rounds would remove both
			id := fmt.Sprint("laptop", round)
			w.must(w.SetPassword(background, ada, "correct horse battery", home))
			w.insertPasskeyRow(ada.User.ID, id)
			turn := make(chan bool, 2)
			turn <- true
			turn <- false
			succeeded, refused := runConcurrently(2, func() error {
				if <-turn {
					return w.RemovePassword(background, ada, false, home)
				}
				_, err := w.RemovePasskey(background, ada, []byte(id), false, home)
				return err
			})
			if succeeded != 1 || len(refused) != 1 || !slotd.Is(refused[0], slotd.InvalidArgument) {
				t.Fatalf("%d succeeded, refused: %v", succeeded, refused)
			}
			_, err := w.RemovePasskey(background, ada, []byte(id), true, home)
			w.must(err)
		}
	})
}
