package identity

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/jobs"
)

// guesser returns a new client address each time, so that only the account's quota runs out.
func guesser(i int) Client {
	return Client{Address: netip.AddrFrom4([4]byte{203, 0, 113, byte(i)})}
}

func TestSignInByPassword_AfterTheBurstTheRightOneIsRefusedToo(t *testing.T) {
	w := newSQLiteWorld(t)
	for _, email := range []string{"ada@acme.example", "bo@other.example"} {
		_, s := w.signInByLink(email, home)
		w.must(w.SetPassword(background, s, "correct horse battery", home))
	}
	// Twenty real hashes would take too long.
	w.derive = func(password, salt []byte, _, _ uint32, _ uint8, length uint32) []byte { return make([]byte, length) }
	for range tryBurst {
		_, err := w.SignInByPassword(background, "ada@acme.example", "a wrong guess", "", abroad)
		w.wantRefused(err, slotd.Unauthorized, "wrong password")
	}
	fresh := New(*w.Service)
	_, err := fresh.SignInByPassword(background, "Ada@Acme.example", "correct horse battery", "", abroad)
	w.wantRefused(err, slotd.RateLimited, "too many tries")
	if e := err.(*slotd.Error); e.RetryAfter <= 0 || e.RetryAfter > tryInterval {
		t.Errorf("retry after %v", e.RetryAfter)
	}
	for _, other := range []struct {
		email string
		from  Client
	}{{"bo@other.example", abroad}, {"ada@acme.example", home}} { // nobody else is locked out
		_, err = fresh.SignInByPassword(background, other.email, "correct horse battery", "", other.from)
		w.must(err)
	}
	w.clock.Advance(tryInterval)
	_, err = fresh.SignInByPassword(background, "ada@acme.example", "correct horse battery", "", abroad)
	w.must(err)
}

func TestSignInByPassword_ManyWhoGuessTogetherAreRefusedToo(t *testing.T) {
	w := newSQLiteWorld(t)
	w.derive = func(password, salt []byte, _, _ uint32, _ uint8, length uint32) []byte { return make([]byte, length) }
	for i := range accountBurst {
		_, err := w.SignInByPassword(background, "ada@acme.example", "a wrong guess", "", guesser(i))
		w.wantRefused(err, slotd.Unauthorized, "")
	}
	_, err := w.SignInByPassword(background, "ada@acme.example", "a wrong guess", "", guesser(accountBurst))
	w.wantRefused(err, slotd.RateLimited, "too many tries")
}

func TestCount_OneClientForAllAccounts(t *testing.T) {
	w := newSQLiteWorld(t)
	for range clientBurst {
		if err := w.countAttempt(abroad, nil, ""); err != nil {
			t.Fatal(err)
		}
	}
	setup := w.newSetupToken()
	forged := strings.Repeat("A", 64)
	sameClient := Client{Address: netip.MustParseAddr("::ffff:198.51.100.7")} // the same address, written differently
	for _, client := range []Client{abroad, sameClient} {
		_, err := w.SignInByPassword(background, "whoever@acme.example", "", "", client)
		w.wantRefused(err, slotd.RateLimited, "too many tries")
		_, err = w.SignInByTicket(background, forged, "", client)
		w.wantRefused(err, slotd.RateLimited, "")
		w.wantRefused(w.SendLink(background, "ada@acme.example", "", client), slotd.RateLimited, "")
		_, err = w.SetUp(background, forged, "Ada", "ada@acme.example", "", "", client)
		w.wantRefused(err, slotd.RateLimited, "")
	}
	_, err := w.SetUp(background, setup, "Ada", "ada@acme.example", "", "", abroad) // a valid link still works
	w.must(err)
	_, err = w.SignInByTicket(background, w.link("ada@acme.example"), "", abroad)
	w.must(err)
	w.must(w.countAttempt(home, nil, ""))
	w.clock.Advance(clientInterval)
	w.must(w.countAttempt(abroad, nil, ""))
}

