package server

import (
	"context"
	"sync"

	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity"
	"slotd/internal/jobs"
	"slotd/internal/worker"
	"slotd/internal/workspace"
)

// Calendars are on other people's servers, which may be slow, so several are read at once.
const (
	calendarRunners  = 4
	writeBackRunners = 2
	paymentRunners   = 2
)

// runner runs one queue.
type runner struct {
	*jobs.Runner
	interruptible bool // stops with the server and does not finish its job
	wakeable      bool // can be woken as soon as there is a new job
}

// prepareJobs creates the runners of all queues.
func (s *Server) prepareJobs() {
	calendars := &worker.Calendars{Sync: s.Calendars}
	for range calendarRunners {
		r := s.slowRunner(jobs.Calendar, map[string]jobs.Handler{workspace.SyncJob: calendars.Read})
		s.jobs = append(s.jobs, runner{Runner: r, interruptible: true})
	}
	wakeable := []*jobs.Runner{s.mailRunner()}
	entries := &worker.WriteBack{Booking: s.Booking, Sync: s.Calendars, DB: s.DB, Cache: s.Cache, Now: s.Now}
	for range writeBackRunners {
		wakeable = append(wakeable, s.slowRunner(jobs.WriteBack,
			map[string]jobs.Handler{booking.WriteBackJob: entries.Write}))
	}
	payments := &worker.Payments{Booking: s.Booking, Accounts: s.Accounts, Now: s.Now}
	for range paymentRunners {
		wakeable = append(wakeable,
			s.slowRunner(jobs.Payment, map[string]jobs.Handler{booking.SettleJob: payments.Settle}),
			s.slowRunner(jobs.Event, map[string]jobs.Handler{booking.ApplyPaymentJob: payments.ApplyPayment}))
	}
	for _, r := range wakeable {
		s.jobs = append(s.jobs, runner{Runner: r, wakeable: true})
	}
}

// slowRunner returns a runner for jobs that may wait a long time for other people's servers.
func (s *Server) slowRunner(queue jobs.Queue, handlers map[string]jobs.Handler) *jobs.Runner {
	r := jobs.New(s.DB, queue, handlers, s.Now, s.Log)
	r.ClaimOneAtATime()
	return r
}

func (s *Server) mailRunner() *jobs.Runner {
	mailer := &worker.Mailer{
		Booking: s.Booking, DB: s.DB, Cache: s.Cache, Links: s.Links, Now: s.Now, BaseURL: s.BaseURL,
		Sender: s.Sender, MailFrom: s.MailFrom, ToFiles: s.ToFiles, Erased: s.removeErased,
	}
	tickets := &worker.LinkMailer{Mailer: mailer, Owners: s.Owners}
	r := jobs.New(s.DB, jobs.Mail, map[string]jobs.Handler{
		booking.NoticeJob:    mailer.SendNotice,
		booking.ReminderJob:  mailer.SendNotice,
		booking.OwnerMailJob: mailer.SendPaymentMail,
		calsync.OwnerMailJob: mailer.SendCalendarMail,
		identity.LinkMailJob: tickets.Send,
	}, s.Now, s.Log)
	if s.ToFiles {
		r.SaveInBatches()
	}
	return r
}

// runJobs runs all queues until ctx ends and the jobs in progress are done. Jobs run with jobCtx, so that they outlive
// ctx; interruptible ones run with ctx.
func (s *Server) runJobs(ctx, jobCtx context.Context) {
	var all sync.WaitGroup
	for _, r := range s.jobs {
		jobCtx := jobCtx
		if r.interruptible {
			jobCtx = ctx
		}
		all.Go(func() { r.Run(ctx, jobCtx) })
	}
	if s.KeepDays > 0 {
		eraser := &worker.Eraser{Records: s.Records, Days: s.KeepDays, Log: s.Log}
		all.Go(func() { eraser.Run(ctx) })
	}
	all.Wait()
}
