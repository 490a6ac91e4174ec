package identity

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

// An attacker plants a cookie in a browser and waits for its owner to sign in.
func TestCreateSession_APlantedCookieIsWorthNothingAfterwards(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		for name, planted := range map[string]string{"made up": "planted", "empty": "",
			"the planter's own session": func() string {
				c, _ := w.signInByLink("mallory@evil.example", abroad)
				return c
			}()} {
			a, err := w.SignInByTicket(background, w.link("ada@acme.example"), planted, home)
			w.must(err)
			if a.Cookie == planted || len(a.Cookie) < 50 {
				t.Errorf("%s: the cookie is %q", name, a.Cookie)
			}
			if s := w.session(planted); s != nil {
				t.Errorf("%s: the planted cookie is a session of %s", name, s.User.Email)
			}
			if s := w.session(a.Cookie); s == nil || s.User.Email != "ada@acme.example" {
				t.Errorf("%s: the new cookie is %v", name, s)
			}
		}
	})
}

func TestCreateSession_EverySignInRotates(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		cookie, ada := w.signInByLink("ada@acme.example", home)
		w.must(w.SetPassword(background, ada, "correct horse battery", home))
		for _, again := range []func(old string) (*SignedIn, error){
			func(old string) (*SignedIn, error) {
				return w.SignInByPassword(background, "ada@acme.example", "correct horse battery", old, home)
			},
			func(old string) (*SignedIn, error) {
				return w.SignInByTicket(background, w.link("ada@acme.example"), old, home)
			},
		} {
			a, err := again(cookie)
			w.must(err)
			if a.Cookie == cookie || w.session(cookie) != nil || w.session(a.Cookie) == nil {
				t.Fatal("the cookie before still works, or the new one does not")
			}
			cookie = a.Cookie
		}
		if list, err := w.Sessions(background, ada.User.ID); err != nil || len(list) != 1 {
			t.Errorf("%d sessions %v, want the last one alone", len(list), err)
		}
	})
}

func TestRecognize_NothingButTheCookieItself(t *testing.T) {
	w := newSQLiteWorld(t)
	cookie, ada := w.signInByLink("ada@acme.example", home)
	rows, err := w.db.Read().Sessions(background, ada.User.ID)
	w.must(err)
	for _, wrong := range []string{"", " ", cookie + "x", cookie[:len(cookie)-1], ada.ID, rows[0].ID,
		string(hashCookie(cookie)), "' OR 1=1 --", string(make([]byte, 10_000))} {
		if s := w.session(wrong); s != nil {
			t.Errorf("%.40q is a session of %s", wrong, s.User.Email)
		}
	}
}

func TestRecognize_EndsWhenIdleAndAfterAMonth(t *testing.T) {
	w := newSQLiteWorld(t)
	for name, c := range map[string]struct {
		steps []time.Duration
		lives bool
	}{
		"used in time":         {[]time.Duration{12*time.Hour - time.Second}, true},
		"idle for 12 hours":    {[]time.Duration{12 * time.Hour}, false},
		"used again and again": {[]time.Duration{11 * time.Hour, 11 * time.Hour, 11 * time.Hour}, true},
	} {
		cookie, _ := w.signInByLink("ada@acme.example", home)
		for i, step := range c.steps {
			w.clock.Advance(step)
			if got := w.session(cookie) != nil; got != (c.lives || i < len(c.steps)-1) {
				t.Errorf("%s: lives %t", name, got)
			}
		}
	}
	cookie, _ := w.signInByLink("ada@acme.example", home)
	start := w.clock.Now()
	for w.clock.Now().Sub(start) < 30*24*time.Hour-11*time.Hour {
		w.clock.Advance(10 * time.Hour)
		if w.session(cookie) == nil {
			t.Fatalf("over after %v of use", w.clock.Now().Sub(start))
		}
	}
	w.clock.Set(start.Add(30 * 24 * time.Hour))
	if w.session(cookie) != nil {
		t.Error("alive after 30 days")
	}
}