// linkMails counts the jobs that send links.
func (w *world) linkMails() int {
	w.t.Helper()
	list, err := w.db.ClaimJobs(background, []int64{0}, string(jobs.Mail), w.clock.Now().UnixMilli(),
		w.clock.Now().UnixMilli(), 100)
	w.must(err)
	return len(list)
}

func TestSendLink_ToThoseWhoAreKnown(t *testing.T) {
	for name, c := range map[string]struct {
		open  bool
		email string
		mails int
	}{
		"an owner":                     {false, "Ada@Acme.Example", 1},
		"a stranger, sign-up closed":   {false, "new@acme.example", 0},
		"a stranger, sign-up open":     {true, "new@acme.example", 1},
		"an owner while sign-up is on": {true, "ada@acme.example", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t)
			w.signInByLink("ada@acme.example", home)
			w.OpenSignUp = c.open
			w.must(w.SendLink(background, c.email, "/settings/mcp", home))
			if got := w.linkMails(); got != c.mails {
				t.Errorf("%d mails, want %d", got, c.mails)
			}
			if strings.Contains(strings.ToLower(w.log.String()), "acme.example") {
				t.Errorf("the log has the address:\n%s", w.log)
			}
			if row, err := findUser(background, w.db.Read(), "new@acme.example"); row != nil || err != nil {
				t.Errorf("asking made the user %v %v", row, err)
			}
		})
	}
}

func TestSendLink_SoManyToOneAddress(t *testing.T) {
	w := newSQLiteWorld(t)
	for range mailBurst {
		w.must(w.SendLink(background, "ada@acme.example", "", abroad))
	}
	w.wantRefused(w.SendLink(background, "ADA@acme.example", "", abroad), slotd.RateLimited, "too many tries")
	w.must(w.SendLink(background, "bo@other.example", "", abroad))
	// The quota is per requesting address; at most 30 mails per hour go to one address in total.
	w.must(w.SendLink(background, "ada@acme.example", "", home))
	w.clock.Advance(mailInterval + time.Millisecond)
	w.must(w.SendLink(background, "ada@acme.example", "", abroad))
}

func TestSignIn_ShowsTheWorkspaceAskedForThenTheOneBefore(t *testing.T) {
	w := newSQLiteWorld(t)
	one, two := w.workspace(1, "one"), w.workspace(2, "two")
	cookie, ada := w.signInByLink("ada@acme.example", home)
	for _, id := range []int64{one, two} {
		w.clock.Advance(time.Second)
		w.must(w.db.InTx(background, func(ctx context.Context, tx *tx) error {
			return w.AddMember(ctx, tx, id, ada.User.ID)
		}))
	}
	again := func(old string) *SignedIn {
		a, err := w.SignInByTicket(background, w.link("ada@acme.example"), old, home)
		w.must(err)
		return a
	}
	first := again(cookie)
	if first.WorkspaceID != one {
		t.Errorf("shows %d, want the oldest", first.WorkspaceID)
	}
	w.must(w.SwitchWorkspace(background, w.session(first.Cookie), two))
	if a := again(first.Cookie); a.WorkspaceID != two {
		t.Errorf("shows %d, want the one shown before", a.WorkspaceID)
	}
	stranger, _ := w.signInByLink("bo@other.example", abroad)
	if a := again(stranger); a.WorkspaceID != one {
		t.Errorf("shows %d after somebody else's session, want the oldest", a.WorkspaceID)
	}
}

// Somebody who requests links for another person from many addresses must not use up the mails that the address may get
// in an hour.
func TestSendLink_AFloodLeavesRoomForOneThatWorks(t *testing.T) {
	w := newSQLiteWorld(t)
	w.signInByLink("ada@acme.example", home)
	for i := range 4 * maxOpenLinks {
		w.must(w.SendLink(background, "ada@acme.example", "", guesser(i)))
	}
	if got := w.linkMails(); got != maxOpenLinks {
		t.Errorf("%d mails, want %d", got, maxOpenLinks)
	}
	w.clock.Advance(signInLifetime)
	w.must(w.SendLink(background, "ada@acme.example", "", home))
}
