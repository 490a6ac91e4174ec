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

// Calendars lie on other people's servers, which may be slow: several are read at once.
const (
	calendarRunners  = 4
	writeBackRunners = 2
	paymentRunners   = 2
)

// runner runs one queue.
type runner struct {
	*jobs.Runner
	leaves bool // stops with the server, without finishing its job
	wakes  bool // looks for jobs as soon as one is made
}

// prepareJobs makes the runners of all queues.
func (s *Server) prepareJobs() {
	calendars := &worker.Calendars{Sync: s.Calendars}
	for range calendarRunners {
		r := s.slowRunner(jobs.Calendar, map[string]jobs.Handler{workspace.SyncJob: calendars.Read})
		s.jobs = append(s.jobs, runner{Runner: r, leaves: true})
	}
	wakes := []*jobs.Runner{s.mailRunner()}
	entries := &worker.WriteBack{Booking: s.Booking, Sync: s.Calendars, DB: s.DB, Cache: s.Cache, Now: s.Now}
	for range writeBackRunners {
		wakes = append(wakes, s.slowRunner(jobs.WriteBack, map[string]jobs.Handler{booking.WriteBackJob: entries.Write}))
	}
	payments := &worker.Payments{Booking: s.Booking, Accounts: s.Accounts, Now: s.Now}
	for range paymentRunners {
		wakes = append(wakes,
			s.slowRunner(jobs.Payment, map[string]jobs.Handler{booking.SettleJob: payments.Settle}),
			s.slowRunner(jobs.Event, map[string]jobs.Handler{booking.ApplyPaymentJob: payments.ApplyPayment}))
	}
	for _, r := range wakes {
		s.jobs = append(s.jobs, runner{Runner: r, wakes: true})
	}
}

// slowRunner is for jobs that may wait long for other people's servers.
func (s *Server) slowRunner(queue jobs.Queue, handlers map[string]jobs.Handler) *jobs.Runner {
	r := jobs.New(s.DB, queue, handlers, s.Now, s.Log)
	r.OneAtATime()
	return r
}

func (s *Server) mailRunner() *jobs.Runner {
	mailer := &worker.Mailer{
		Booking: s.Booking, DB: s.DB, Cache: s.Cache, Links: s.Links, Now: s.Now, BaseURL: s.BaseURL,
		Sender: s.Sender, MailFrom: s.MailFrom, ToFiles: s.ToFiles, Erased: s.erased,
	}
	tickets := &worker.Tickets{Mailer: mailer, Owners: s.Owners}
	r := jobs.New(s.DB, jobs.Mail, map[string]jobs.Handler{
		booking.NoticeJob:    mailer.SendNotice,
		booking.ReminderJob:  mailer.SendNotice,
		booking.OwnerMailJob: mailer.SendPaymentMail,
		calsync.OwnerMailJob: mailer.SendCalendarMail,
		identity.LinkMailJob: tickets.Send,
	}, s.Now, s.Log)
	if s.ToFiles {
		r.Batched()
	}
	return r
}

// runJobs runs all queues until ctx ends and the jobs in progress are done.
func (s *Server) runJobs(ctx, handling context.Context) {
	var all sync.WaitGroup
	for _, r := range s.jobs {
		handling := handling
		if r.leaves {
			handling = ctx
		}
		all.Go(func() { r.Run(ctx, handling) })
	}
	if s.KeepDays > 0 {
		eraser := &worker.Eraser{Records: s.Records, Days: s.KeepDays, Log: s.Log}
		all.Go(func() { eraser.Run(ctx) })
	}
	all.Wait()
}
