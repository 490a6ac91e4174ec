package jobs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"slotd/internal/store"
)

func TestRunDue_OldestFirst(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		list := w.dueJobs(3 * roundSize)
		want := make([]string, len(list))
		for i := range list { // the last job is due first
			list[i].DueAt = monday.Add(-time.Duration(i) * time.Millisecond)
			want[len(list)-1-i] = list[i].ID
		}
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		w.enqueue(list...)
		var ran record
		w.runDue(w.runner(ran.handle))
		ran.want(t, want...)
	})
}

// All mails of a booking are due when it is made. They go out in the order in which things happened.
func TestRunDue_WhatHappenedFirstIsFirstAmongThoseDueTogether(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		booked, moved, last := w.job("z"), w.job("b"), w.job("a")
		booked.CreatedAt = monday.Add(-2 * time.Second)
		moved.CreatedAt, last.CreatedAt = monday.Add(-time.Second), monday.Add(-time.Second)
		w.enqueue(moved, booked, last)
		var ran record
		w.runDue(w.runner(ran.handle))
		ran.want(t, "z", "a", "b")
	})
}

func TestRunDue_NothingBeforeItsTime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		later := w.job("later")
		later.DueAt = monday.Add(time.Hour)
		w.enqueue(later, w.job("now"))
		var ran record
		r := w.runner(ran.handle)
		w.runDue(r)
		w.clock.Advance(time.Hour - time.Millisecond)
		w.enqueue(w.job("then"))
		w.runDue(r)
		ran.want(t, "now", "then")
		w.clock.Advance(time.Millisecond)
		w.runDue(r)
		ran.want(t, "now", "then", "later")
	})
}

func TestRunDue_LeavesOtherQueuesAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.job("other")
		other.Queue = "calendar"
		w.enqueue(other, w.job("mine"))
		var ran record
		w.runDue(w.runner(ran.handle))
		ran.want(t, "mine")
		if e := w.only(); e.ID != "other" || e.Failures != 0 {
			t.Errorf("left: %+v", e)
		}
	})
}

// jobsBeforeSmall counts how many of the flood's jobs in workspace 1 ran before the one job of workspace 2. It
// returns -1 if too many did.
func jobsBeforeSmall(w *world, flood int) int {
	list := make([]Job, flood)
	for i := range list {
		list[i] = w.job(fmt.Sprintf("flood%05d", i))
		list[i].DueAt = monday.Add(-time.Hour)
	}
	small := w.job("small")
	small.WorkspaceID = 2
	w.enqueue(append(list, small)...)
	ctx, stop := context.WithCancel(background)
	defer stop()
	var ran record
	before := -1
	r := w.runner(func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
		ran.add(j)
		if j.ID == "small" {
			before = len(ran.jobs) - 1
		}
		if before >= 0 || len(ran.jobs) == 4*roundSize {
			stop()
		}
		return nil, nil
	})
	r.RunDue(ctx)
	return before
}

func TestRunDue_ServesWorkspacesInTurn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if n := jobsBeforeSmall(w, 100); n < 0 || n > roundSize {
			t.Errorf("%d jobs ran before another workspace's only one (-1: more than %d)", n, 4*roundSize)
		}
	})
}

func TestRunDue_ServesWorkspacesInTurnHoweverGreatTheFlood(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if n := jobsBeforeSmall(w, 1500); n < 0 || n > roundSize {
			t.Errorf("%d jobs ran before another workspace's only one (-1: more than %d)", n, 4*roundSize)
		}
	})
}
