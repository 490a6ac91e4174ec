package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/test/await"
)

// eachWatch runs the test with both ways of detecting a change of a SQLite file.
func eachWatch(t *testing.T, test func(t *testing.T, target string, open func(*store.DB) *Cache)) {
	for _, way := range []string{"header", "data_version"} {
		t.Run(way, func(t *testing.T) {
			test(t, testdb.SQLite(t), func(db *store.DB) *Cache {
				s := newCache(t, db, fixed().Now)
				w := s.watch.(*sqliteWatch)
				if w.header == nil {
					testdb.SkipOrFailInCI(t, "SQLite's shared memory", errors.New("it could not be mapped"))
				}
				if way == "data_version" {
					w.header = nil
					must(t, w.poll())
				}
				return s
			})
		})
	}
}

// readers starts goroutines that request snapshots all the time, and returns when each has got one. After stop, each
// gets one more, which has the last version. The test fails if one gets a snapshot that is older than a commit that
// finished before the request, or one that mixes two versions.
func readers(t *testing.T, s *Cache, committed *[3]atomic.Int64, stop <-chan struct{}) (wait func()) {
	t.Helper()
	var all, reading sync.WaitGroup
	for i := range 6 {
		reading.Add(1)
		begun := sync.OnceFunc(reading.Done)
		all.Go(func() {
			defer begun()
			id := int64(1 + i%2)
			for last := false; !last; {
				select {
				case <-stop:
					last = true
				default:
				}
				minVersion := committed[id].Load()
				p, err := s.Workspace(background, fmt.Sprint("w", id))
				if err != nil {
					t.Error(err)
					return
				}
				begun()
				if p.Version < minVersion {
					t.Errorf("got version %d after %d was committed", p.Version, minVersion)
					return
				}
				if p.Name != fmt.Sprint(p.Version) {
					t.Errorf("version %d has the name that version %s wrote", p.Version, p.Name)
					return
				}
			}
		})
	}
	reading.Wait()
	return all.Wait
}

func writes(t *testing.T) int {
	if testing.Short() {
		return 60
	}
	return 400
}

func TestRace_NeverOlderThanAnotherHandlesCommit(t *testing.T) {
	eachWatch(t, func(t *testing.T, target string, open func(*store.DB) *Cache) {
		db, other := testdb.Open(t, target), testdb.Open(t, target)
		seed(t, db, 1, "w1")
		seed(t, db, 2, "w2")
		var committed [3]atomic.Int64
		stop := make(chan struct{})
		wait := readers(t, open(db), &committed, stop)
		for i := range writes(t) {
			from, id := []*store.DB{db, other}[i/2%2], int64(1+i%2)
			version, err := touchConfig(from, id)
			must(t, err)
			committed[id].Store(version)
		}
		close(stop)
		wait()
	})
}

const writeTarget = "SLOTD_TEST_WRITE"

// TestWriterProcess writes to a database that another process reads, and prints each version.
func TestWriterProcess(t *testing.T) {
	target := os.Getenv(writeTarget)
	if target == "" {
		t.Skip("runs as a process of another test")
	}
	db := testdb.Open(t, target)
	for i := range writes(t) {
		id := int64(1 + i%2)
		version, err := touchConfig(db, id)
		must(t, err)
		fmt.Println("wrote", id, version)
	}
}

func TestRace_NeverOlderThanAnotherProcessesCommit(t *testing.T) {
	eachWatch(t, func(t *testing.T, target string, open func(*store.DB) *Cache) {
		db := testdb.Open(t, target)
		seed(t, db, 1, "w1")
		seed(t, db, 2, "w2")
		s := open(db)
		var committed [3]atomic.Int64
		stop := make(chan struct{})
		wait := readers(t, s, &committed, stop)
		wrote := 0
		runWriter(t, target, func(id, version int64) {
			wrote++
			committed[id].Store(version)
			p, err := s.WorkspaceByID(background, id)
			must(t, err)
			if p.Version < version {
				t.Errorf("got version %d after %d was committed", p.Version, version)
			}
		})
		close(stop)
		wait()
		if wrote != writes(t) {
			t.Errorf("the other process wrote %d times", wrote)
		}
	})
}

// When a process ends, its last connection makes a checkpoint. This process must see what is written after that.
func TestWatch_SeesProcessesThatComeAndGo(t *testing.T) {
	eachWatch(t, func(t *testing.T, target string, open func(*store.DB) *Cache) {
		db := testdb.Open(t, target)
		seed(t, db, 1, "w1")
		s := open(db)
		for range 20 {
			other, err := store.Open(background, target)
			must(t, err)
			version, err := touchConfig(other, 1)
			must(t, err)
			for _, when := range []string{"open", "closed"} {
				p, err := s.Workspace(background, "w1")
				must(t, err)
				if p.Version != version {
					t.Errorf("%s: version %d, want %d", when, p.Version, version)
				}
				other.Close()
			}
			_, err = db.Read().WorkspaceSlug(background, 1)
			must(t, err)
		}
	})
}

