package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"slotd/internal/store/sqlcgen"
)

// maxJobsPerInsert is enough for one booking: two mails and at most ten reminders.
const maxJobsPerInsert = 12

// insertJobs[n] is the statement that inserts n jobs, so that a booking's jobs take one round trip.
var insertJobs = func() (statements [maxJobsPerInsert + 1]string) {
	rows := make([]string, 0, maxJobsPerInsert)
	for n := 1; n <= maxJobsPerInsert; n++ {
		placeholders := make([]string, jobColumns)
		for i := range placeholders {
			placeholders[i] = fmt.Sprintf("$%d", (n-1)*jobColumns+i+1)
		}
		rows = append(rows, "("+strings.Join(placeholders, ", ")+", 0, 0, 0, '')")
		statements[n] = `INSERT INTO jobs (workspace_id, booking_id, id, queue, kind, sequence, detail, created_at, due_at, run_at, fence, failures, failed_at, last_error)
			VALUES ` + strings.Join(rows, ", ") + ` ON CONFLICT (workspace_id, booking_id, id) DO NOTHING`
	}
	return statements
}()

const jobColumns = 10

// InsertJobs inserts unclaimed jobs. It skips a job whose id already exists.
func (tx *Tx) InsertJobs(ctx context.Context, jobs []sqlcgen.Job) error {
	for len(jobs) > 0 {
		n := min(len(jobs), maxJobsPerInsert)
		values := make([]any, 0, n*jobColumns)
		for _, j := range jobs[:n] {
			values = append(values, j.WorkspaceID, j.BookingID, j.ID, j.Queue, j.Kind, j.Sequence, j.Detail,
				j.CreatedAt, j.DueAt, j.RunAt)
		}
		if _, err := tx.insertJobs(ctx, n, values); err != nil {
			return fmt.Errorf("insert %d jobs: %w", n, err)
		}
		jobs = jobs[n:]
	}
	return nil
}

func (tx *Tx) insertJobs(ctx context.Context, n int, values []any) (sql.Result, error) {
	if tx.prepared != nil {
		return tx.tx.StmtContext(ctx, tx.prepared.insertJobs[n]).ExecContext(ctx, values...)
	}
	return tx.tx.ExecContext(ctx, insertJobs[n], values...)
}

// ClaimJobs leases up to limit jobs that are due now, in about equal shares from the given workspaces. It skips jobs
// that another server is claiming at the same moment.
func (db *DB) ClaimJobs(ctx context.Context, workspaceIDs []int64, queue string, now, leaseUntil int64,
	limit int) (jobs []sqlcgen.Job, err error) {
	err = db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		jobs = nil
		for i, id := range workspaceIDs[:min(len(workspaceIDs), limit)] {
			remaining := len(workspaceIDs) - i
			share := max(1, (limit-len(jobs))/remaining)
			more, err := tx.claimJobs(ctx, id, queue, now, leaseUntil, share)
			if err != nil {
				return err
			}
			jobs = append(jobs, more...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("claim jobs: %w", err)
	}
	return jobs, nil
}

func (tx *Tx) claimJobs(ctx context.Context, workspaceID int64, queue string, now, leaseUntil int64,
	limit int) (jobs []sqlcgen.Job, err error) {
	rows, err := tx.tx.QueryContext(ctx, tx.dialect.claimJobs, workspaceID, queue, now, leaseUntil, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		j := sqlcgen.Job{WorkspaceID: workspaceID, Queue: queue}
		if err := rows.Scan(&j.ID, &j.Kind, &j.BookingID, &j.Sequence, &j.Detail, &j.CreatedAt, &j.DueAt, &j.Fence,
			&j.Failures, &j.LastError); err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, rows.Err()
}

// LockKey makes other transactions that lock the same number wait until this one ends.
func (tx *Tx) LockKey(ctx context.Context, n int64) error {
	return tx.lock(ctx, tx.dialect.lockNumber, n)
}
