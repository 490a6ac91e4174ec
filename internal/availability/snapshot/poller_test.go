package snapshot

import (
	"context"
	"testing"
	"time"

	"slotd/internal/store/testdb"
	"slotd/test/await"
)

func pollerOf(s *Cache) *poller { return s.watch.(*poller) }

// A second after a commit, either a poll has begun since, or the last good poll is too old to be trusted.
func TestPoller_AReadASecondAfterACommitSeesIt(t *testing.T) {
	target := testdb.Postgres(t)
	db, other := testdb.Open(t, target), testdb.Open(t, target)
	seed(t, db, 1, "w1")
	now := fixed()
	s := newCache(t, db, now.Now)
	_, err := s.Workspace(background, "w1")
	must(t, err)
	for range 20 {
		version, err := touchConfig(other, 1)
		must(t, err)
		now.Advance(trustPollFor)
		p, err := s.Workspace(background, "w1")
		must(t, err)
		if p.Version != version {
			t.Fatalf("a second after the commit the snapshot is at %d, want %d", p.Version, version)
		}
	}
}

// The clock stands still, so every good poll is trusted and no request asks for itself.
func TestPoller_FindsACommitByItself(t *testing.T) {
	target := testdb.Postgres(t)
	db, other := testdb.Open(t, target), testdb.Open(t, target)
	seed(t, db, 1, "w1")
	s := newCache(t, db, fixed().Now)
	_, err := s.Workspace(background, "w1")
	must(t, err)
	version, err := touchConfig(other, 1)
	must(t, err)
	await.True(t, "the poll finds the commit", func() bool {
		p, err := s.Workspace(background, "w1")
		must(t, err)
		return p.Version == version
	})
}

func TestPoller_WithoutGoodPollsEveryRequestAsks(t *testing.T) {
	target := testdb.Postgres(t)
	db, other := testdb.Open(t, target), testdb.Open(t, target)
	seed(t, db, 1, "w1")
	now := fixed()
	s := newCache(t, db, now.Now)
	first, err := s.Workspace(background, "w1")
	must(t, err)
	pollerOf(s).close() // as if every poll failed from here on
	version, err := touchConfig(other, 1)
	must(t, err)
	now.Advance(trustPollFor - time.Millisecond)
	if p, err := s.Workspace(background, "w1"); err != nil || p != first {
		t.Errorf("within the second the polls are not trusted: %v", err)
	}
	now.Advance(time.Millisecond)
	for range 5 {
		p, err := s.Workspace(background, "w1")
		must(t, err)
		if p.Version != version {
			t.Fatalf("version %d, want %d", p.Version, version)
		}
		version, err = touchConfig(other, 1)
		must(t, err)
	}
	must(t, pollerOf(s).poll(background))
	if p, err := s.Workspace(background, "w1"); err != nil || p.Version != version {
		t.Errorf("after a good poll: %v", err)
	}
}

func TestPoller_AFailedPollMissesNothing(t *testing.T) {
	target := testdb.Postgres(t)
	db, other := testdb.Open(t, target), testdb.Open(t, target)
	seed(t, db, 1, "w1")
	now := fixed()
	s := newCache(t, db, now.Now)
	_, err := s.Workspace(background, "w1")
	must(t, err)
	p := pollerOf(s)
	p.close()
	version, err := touchConfig(other, 1)
	must(t, err)
	cursor, good := p.cursor, p.lastSuccess.Load()
	now.Advance(100 * time.Millisecond)
	ended, end := context.WithCancel(background)
	end()
	if err := p.poll(ended); err == nil {
		t.Fatal("the poll did not fail")
	}
	if p.cursor != cursor || p.lastSuccess.Load() != good {
		t.Error("a failed poll counts as a good one")
	}
	must(t, p.poll(background))
	if got, err := s.Workspace(background, "w1"); err != nil || got.Version != version {
		t.Errorf("the next poll missed it: %v", err)
	}
}

func TestPoller_ComesBackAfterItsConnectionsWereCut(t *testing.T) {
	target := testdb.Postgres(t)
	db, other := testdb.Open(t, target), testdb.Open(t, target)
	seed(t, db, 1, "w1")
	s := newCache(t, db, time.Now)
	_, err := s.Workspace(background, "w1")
	must(t, err)
	conn, err := other.ReadConn(background)
	must(t, err)
	defer conn.Close()
	_, err = conn.ExecContext(background,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	must(t, err)
	version, err := touchConfig(other, 1)
	must(t, err)
	// A request may use a cut connection and fail, but none may get the old snapshot.
	await.True(t, "a connection", func() bool {
		p, err := s.Latest(background, 1)
		if err == nil && p.Version != version {
			t.Errorf("version %d, want %d", p.Version, version)
		}
		return err == nil
	})
	for range 2 { // the first poll may have asked before the cut
		good := pollerOf(s).lastSuccess.Load()
		await.True(t, "a good poll", func() bool { return pollerOf(s).lastSuccess.Load() > good })
	}
}

func TestPoller_ADeadDatabaseIsAnErrorAndNoOldSnapshot(t *testing.T) {
	db := testdb.Open(t, testdb.Postgres(t))
	seed(t, db, 1, "w1")
	now := fixed()
	s := newCache(t, db, now.Now)
	_, err := s.Workspace(background, "w1")
	must(t, err)
	pollerOf(s).close()
	db.Close()
	now.Advance(trustPollFor)
	if _, err := s.Workspace(background, "w1"); err == nil {
		t.Error("an old snapshot is shown as the present one")
	}
	if _, err := s.Latest(background, 1); err == nil {
		t.Error("an old snapshot is shown as the latest one")
	}
}
