package jobs

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"slotd/internal/store"
)

// record collects the handled jobs in order.
type record struct {
	mu   sync.Mutex
	jobs []Job
}

func (r *record) add(j *Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobs = append(r.jobs, *j)
}

// handle records the job and succeeds.
func (r *record) handle(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
	r.add(j)
	return nil, nil
}

// returning is a handler that records the job and returns what outcome returns.
func (r *record) returning(outcome func() error) Handler {
	return func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
		r.add(j)
		return nil, outcome()
	}
}

func (r *record) ids() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := make([]string, len(r.jobs))
	for i, j := range r.jobs {
		ids[i] = j.ID
	}
	return ids
}

func (r *record) want(t *testing.T, ids ...string) {
	t.Helper()
	if got := r.ids(); !slices.Equal(got, ids) {
		t.Errorf("handled %q, want %q", got, ids)
	}
}

var errDown = errors.New("the server is down")

func down() error { return errDown }
