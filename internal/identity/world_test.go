package identity

import (
	"bytes"
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd"
	"slotd/internal/identity/links"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var background = context.Background()

var monday = time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)

var (
	home   = Client{Address: netip.MustParseAddr("192.0.2.1"), Browser: "Firefox on Linux"}
	abroad = Client{Address: netip.MustParseAddr("198.51.100.7"), Browser: "Chrome on Windows"}
)

// world is one server on a database of its own, with nobody in it.
type world struct {
	t     testing.TB
	db    *store.DB
	clock *testdb.Clock
	log   *bytes.Buffer
	*Service
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target)) })
}

// lite is for what no database has a say in.
func lite(t testing.TB) *world { return newWorld(t, testdb.SQLite(t)) }

func newWorld(t testing.TB, target string) *world {
	t.Helper()
	w := &world{t: t, db: testdb.Open(t, target), clock: testdb.NewClock(monday), log: &bytes.Buffer{}}
	signer, err := links.Load(background, w.db, w.clock.Now())
	w.must(err)
	w.Service = New(Service{DB: w.db, Links: signer, Now: w.clock.Now, Log: slog.New(slog.NewTextHandler(w.log, nil)),
		Limits: NewLimits()})
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// workspace makes one with nothing in it.
func (w *world) workspace(id int64, slug string) int64 {
	w.t.Helper()
	w.must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertWorkspace(ctx, sqlcgen.InsertWorkspaceParams{ID: id, Slug: slug, Name: slug, TimeZone: "UTC"})
	}))
	return id
}

// link is a fresh one that signs its holder in.
func (w *world) link(email string) (token string) {
	w.t.Helper()
	var t Ticket
	w.must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) (err error) {
		t, err = w.issue(ctx, tx, Ticket{Purpose: SignIn, Email: email}, signInLives)
		return err
	}))
	return secretIn(w.Path(t))
}

func secretIn(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// arrives signs somebody in by a link, and recognises the session.
func (w *world) arrives(email string, client Client) (cookie string, session *Session) {
	w.t.Helper()
	a, err := w.SignInByTicket(background, w.link(email), "", client)
	w.must(err)
	return a.Cookie, w.session(a.Cookie)
}

// session is nil where the cookie is worth nothing.
func (w *world) session(cookie string) *Session {
	w.t.Helper()
	s, err := w.Recognize(background, cookie, home)
	w.must(err)
	return s
}

// refuses fails unless the error has the code, and the log says why.
func (w *world) refuses(err error, code slotd.Code, why string) {
	w.t.Helper()
	if !slotd.Is(err, code) {
		w.t.Fatalf("got %v, want %s", err, code)
	}
	if why != "" && !strings.Contains(w.log.String(), why) {
		w.t.Errorf("the log does not say %q:\n%s", why, w.log)
	}
}

// activity is what a workspace was told, the kinds only, the newest first.
func (w *world) activity(workspaceID int64) (kinds []string) {
	w.t.Helper()
	rows, err := w.db.Read().ActivityBefore(background,
		sqlcgen.ActivityBeforeParams{WorkspaceID: workspaceID, At: w.clock.Now().UnixMilli() + 1, Limit: 100})
	w.must(err)
	for _, row := range rows {
		kinds = append(kinds, row.Kind)
	}
	return kinds
}

// atOnce runs them all at the same time and counts those that succeed.
func atOnce(n int, try func() error) (succeeded int, refused []error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan struct{})
	for range n {
		wg.Go(func() {
			<-start
			err := try()
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				succeeded++
			} else {
				refused = append(refused, err)
			}
		})
	}
	close(start)
	wg.Wait()
	return succeeded, refused
}
