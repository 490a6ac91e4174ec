package doctor

import (
	"context"
	"strings"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/jobs"
	"slotd/internal/lib/say"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// lateAfter is longer than a busy minute or a restart can explain.
const lateAfter = 10 * time.Minute

// jobs checks the job queues of the whole server. It reports counts only.
func (s *Server) jobs(ctx context.Context) []Check {
	var failed int64
	var late []string
	for _, queue := range jobs.Queues {
		health, err := jobs.CheckHealth(ctx, s.DB, queue, s.Now())
		if err != nil {
			return []Check{s.checkFailed("jobs", err)}
		}
		failed += health.Failed
		if health.Overdue > lateAfter {
			late = append(late, say.T("%s by %s", strings.ReplaceAll(string(queue), "_", " "),
				health.Overdue.Round(time.Minute)))
		}
	}
	failedCheck := Check{"failed jobs", OK, say.T("No jobs have failed."), ""}
	if failed > 0 {
		failedCheck = Check{"failed jobs", Fail,
			say.N(int(failed), "%d job on this server has failed.", "%d jobs on this server have failed."),
			say.T("Run slotd jobs list --failed to see why, and slotd jobs retry all to try again.")}
	}
	lateCheck := Check{"late jobs", OK, say.T("No jobs are late."), ""}
	if len(late) > 0 {
		lateCheck = Check{"late jobs", Fail, say.T("Some jobs are late: %s.", strings.Join(late, ", ")),
			say.T("Run slotd jobs list to see why. Jobs only run while slotd serve does.")}
	}
	return []Check{failedCheck, lateCheck}
}

// workspace runs the checks of one workspace.
func (s *Server) workspace(ctx context.Context, c *snapshot.Config, named bool) []Check {
	name := func(what say.Sentence) say.Sentence {
		if named {
			return say.Sentence(say.T("%s of %s", what, c.Slug))
		}
		return what
	}
	return []Check{s.mails(ctx, c, name("mails")), s.calendars(ctx, c, name("calendars")),
		s.payments(ctx, c, name("payments"))}
}

func (s *Server) mails(ctx context.Context, c *snapshot.Config, name say.Sentence) Check {
	n, err := s.DB.Read().CountFailedJobsOf(ctx,
		sqlcgen.CountFailedJobsOfParams{WorkspaceID: c.WorkspaceID, Queue: string(jobs.Mail)})
	switch {
	case err != nil:
		return s.checkFailed(name, err)
	case n > 0:
		return Check{name, Fail, say.N(int(n), "%d email couldn't be sent.", "%d emails couldn't be sent."),
			say.T("Correct the addresses or the mail server's settings, then run slotd jobs retry.")}
	}
	return Check{name, OK, say.T("No emails have failed."), ""}
}

func (s *Server) calendars(ctx context.Context, c *snapshot.Config, name say.Sentence) Check {
	all, err := s.Calendars.List(ctx, c)
	if err != nil {
		return s.checkFailed(name, err)
	}
	sealed, err := workspace.LockedCredentials(ctx, s.DB, s.Keys)
	if err != nil {
		return s.checkFailed(name, err)
	}
	locked := map[int64]bool{}
	for _, l := range sealed {
		locked[l.ID] = locked[l.ID] || l.WorkspaceID == c.WorkspaceID
	}
	check := Check{name, OK, say.T("No calendar is connected."), ""}
	if len(all) > 0 {
		check.Found = say.T("All connected calendars can be read.")
	}
	var found []string
	for _, status := range all {
		state, text := s.calendar(&status, locked[status.ID])
		if state == OK {
			continue
		}
		found = append(found, text)
		check.State = Worst([]Check{check, {State: state}})
	}
	if len(found) > 0 {
		check.Found, check.Do = strings.Join(found, "; ")+".",
			say.T("Try again under Calendars or with slotd calendar test. If a password has changed, reconnect the calendar.")
	}
	return check
}

// calendar returns the state of one calendar. While a calendar's copy is stale, nothing can be booked.
func (s *Server) calendar(c *calsync.Status, locked bool) (State, string) {
	stale := s.Now().Sub(c.ReadAt) > c.StaleAfter()
	reason := strings.TrimRight(c.Error, ".")
	switch {
	case locked:
		return Fail, say.T("“%s” has a password that was encrypted with another key file", c.Name)
	case stale && c.ReadAt.IsZero() && reason == "":
		return Fail, say.T("“%s” has never been read, so nobody can book", c.Name)
	case stale && reason == "":
		return Fail, say.T("“%s” hasn't been read for too long, so nobody can book", c.Name)
	case stale:
		return Fail, say.T("“%s” can't be read, so nobody can book: %s", c.Name, reason)
	case reason != "":
		return Warn, say.T("“%s” couldn't be read last time: %s", c.Name, reason)
	case c.Unwritten > 0:
		return Warn, say.N(c.Unwritten, "%d booking in “%s” is out of date: %s", "%d bookings in “%s” are out of date: %s",
			c.Name, strings.TrimRight(c.WriteError, "."))
	}
	return OK, ""
}
