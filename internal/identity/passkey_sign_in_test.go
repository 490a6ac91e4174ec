package identity

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/identity/passkeytest"
	"slotd/internal/store/testdb"
)

const site = "https://book.example"

func newDevice(t testing.TB) *passkeytest.Device { return passkeytest.New(t, site) }

// answer returns the answer to a challenge to sign in. A device counts its signatures.
func answer(d *passkeytest.Device, c *PasskeyChallenge) string {
	d.Counter++
	return d.Sign(c.Options)
}

func (w *world) relyingParty() *RelyingParty {
	w.t.Helper()
	rp, err := NewRelyingParty(site)
	w.must(err)
	return rp
}

func (w *world) challengeNew(session *Session) *PasskeyChallenge {
	w.t.Helper()
	c, err := w.ChallengeNewPasskey(background, w.relyingParty(), session, home)
	w.must(err)
	return c
}

func (w *world) addPasskey(session *Session, c *PasskeyChallenge, response string) error {
	w.t.Helper()
	return w.AddPasskey(background, w.relyingParty(), session, c.Ticket, response, "laptop", home)
}

// deviceOf returns a device with a passkey of the user, which was used once to sign in.
func (w *world) deviceOf(session *Session) *passkeytest.Device {
	w.t.Helper()
	d := newDevice(w.t)
	c := w.challengeNew(session)
	w.must(w.addPasskey(session, c, d.Create(c.Options)))
	_, err := w.signInBy(d)
	w.must(err)
	return d
}

func (w *world) challengeSignIn() *PasskeyChallenge {
	w.t.Helper()
	c, err := w.ChallengeSignIn(background, w.relyingParty(), home)
	w.must(err)
	return c
}

func (w *world) signInBy(d *passkeytest.Device) (*SignedIn, error) {
	w.t.Helper()
	c := w.challengeSignIn()
	return w.SignInByPasskey(background, w.relyingParty(), c.Ticket, answer(d, c), "", home)
}

func TestPasskey_SignsInWhoAddedIt(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		acme := w.workspace(7, "acme")
		_, ada := w.join(acme, "ada@acme.example")
		d := w.deviceOf(ada)
		w.clock.Advance(time.Hour)
		a, err := w.signInBy(d)
		w.must(err)
		if s := w.session(a.Cookie); s == nil || s.User.ID != ada.User.ID {
			t.Errorf("signed in: %+v", s)
		}
		passkeys, err := w.Passkeys(background, ada.User.ID)
		if w.must(err); len(passkeys) != 1 || passkeys[0].Name != "laptop" ||
			!passkeys[0].LastUsedAt.Equal(w.clock.Now()) {
			t.Errorf("%+v", passkeys)
		}
		if got := fmt.Sprint(w.activity(acme)); !strings.Contains(got, "passkey.added") {
			t.Errorf("the activity has only %s", got)
		}
		if removePasskey(w, d, ada); !slices.Contains(w.activity(acme), "passkey.removed") {
			t.Errorf("the activity has only %s", w.activity(acme))
		}
	})
}

func TestNewRelyingParty_NeedsAName(t *testing.T) {
	for url, ok := range map[string]bool{site: true, "http://localhost:8080": true, "https://[::1": false,
		"https://192.0.2.1": false, "https://intranet": false} {
		if rp, err := NewRelyingParty(url); (err == nil) != ok || (rp != nil) != ok {
			t.Errorf("%s: %v, %v", url, rp, err)
		}
	}
}

func TestAddPasskey_RefusesWhatDoesNotFit(t *testing.T) {
	for name, change := range map[string]func(d *passkeytest.Device){
		"a device that does not verify its user": func(d *passkeytest.Device) { d.Flags = passkeytest.UserPresent },
		"the answer of another site":             func(d *passkeytest.Device) { d.Origin = "https://evil.example" },
	} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t)
			_, ada := w.signInByLink("ada@acme.example", home)
			d := newDevice(t)
			change(d)
			c := w.challengeNew(ada)
			w.wantRefused(w.addPasskey(ada, c, d.Create(c.Options)), slotd.InvalidArgument, "a passkey was not added")
			if passkeys, err := w.Passkeys(background, ada.User.ID); err != nil || len(passkeys) != 0 {
				t.Errorf("%v, %v", passkeys, err)
			}
		})
	}
}

func TestAddPasskey_AChallengeIsAnsweredOnceByWhomItIsFor(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		_, ada := w.signInByLink("ada@acme.example", home)
		_, bo := w.signInByLink("bo@other.example", home)
		d := newDevice(t)
		c := w.challengeNew(ada)
		w.wantRefused(w.addPasskey(bo, c, newDevice(t).Create(c.Options)), slotd.InvalidArgument, "")
		w.must(w.addPasskey(ada, c, d.Create(c.Options))) // bo's try has not used it up
		w.wantRefused(w.addPasskey(ada, c, newDevice(t).Create(c.Options)), slotd.InvalidArgument, "")
		again := w.challengeNew(ada)
		wantRefused(t, w.addPasskey(ada, again, d.Create(again.Options)), slotd.InvalidArgument, string(slotd.KnownPasskey))
		long := w.challengeNew(ada)
		w.wantRefused(w.addPasskey(ada, long, strings.Repeat(" ", maxResponse+1)), slotd.InvalidArgument, "too long")
	})
}

