package main

import (
	"context"
	"log/slog"
	"sync"

	"github.com/google/uuid"

	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity"
	"slotd/internal/jobs"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/worker"
	"slotd/internal/workspace"
)

// Calendars lie on strangers' servers, which may take their time: several are read at once.
const (
	calendarRunners  = 4
	writeBackRunners = 2
	paymentRunners   = 2
)

// runner is one of those that run a queue.
type runner struct {
	*jobs.Runner
	leaves bool // when the server stops, without finishing the job in hand
}

// prepareJobs says who does what is to be done outside requests.
func (s *server) prepareJobs(bookings *booking.Service) error {
	mails, err := s.prepareMails(bookings)
	if err != nil {
		return err
	}
	calendars := &worker.Calendars{Sync: bookings.Calendars}
	for range calendarRunners {
		s.jobs = append(s.jobs, runner{s.slowly(jobs.Calendar,
			map[string]jobs.Handler{workspace.SyncJob: calendars.Read}), true})
	}
	entries := &worker.WriteBack{Booking: bookings, Sync: bookings.Calendars}
	wake := []*jobs.Runner{mails}
	for range writeBackRunners {
		wake = append(wake, s.slowly(jobs.WriteBack, map[string]jobs.Handler{booking.WriteBackJob: entries.Write}))
	}
	payments := &worker.Payments{Booking: bookings, Accounts: s.till}
	for range paymentRunners {
		wake = append(wake, s.slowly(jobs.Payment, map[string]jobs.Handler{booking.SettleJob: payments.Settle}))
		wake = append(wake, s.slowly(jobs.Event,
			map[string]jobs.Handler{booking.ApplyPaymentJob: payments.ApplyPayment}))
	}
	for _, r := range wake {
		s.jobs = append(s.jobs, runner{r, false})
	}
	bookings.Wake = func() {
		for _, r := range wake {
			r.Wake()
		}
	}
	s.owners.Wake = bookings.Wake
	return nil
}

// slowly is for jobs that may wait long for strangers' servers.
func (s *server) slowly(queue jobs.Queue, handlers map[string]jobs.Handler) *jobs.Runner {
	r := jobs.New(s.db, queue, handlers, s.now, s.log)
	r.OneAtATime()
	return r
}

// prepareMails prepares what tells people of their bookings.
func (s *server) prepareMails(bookings *booking.Service) (mails *jobs.Runner, err error) {
	if bookings.MailFrom, err = s.flags.sendsFrom(s.flags.baseURL); err != nil {
		return nil, err
	}
	if s.sender, err = s.flags.sender(s.flags.data); err != nil {
		return nil, err
	}
	s.flags.logs(s.log, s.flags.data, bookings.MailFrom)
	bookings.Erased = func(erased []uuid.UUID) { // with --smtp too: files may lie there from a time without it
		if err := s.flags.forgetMails(erased); err != nil {
			s.log.Error("erased attendees' mails lie in the outbox still", "error", err)
		}
	}
	mailer := &worker.Mailer{Booking: bookings, Sender: s.sender, ToFiles: s.flags.smtp == ""}
	tickets := &worker.Tickets{Mailer: mailer, Owners: s.owners}
	handlers := map[string]jobs.Handler{booking.NoticeJob: mailer.SendNotice, booking.ReminderJob: mailer.SendNotice,
		calsync.OwnerMailJob: mailer.SendCalendarMail, booking.OwnerMailJob: mailer.SendPaymentMail, identity.LinkMailJob: tickets.Send}
	mails = jobs.New(s.db, jobs.Mail, handlers, s.now, s.log)
	if mailer.ToFiles {
		mails.Batched()
	}
	return mails, nil
}

// runJobs runs all queues until ctx ends and what is under way is done.
func (s *server) runJobs(ctx, handling context.Context) {
	var all sync.WaitGroup
	for _, r := range s.jobs {
		handling := handling
		if r.leaves {
			handling = ctx
		}
		all.Go(func() { r.Run(ctx, handling) })
	}
	if s.flags.keepDays > 0 {
		forgetter := &worker.Eraser{Booking: s.site.Booking, Days: s.flags.keepDays, Log: s.log}
		all.Go(func() { forgetter.Run(ctx) })
	}
	all.Wait()
}

// warnOfSealed says which calendars and payment accounts cannot be used with this server's key file.
func warnOfSealed(ctx context.Context, db *store.DB, keys *seal.Keys, log *slog.Logger) {
	locked, err := workspace.LockedCredentials(ctx, db, keys)
	if err != nil {
		log.Warn("cannot look whether the key file opens the stored passwords", "error", err)
	}
	for _, c := range locked {
		log.Warn("the password of a calendar was sealed with another key file: it counts as unreadable", "workspace",
			c.WorkspaceID, "calendar", c.Name)
	}
	accounts, err := workspace.LockedAccounts(ctx, db, keys)
	if err != nil {
		log.Warn("cannot look whether the key file opens the payment accounts", "error", err)
	}
	for _, id := range accounts {
		log.Warn("the payment account of a workspace was sealed with another key file: nobody can pay there",
			"workspace", id)
	}
}