func runWriter(t *testing.T, target string, wrote func(id, version int64)) {
	t.Helper()
	args := []string{"-test.run=^TestWriterProcess$"}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), writeTarget+"="+target)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	var otherLines []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) != 3 || words[0] != "wrote" {
			otherLines = append(otherLines, lines.Text())
			continue
		}
		id, _ := strconv.ParseInt(words[1], 10, 64)
		version, _ := strconv.ParseInt(words[2], 10, 64)
		wrote(id, version)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the writer: %v: %s", err, strings.Join(otherLines, "\n"))
	}
}

// A check needs no query while nothing changes.
func TestWatch_NothingChangedNothingAsked(t *testing.T) {
	db := testdb.Open(t, testdb.SQLite(t))
	seed(t, db, 1, "w1")
	s := newCache(t, db, fixed().Now)
	w := s.watch.(*sqliteWatch)
	if w.header == nil {
		testdb.SkipOrFailInCI(t, "SQLite's shared memory", errors.New("it could not be mapped"))
	}
	_, err := s.Workspace(background, "w1")
	must(t, err)
	_, err = s.Workspace(background, "w1")
	must(t, err)
	seen := w.lastHeader.Load()
	for range 100 {
		_, err = s.Workspace(background, "w1")
		must(t, err)
	}
	if w.lastHeader.Load() != seen || s.Loads.Load() != 1 {
		t.Errorf("looked again, loaded %d times", s.Loads.Load())
	}
}

func TestLatest_IsExactAtOnce(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db, other := testdb.Open(t, target), testdb.Open(t, target)
		seed(t, db, 1, "w1")
		s := newCache(t, db, fixed().Now)
		for range 30 {
			version, err := touchConfig(other, 1)
			must(t, err)
			p, err := s.Latest(background, 1)
			must(t, err)
			if p.Version != version || p.Name != fmt.Sprint(version) {
				t.Fatalf("version %d, want %d", p.Version, version)
			}
		}
	})
}

// Requests from before the commit must not cause a request after it to find nothing.
func TestRace_ANewWorkspaceIsThereForWhoeverAsksAfterItsCommit(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db, other := testdb.Open(t, target), testdb.Open(t, target)
		s := newCache(t, db, fixed().Now)
		for id := int64(1); id <= int64(writes(t)/4); id++ {
			slug := fmt.Sprint("w", id)
			var early sync.WaitGroup
			for range 4 {
				early.Go(func() {
					for {
						if _, err := s.Workspace(background, slug); err == nil {
							return
						} else if !slotd.Is(err, slotd.WorkspaceNotFound) {
							t.Error(err)
							return
						}
					}
				})
			}
			seed(t, other, id, slug)
			_, err := s.Workspace(background, slug)
			early.Wait()
			if err != nil {
				t.Fatalf("%s after its commit: %v", slug, err)
			}
		}
	})
}

// A commit of this process that is announced and then fails must not keep readers waiting.
func TestCache_AnAnnouncedCommitThatFailsHoldsNobodyUp(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		db, other := testdb.Open(t, target), testdb.Open(t, target)
		seed(t, db, 1, "w1")
		s := newCache(t, db, fixed().Now)
		_, err := s.Workspace(background, "w1")
		must(t, err)
		finish := s.Committing(1, 1)
		version, err := touchConfig(other, 1) // takes the version that the announced commit did not reach
		must(t, err)
		leaving, leave := context.WithCancel(background)
		if _, err := wantWaiting(t, s, leaving, leave); !errors.Is(err, context.Canceled) {
			t.Errorf("who leaves gets %v", err)
		}
		p, err := wantWaiting(t, s, background, finish)
		must(t, err)
		if p.Version != version {
			t.Errorf("version %d, want %d", p.Version, version)
		}
		if e := s.entry("w1"); len(e.commits) != 0 {
			t.Errorf("%d commits are left", len(e.commits))
		}
	})
}

// wantWaiting checks that Latest waits for the commit in progress. It returns the result after end.
func wantWaiting(t *testing.T, s *Cache, ctx context.Context, end func()) (p *Snapshot, err error) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		p, err = s.Latest(ctx, 1)
	}()
	await.True(t, "a reader that waits", func() bool { return isClosed(done) || waitsIn("snapshot.(*Cache).current(") })
	if isClosed(done) {
		t.Errorf("did not wait for the commit in progress: %v", err)
	}
	end()
	await.Signal(t, "the end of the wait", done)
	return p, err
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// waitsIn reports whether a goroutine waits in a select of the function.
func waitsIn(function string) bool {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for goroutine := range strings.SplitSeq(string(stacks), "\n\n") {
		state, frames, _ := strings.Cut(goroutine, "\n")
		top, _, _ := strings.Cut(frames, "\n")
		if strings.Contains(state, "[select") && strings.Contains(top, function) {
			return true
		}
	}
	return false
}
