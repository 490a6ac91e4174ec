package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/test/await"
)

// jobs returns n jobs of workspace 1, the first due at 1, the next at 2, and so on.
func jobs(n int) []sqlcgen.Job {
	list := make([]sqlcgen.Job, n)
	for i := range list {
		list[i] = sqlcgen.Job{
			WorkspaceID: 1, BookingID: fmt.Sprint("b", i%3), ID: fmt.Sprintf("j%03d", i), Queue: "mail",
			Kind: "tell", Detail: "{}", CreatedAt: 5, DueAt: int64(i) + 1, RunAt: int64(i) + 1,
		}
	}
	return list
}

func insertJobs(t *testing.T, db *store.DB, list []sqlcgen.Job) {
	t.Helper()
	must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.InsertJobs(ctx, list) }))
}

// claimed claims jobs once and returns them by id.
func claimed(t *testing.T, db *store.DB, now, leaseUntil int64, limit int) map[string]sqlcgen.Job {
	t.Helper()
	list, err := db.ClaimJobs(ctx, []int64{1}, "mail", now, leaseUntil, limit)
	must(t, err)
	byID := map[string]sqlcgen.Job{}
	for _, j := range list {
		byID[j.ID] = j
	}
	if len(byID) != len(list) {
		t.Errorf("one claim holds a job twice: %+v", list)
	}
	return byID
}

func TestInsertJobs_AnyNumberAtOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		now := int64(0)
		for _, n := range []int{0, 1, 12, 13, 30} {
			list := jobs(n)
			want := map[string]sqlcgen.Job{}
			for i := range list {
				list[i].ID = fmt.Sprint(n, list[i].ID)
				j := list[i]
				j.RunAt, j.Fence = 0, 1 // ClaimJobs does not return run_at, and this is the first claim
				want[j.ID] = j
			}
			insertJobs(t, db, list)
			now += 100
			if diff := cmp.Diff(want, claimed(t, db, now, 1<<40, 100)); diff != "" {
				t.Errorf("%d jobs (-inserted +claimed):\n%s", n, diff)
			}
		}
	})
}

func TestInsertJobs_LeavesWhatIsThereAsItIs(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		insertJobs(t, db, jobs(1))
		held := claimed(t, db, 1, 50, 1)
		again := jobs(2)
		again[0].Kind, again[0].RunAt = "other", 0
		insertJobs(t, db, again)
		if got := claimed(t, db, 49, 100, 10); len(got) != 1 || got["j001"].ID == "" {
			t.Errorf("claimed %+v, want the new one alone", got)
		}
		want := held["j000"]
		want.Fence = 2
		if diff := cmp.Diff(want, claimed(t, db, 50, 100, 10)["j000"]); diff != "" {
			t.Error(diff)
		}
	})
}

func TestInsertJobs_IsUndoneWithItsTransaction(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		errAbort := errors.New("no")
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			must(t, tx.InsertJobs(ctx, jobs(13)))
			return errAbort
		})
		if !errors.Is(err, errAbort) {
			t.Error(err)
		}
		if got := claimed(t, db, 100, 200, 100); len(got) > 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestClaimJobs_TakesTheOldestOfOneQueueAndWorkspace(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		list := jobs(5)
		list[0].WorkspaceID, list[1].Queue = 2, "calendar"
		insertJobs(t, db, list)
		for _, c := range []struct {
			now, leaseUntil int64
			want            []string
		}{
			{2, 100, nil}, {3, 100, []string{"j002"}}, {5, 100, []string{"j003", "j004"}}, {99, 200, nil},
			{100, 200, []string{"j002", "j003"}}, {100, 200, []string{"j004"}},
		} {
			if got := slices.Sorted(maps.Keys(claimed(t, db, c.now, c.leaseUntil, 2))); !slices.Equal(got, c.want) {
				t.Errorf("at %d: %v, want %v", c.now, got, c.want)
			}
		}
	})
}

func TestClaimJobs_SharesAmongWorkspaces(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		for workspace, n := range map[int64]int{1: 30, 2: 1, 3: 30, 4: 0} {
			list := jobs(n)
			for i := range list {
				list[i].WorkspaceID = workspace
			}
			insertJobs(t, db, list)
		}
		for _, c := range []struct {
			workspaces []int64
			limit      int
			want       map[int64]int
		}{
			{[]int64{1, 3}, 10, map[int64]int{1: 5, 3: 5}},
			{[]int64{4, 2, 1, 3}, 9, map[int64]int{2: 1, 1: 4, 3: 4}}, // unused shares go to the other workspaces
			{[]int64{1, 3, 2}, 2, map[int64]int{1: 1, 3: 1}},
			{nil, 10, map[int64]int{}},
		} {
			list, err := db.ClaimJobs(ctx, c.workspaces, "mail", 100, 1000, c.limit)
			must(t, err)
			got := map[int64]int{}
			for _, j := range list {
				got[j.WorkspaceID]++
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%d for %v (-want +got):\n%s", c.limit, c.workspaces, diff)
			}
		}
	})
}

func TestRace_ClaimsTakeNoMoreThanAskedForAndNoJobTwice(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		handles := []*store.DB{testdb.Open(t, target), testdb.Open(t, target)}
		const due, limit = 100, 7
		insertJobs(t, handles[0], jobs(due))
		var mu sync.Mutex
		claims := map[string]int{}
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				for range due {
					list, err := handles[i%2].ClaimJobs(ctx, []int64{1}, "mail", due, 1000, limit)
					if err != nil || len(list) > limit {
						t.Errorf("claimed %d, %v, want at most %d", len(list), err, limit)
					}
					mu.Lock()
					for _, j := range list {
						claims[j.ID]++
					}
					done := len(claims) == due
					mu.Unlock()
					if done {
						return
					}
				}
			})
		}
		all.Wait()
		for id, n := range claims {
			if n != 1 {
				t.Errorf("%s was claimed %d times", id, n)
			}
		}
		if len(claims) != due {
			t.Errorf("%d of %d were claimed", len(claims), due)
		}
	})
}

// A server that is slow to commit its claim does not block the others.
func TestClaimJobs_PassesOverWhatAnotherServerIsClaiming(t *testing.T) {
	db := testdb.Open(t, testdb.Postgres(t)) // SQLite has one writer at a time
	insertJobs(t, db, jobs(3))
	must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		must(t, tx.Exec(ctx, "UPDATE jobs SET run_at = 1000 WHERE id = 'j000'"))
		patientCtx, cancel := context.WithTimeout(ctx, await.Patience)
		defer cancel()
		got, err := db.ClaimJobs(patientCtx, []int64{1}, "mail", 100, 1000, 2)
		if err != nil || len(got) != 2 || got[0].ID == "j000" || got[1].ID == "j000" {
			t.Errorf("claimed %+v, %v, want the two others", got, err)
		}
		return nil
	}))
}
