// Package jobs runs work that must happen after a transaction: mails, calendars, later refunds. A job is a row
// written in the same transaction that makes it necessary, so none is lost. The row is deleted when the job is done.
//
// The package decides who runs a job, when, and when to give up. The handler decides what a job does: it reads the
// current state and does nothing if the reason for the job is gone. A job may run twice, if a server dies after
// running it and before recording that.
package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Queue separates kinds of jobs that must not wait for each other.
type Queue string

const (
	Mail      Queue = "mail"       // all mails
	Calendar  Queue = "calendar"   // reading the hosts' calendars
	WriteBack Queue = "write_back" // writing bookings into the hosts' calendars
	Payment   Queue = "payment"    // open business with the payment service, which may be slow
	Event     Queue = "event"      // events the payment service sent
)

// Queues lists all queues.
var Queues = []Queue{Mail, Calendar, WriteBack, Payment, Event}

// Job is one effect that must happen once.
type Job struct {
	WorkspaceID int64
	ID          string // names the effect: enqueuing the same name again has no effect
	Queue       Queue
	Kind        string
	Booking     uuid.UUID
	Sequence    int    // the booking's sequence when the job was made
	Detail      string // JSON for the handler; never personal data
	CreatedAt   time.Time
	DueAt       time.Time

	Failures  int // so far
	lastError string
	fence     int64
}

// Enqueue inserts jobs in the transaction that makes them necessary.
func Enqueue(ctx context.Context, tx *store.Tx, jobs []Job) error {
	rows := make([]sqlcgen.Job, len(jobs))
	for i, j := range jobs {
		rows[i] = sqlcgen.Job{
			WorkspaceID: j.WorkspaceID, ID: j.ID, Queue: string(j.Queue), Kind: j.Kind, BookingID: j.Booking.String(),
			Sequence: int64(j.Sequence), Detail: j.Detail,
			CreatedAt: j.CreatedAt.UnixMilli(), DueAt: j.DueAt.UnixMilli(), RunAt: j.DueAt.UnixMilli(),
		}
	}
	return tx.InsertJobs(ctx, rows)
}

// BringForward makes a job run now that is scheduled for later or was given up. A job that is running or about to be
// claimed runs once more after this transaction. A job that finishes at this moment is gone, so call Enqueue as well,
// after BringForward.
func BringForward(ctx context.Context, tx *store.Tx, j Job) error {
	return tx.HurryJob(ctx, sqlcgen.HurryJobParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID,
		RunAt: j.DueAt.UnixMilli()})
}

// BringForwardAll makes the jobs of a queue run now that are scheduled more than maxDelay ahead. No job is ever
// postponed that far, so the clock was set back.
func BringForwardAll(ctx context.Context, db *store.DB, queue Queue, now time.Time, maxDelay time.Duration) error {
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.PullJobs(ctx, sqlcgen.PullJobsParams{Queue: string(queue), RunAt: now.UnixMilli(),
			RunAt_2: now.Add(maxDelay).UnixMilli()})
	})
}

// Drop deletes a booking's jobs of one kind that have not finished yet.
func Drop(ctx context.Context, tx *store.Tx, workspaceID int64, booking uuid.UUID, kind string) error {
	return tx.DropJobs(ctx, sqlcgen.DropJobsParams{WorkspaceID: workspaceID, BookingID: booking.String(), Kind: kind})
}

func jobFromRow(row sqlcgen.Job) *Job {
	booking, _ := uuid.Parse(row.BookingID) // uuid.Nil if the job is not about a booking
	return &Job{
		WorkspaceID: row.WorkspaceID, ID: row.ID, Queue: Queue(row.Queue), Kind: row.Kind, Booking: booking,
		Sequence: int(row.Sequence), Detail: row.Detail,
		CreatedAt: time.UnixMilli(row.CreatedAt).UTC(), DueAt: time.UnixMilli(row.DueAt).UTC(),
		Failures: int(row.Failures), lastError: row.LastError, fence: row.Fence,
	}
}

// Handler runs a job. The function it returns runs in the transaction that deletes the job; it is nil if there is
// nothing to write.
type Handler func(ctx context.Context, j *Job) (done func(ctx context.Context, tx *store.Tx) error, err error)

// Permanent wraps an error that a retry cannot fix.
func Permanent(err error) error { return &permanent{err} }

type permanent struct{ error }

func (p *permanent) Unwrap() error { return p.error }

// RetryAt is the error a handler returns to run the job again at the given time. It does not count as a failure.
func RetryAt(at time.Time, reason string) error { return &retryAt{at, reason} }

type retryAt struct {
	at     time.Time
	reason string
}

func (n *retryAt) Error() string { return n.reason }

func isPermanent(err error) bool {
	var p *permanent
	return errors.As(err, &p)
}
