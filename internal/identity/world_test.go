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

// world is a server with its own database and no users.
type world struct {
	t     testing.TB
	db    *store.DB
	clock *testdb.Clock
	log   *bytes.Buffer
	*Service
}

func eachDB(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newWorld(t, target)) })
}

// newSQLiteWorld is for tests that do not depend on the database.
func newSQLiteWorld(t testing.TB) *world { return newWorld(t, testdb.SQLite(t)) }

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

// workspace creates an empty workspace.
func (w *world) workspace(id int64, slug string) int64 {
	w.t.Helper()
	w.must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertWorkspace(ctx, sqlcgen.InsertWorkspaceParams{ID: id, Slug: slug, Name: slug, TimeZone: "UTC"})
	}))
	return id
}

// link returns the token of a new sign-in link.
func (w *world) link(email string) (token string) {
	w.t.Helper()
	var t Ticket
	w.must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) (err error) {
		t, err = w.issueTicket(ctx, tx, Ticket{Kind: SignIn, Email: email}, signInLifetime)
		return err
	}))
	return lastSegment(w.Path(t))
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// signInByLink signs a user in by a link and returns the session.
func (w *world) signInByLink(email string, client Client) (cookie string, session *Session) {
	w.t.Helper()
	a, err := w.SignInByTicket(background, w.link(email), "", client)
	w.must(err)
	return a.Cookie, w.session(a.Cookie)
}

// session returns nil if the cookie is not valid.
func (w *world) session(cookie string) *Session {
	w.t.Helper()
	s, err := w.Recognize(background, cookie, home)
	w.must(err)
	return s
}

// wantRefused fails the test unless the error has the code and the log contains why.
func (w *world) wantRefused(err error, code slotd.Code, why string) {
	w.t.Helper()
	if !slotd.Is(err, code) {
		w.t.Fatalf("got %v, want %s", err, code)
	}
	if why != "" && !strings.Contains(w.log.String(), why) {
		w.t.Errorf("the log does not say %q:\n%s", why, w.log)
	}
}

// activity returns the kinds of a workspace's activity, newest first.
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

// runConcurrently calls try n times at the same time and counts the calls that succeed.
func runConcurrently(n int, try func() error) (succeeded int, errs []error) {
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
				errs = append(errs, err)
			}
		})
	}
	close(start)
	wg.Wait()
	return succeeded, errs
}
