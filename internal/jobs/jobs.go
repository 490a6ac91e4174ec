// Package jobs does what must happen after a transaction: mails, calendars, later refunds. A job
// is a row that is written in the very transaction that makes it necessary, so none is lost, and that
// is deleted when it is done.
//
// It decides who runs a job, when, and when to give up. What a job does is its handler's: a handler
// looks at the world anew and does nothing if the job's reason is gone. A job may run twice, if a
// server dies between doing it and saying so.
package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Queue keeps kinds of jobs apart that must not wait for each other.
type Queue string

const (
	Mail      Queue = "mail"       // all mails
	Calendar  Queue = "calendar"   // reading the hosts' calendars
	WriteBack Queue = "write_back" // writing bookings into them
	Payment   Queue = "payment"    // what is open with the payment service, which may keep us waiting
	Event     Queue = "event"      // what it has told
)

// Queues are all there are.
var Queues = []Queue{Mail, Calendar, WriteBack, Payment, Event}

// Job is one effect that is wanted once.
type Job struct {
	WorkspaceID int64
	ID          string // names the effect: a second one of the same name is not wanted
	Queue       Queue
	Kind        string
	Booking     uuid.UUID
	Sequence    int    // the booking's, when the job was made
	Detail      string // JSON, for the handler; never a person's data
	CreatedAt   time.Time
	DueAt       time.Time

	Failures  int // so far
	lastError string
	fence     int64
}

// Enqueue writes jobs in the transaction that makes them necessary.
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

// Hurry has a job run now that is there to run later, or that was given up. One that somebody has in hand or is
// about to take runs once more, after this transaction. One that ends at this moment is gone: Enqueue it after that.
func BringForward(ctx context.Context, tx *store.Tx, j Job) error {
	return tx.HurryJob(ctx, sqlcgen.HurryJobParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), ID: j.ID,
		RunAt: j.DueAt.UnixMilli()})
}

// Pull has the jobs of a queue run now that are put off further than any of them is: the clock was put back.
func BringForwardAll(ctx context.Context, db *store.DB, queue Queue, now time.Time, longest time.Duration) error {
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.PullJobs(ctx, sqlcgen.PullJobsParams{Queue: string(queue), RunAt: now.UnixMilli(),
			RunAt_2: now.Add(longest).UnixMilli()})
	})
}

// Drop takes back a booking's jobs of one kind that nobody has done yet.
func Drop(ctx context.Context, tx *store.Tx, workspaceID int64, booking uuid.UUID, kind string) error {
	return tx.DropJobs(ctx, sqlcgen.DropJobsParams{WorkspaceID: workspaceID, BookingID: booking.String(), Kind: kind})
}

func jobOf(row sqlcgen.Job) *Job {
	booking, _ := uuid.Parse(row.BookingID) // none: the job is not about a booking
	return &Job{
		WorkspaceID: row.WorkspaceID, ID: row.ID, Queue: Queue(row.Queue), Kind: row.Kind, Booking: booking,
		Sequence: int(row.Sequence), Detail: row.Detail,
		CreatedAt: time.UnixMilli(row.CreatedAt).UTC(), DueAt: time.UnixMilli(row.DueAt).UTC(),
		Failures: int(row.Failures), lastError: row.LastError, fence: row.Fence,
	}
}

// Handler does a job. What it returns runs in the transaction that deletes the job; nil if there is
// nothing to write.
type Handler func(ctx context.Context, j *Job) (done func(ctx context.Context, tx *store.Tx) error, err error)

// Permanent marks an error that another try will not mend.
func Permanent(err error) error { return &permanent{err} }

type permanent struct{ error }

func (p *permanent) Unwrap() error { return p.error }

// NotBefore is a handler's answer that the job has to wait, and is none the worse for it.
func RetryAt(at time.Time, reason string) error { return &notBefore{at, reason} }

type notBefore struct {
	at     time.Time
	reason string
}

func (n *notBefore) Error() string { return n.reason }

func isPermanent(err error) bool {
	var p *permanent
	return errors.As(err, &p)
}