func TestSessions_OldOnesAreNeitherListedNorKept(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		_, ada := w.signInByLink("ada@acme.example", abroad)
		w.clock.Advance(13 * time.Hour)
		if list, err := w.Sessions(background, ada.User.ID); err != nil || len(list) != 0 {
			t.Errorf("listed %v %v", list, err)
		}
		w.signInByLink("ada@acme.example", home)
		rows, err := w.db.Read().Sessions(background, ada.User.ID)
		w.must(err)
		if len(rows) != 1 || rows[0].Client != home.Browser || rows[0].Address != home.Address.String() {
			t.Errorf("kept %v", rows)
		}
	})
}

func TestEndSession_OnesOwnOnly(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		cookie, ada := w.signInByLink("ada@acme.example", home)
		second, _ := w.signInByLink("ada@acme.example", abroad)
		third, _ := w.signInByLink("ada@acme.example", abroad)
		bos, bo := w.signInByLink("bo@other.example", abroad)
		if found, err := w.EndSession(background, bo.User.ID, ada.ID, abroad); err != nil || found ||
			w.session(cookie) == nil {
			t.Fatal("bo ended ada's session")
		}
		if found, err := w.EndSession(background, ada.User.ID, w.session(second).ID, home); err != nil || !found ||
			w.session(second) != nil {
			t.Fatal("ada could not end her own")
		}
		w.must(w.EndOtherSessions(background, ada, home))
		if w.session(third) != nil || w.session(cookie) == nil || w.session(bos) == nil {
			t.Fatal("all others: too many or too few were ended")
		}
	})
}

func TestFresh_IsAboutTheLastSignInNotTheLastUse(t *testing.T) {
	w := newSQLiteWorld(t)
	cookie, s := w.signInByLink("ada@acme.example", home)
	if !s.Fresh(w.clock.Now(), FreshFor) {
		t.Error("not fresh at once")
	}
	w.clock.Advance(FreshFor - time.Second)
	if !w.session(cookie).Fresh(w.clock.Now(), FreshFor) {
		t.Error("not fresh within the time")
	}
	w.clock.Advance(time.Second)
	if w.session(cookie).Fresh(w.clock.Now(), FreshFor) {
		t.Error("being used made it fresh again")
	}
}

func TestSwitchWorkspace_OnesOwnSessionOnly(t *testing.T) {
	w := newSQLiteWorld(t)
	cookie, ada := w.signInByLink("ada@acme.example", home)
	_, bo := w.signInByLink("bo@other.example", abroad)
	forged := *bo
	forged.ID = ada.ID
	w.must(w.SwitchWorkspace(background, &forged, 42))
	if got := w.session(cookie).WorkspaceID; got != 0 {
		t.Errorf("bo made ada's session show %d", got)
	}
	w.must(w.db.InTx(background, func(ctx context.Context, tx *tx) error {
		return tx.ChooseWorkspace(ctx, sqlcgen.ChooseWorkspaceParams{UserID: ada.User.ID, ID: ada.ID, WorkspaceID: 42})
	}))
	if got := w.session(cookie).WorkspaceID; got != 42 {
		t.Errorf("her own shows %d", got)
	}
}

// Whoever is signed in stays so if the use cannot be noted, and only that is worth a line in the log.
func TestRecognize_LogsOnlyAUseThatCannotBeNoted(t *testing.T) {
	target := testdb.SQLite(t)
	w := newWorld(t, target)
	cookie, _ := w.signInByLink("ada@acme.example", home)
	w.log.Reset()
	w.clock.Advance(sessionTouchInterval)
	if s := w.session(cookie); s == nil || w.log.Len() > 0 {
		t.Errorf("%+v, log: %s", s, w.log)
	}
	raw, err := sql.Open("sqlite", target)
	w.must(err)
	defer raw.Close()
	_, err = raw.Exec("CREATE TRIGGER fire BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'no room'); END")
	w.must(err)
	w.clock.Advance(sessionTouchInterval)
	if s := w.session(cookie); s == nil || !strings.Contains(w.log.String(), "no room") {
		t.Errorf("%+v, log: %s", s, w.log)
	}
}
