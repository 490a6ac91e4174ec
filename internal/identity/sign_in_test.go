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

// guesser tries from a new address each time, so that only the account's share ends.
func guesser(i int) Client {
	return Client{Address: netip.AddrFrom4([4]byte{203, 0, 113, byte(i)})}
}

func TestByPassword_AfterTheBurstTheRightOneIsRefusedToo(t *testing.T) {
	w := lite(t)
	for _, email := range []string{"ada@acme.example", "bo@other.example"} {
		_, s := w.arrives(email, home)
		w.must(w.SetPassword(background, s, "correct horse battery", home))
	}
	// no time for 20 real ones
	w.derive = func(password, salt []byte, _, _ uint32, _ uint8, length uint32) []byte { return make([]byte, length) }
	for range triesAtOnce {
		_, err := w.SignInByPassword(background, "ada@acme.example", "a wrong guess", "", abroad)
		w.refuses(err, slotd.Unauthorized, "wrong password")
	}
	fresh := New(*w.Service)
	_, err := fresh.SignInByPassword(background, "Ada@Acme.example", "correct horse battery", "", abroad)
	w.refuses(err, slotd.RateLimited, "too many tries")
	if e := err.(*slotd.Error); e.RetryAfter <= 0 || e.RetryAfter > tryEvery {
		t.Errorf("retry after %v", e.RetryAfter)
	}
	for _, who := range []struct {
		email string
		from  Client
	}{{"bo@other.example", abroad}, {"ada@acme.example", home}} { // nobody else is locked out
		_, err = fresh.SignInByPassword(background, who.email, "correct horse battery", "", who.from)
		w.must(err)
	}
	w.clock.Move(tryEvery)
	_, err = fresh.SignInByPassword(background, "ada@acme.example", "correct horse battery", "", abroad)
	w.must(err)
}

func TestByPassword_ManyWhoGuessTogetherAreRefusedToo(t *testing.T) {
	w := lite(t)
	w.derive = func(password, salt []byte, _, _ uint32, _ uint8, length uint32) []byte { return make([]byte, length) }
	for i := range accountAtOnce {
		_, err := w.SignInByPassword(background, "ada@acme.example", "a wrong guess", "", guesser(i))
		w.refuses(err, slotd.Unauthorized, "")
	}
	_, err := w.SignInByPassword(background, "ada@acme.example", "a wrong guess", "", guesser(accountAtOnce))
	w.refuses(err, slotd.RateLimited, "too many tries")
}

func TestCount_OneClientForAllAccounts(t *testing.T) {
	w := lite(t)
	for range clientAtOnce {
		if err := w.count(abroad, nil, ""); err != nil {
			t.Fatal(err)
		}
	}
	setup := w.firstLink()
	made := strings.Repeat("A", 64)
	neighbour := Client{Address: netip.MustParseAddr("::ffff:198.51.100.7")} // the same, written in another way
	for _, client := range []Client{abroad, neighbour} {
		_, err := w.SignInByPassword(background, "whoever@acme.example", "", "", client)
		w.refuses(err, slotd.RateLimited, "too many tries")
		_, err = w.SignInByTicket(background, made, "", client)
		w.refuses(err, slotd.RateLimited, "")
		w.refuses(w.SendLink(background, "ada@acme.example", "", client), slotd.RateLimited, "")
		_, err = w.SetUp(background, made, "Ada", "ada@acme.example", "", "", client)
		w.refuses(err, slotd.RateLimited, "")
	}
	_, err := w.SetUp(background, setup, "Ada", "ada@acme.example", "", "", abroad) // a link of ours works all the same
	w.must(err)
	_, err = w.SignInByTicket(background, w.link("ada@acme.example"), "", abroad)
	w.must(err)
	w.must(w.count(home, nil, ""))
	w.clock.Move(clientEvery)
	w.must(w.count(abroad, nil, ""))
}

// mails counts the jobs that send links.
func (w *world) mails() int {
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
			w := lite(t)
			w.arrives("ada@acme.example", home)
			w.OpenSignUp = c.open
			w.must(w.SendLink(background, c.email, "/settings/mcp", home))
			if got := w.mails(); got != c.mails {
				t.Errorf("%d mails, want %d", got, c.mails)
			}
			if strings.Contains(strings.ToLower(w.log.String()), "acme.example") {
				t.Errorf("the log has the address:\n%s", w.log)
			}
			if row, err := find(background, w.db.Read(), "new@acme.example"); row != nil || err != nil {
				t.Errorf("asking made the user %v %v", row, err)
			}
		})
	}
}

func TestSendLink_SoManyToOneAddress(t *testing.T) {
	w := lite(t)
	for range mailsAtOnce {
		w.must(w.SendLink(background, "ada@acme.example", "", abroad))
	}
	w.refuses(w.SendLink(background, "ADA@acme.example", "", abroad), slotd.RateLimited, "too many tries")
	w.must(w.SendLink(background, "bo@other.example", "", abroad))
	w.must(w.SendLink(background, "ada@acme.example", "", home)) // at most 30 an hour to one address, whoever asks
	w.clock.Move(mailEvery + time.Millisecond)
	w.must(w.SendLink(background, "ada@acme.example", "", abroad))
}

func TestArrive_ShowsTheWorkspaceAskedForThenTheOneBefore(t *testing.T) {
	w := lite(t)
	one, two := w.workspace(1, "one"), w.workspace(2, "two")
	cookie, ada := w.arrives("ada@acme.example", home)
	for _, id := range []int64{one, two} {
		w.clock.Move(time.Second)
		w.must(w.db.InTx(background, func(ctx context.Context,
			tx *tx) error {
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
	stranger, _ := w.arrives("bo@other.example", abroad)
	if a := again(stranger); a.WorkspaceID != one {
		t.Errorf("shows %d after somebody else's session, want the oldest", a.WorkspaceID)
	}
}

// Whoever has links sent to another from many places must not use up the mails that the address gets in an hour.
func TestSendLink_AFloodLeavesRoomForOneThatWorks(t *testing.T) {
	w := lite(t)
	w.arrives("ada@acme.example", home)
	for i := range 4 * openLinks {
		w.must(w.SendLink(background, "ada@acme.example", "", guesser(i)))
	}
	if got := w.mails(); got != openLinks {
		t.Errorf("%d mails, want %d", got, openLinks)
	}
	w.clock.Move(signInLives)
	w.must(w.SendLink(background, "ada@acme.example", "", home))
}