func TestAddPasskey_TwentyAreTheMost(t *testing.T) {
	w := newSQLiteWorld(t)
	_, ada := w.signInByLink("ada@acme.example", home)
	c := w.challengeNew(ada)
	for i := range 19 {
		w.insertPasskeyRow(ada.User.ID, fmt.Sprint("device ", i))
	}
	d := w.challengeNew(ada)
	w.must(w.addPasskey(ada, d, newDevice(t).Create(d.Options)))
	wantRefused(t, w.addPasskey(ada, c, newDevice(t).Create(c.Options)), slotd.InvalidArgument, string(slotd.TooManyPasskeys))
	_, err := w.ChallengeNewPasskey(background, w.relyingParty(), ada, home)
	wantRefused(t, err, slotd.InvalidArgument, string(slotd.TooManyPasskeys))
}

func TestSignInByPasskey_RefusesWithOneMessage(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *world, d *passkeytest.Device, session *Session)
		why    string
	}{
		"a copy of the device":   {func(_ *world, d *passkeytest.Device, _ *Session) { d.Counter = 0 }, "counter went back"},
		"another key":            {func(_ *world, d *passkeytest.Device, _ *Session) { d.Key = newDevice(d.T).Key }, "passkey: "},
		"a user who is gone":     {func(_ *world, d *passkeytest.Device, _ *Session) { d.User = userHandle(1) }, "names nobody"},
		"no user":                {func(_ *world, d *passkeytest.Device, _ *Session) { d.User = nil }, "names nobody"},
		"without a fingerprint":  {func(_ *world, d *passkeytest.Device, _ *Session) { d.Flags = passkeytest.UserPresent }, "passkey: "},
		"a passkey that is gone": {removePasskey, "passkey: "},
	} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t)
			_, ada := w.signInByLink("ada@acme.example", home)
			d := w.deviceOf(ada)
			c.change(w, d, ada)
			a, err := w.signInBy(d)
			if w.wantRefused(err, slotd.Unauthorized, c.why); a != nil || err.Error() != errNoPasskey().Error() {
				t.Errorf("%v, %v", a, err)
			}
		})
	}
}

func removePasskey(w *world, d *passkeytest.Device, session *Session) {
	found, err := w.RemovePasskey(background, session, d.ID, true, home)
	if w.must(err); !found {
		w.t.Error("there was no passkey")
	}
}

func TestSignInByPasskey_AChallengeIsAnsweredOnce(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		_, ada := w.signInByLink("ada@acme.example", home)
		d := w.deviceOf(ada)
		c := w.challengeSignIn()
		_, err := w.SignInByPasskey(background, w.relyingParty(), c.Ticket, answer(d, c), "", home)
		w.must(err)
		_, err = w.SignInByPasskey(background, w.relyingParty(), c.Ticket, answer(d, c), "", home)
		w.wantRefused(err, slotd.Unauthorized, "")
		late := w.challengeSignIn()
		w.clock.Advance(passkeyLifetime)
		_, err = w.SignInByPasskey(background, w.relyingParty(), late.Ticket, answer(d, late), "", home)
		w.wantRefused(err, slotd.Unauthorized, "")
	})
}

// What the database says is for the log, not for the owner, and nobody's fault.
func TestPasskeys_AnErrorOfTheDatabaseIsNoRefusal(t *testing.T) {
	target := testdb.SQLite(t)
	w := newWorld(t, target)
	raw, err := sql.Open("sqlite", target)
	w.must(err)
	defer raw.Close()
	_, ada := w.signInByLink("ada@acme.example", home)
	d := w.deviceOf(ada)
	create, sign := w.challengeNew(ada), w.challengeSignIn()
	_, err = raw.Exec("ALTER TABLE passkeys RENAME TO away")
	w.must(err)
	var coded *slotd.Error
	if _, err := w.ChallengeNewPasskey(background, w.relyingParty(), ada, home); err == nil || errors.As(err, &coded) {
		t.Errorf("challenge: %v", err)
	}
	if err := w.addPasskey(ada, create, d.Create(create.Options)); err == nil || errors.As(err, &coded) {
		t.Errorf("add: %v", err)
	}
	if _, err := w.SignInByPasskey(background, w.relyingParty(), sign.Ticket, answer(d, sign), "",
		home); err == nil || errors.As(err, &coded) {
		t.Errorf("sign in: %v", err)
	}
}
