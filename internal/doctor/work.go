package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/jobs"
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
			late = append(late, fmt.Sprintf("%s by %s", strings.ReplaceAll(string(queue), "_", " "),
				health.Overdue.Round(time.Minute)))
		}
	}
	failedCheck := Check{"failed jobs", OK, "No job was given up.", ""}
	if failed > 0 {
		failedCheck = Check{"failed jobs", Fail,
			fmt.Sprintf("%s given up on this server.", countWere(int(failed), "job")),
			"slotd jobs list --failed shows why; slotd jobs retry all tries again."}
	}
	lateCheck := Check{"late jobs", OK, "No job is late.", ""}
	if len(late) > 0 {
		lateCheck = Check{"late jobs", Fail, "Jobs are late: " + strings.Join(late, ", ") + ".",
			"slotd jobs list shows what keeps them; they need a slotd serve that runs."}
	}
	return []Check{failedCheck, lateCheck}
}

func countWere(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " was"
	}
	return fmt.Sprintf("%d %ss were", n, thing)
}

// workspace runs the checks of one workspace.
func (s *Server) workspace(ctx context.Context, c *snapshot.Config, named bool) []Check {
	name := func(what string) string {
		if named {
			return what + " of " + c.Slug
		}
		return what
	}
	return []Check{s.mails(ctx, c, name("mails")), s.calendars(ctx, c, name("calendars")),
		s.payments(ctx, c, name("payments"))}
}

func (s *Server) mails(ctx context.Context, c *snapshot.Config, name string) Check {
	n, err := s.DB.Read().CountFailedJobsOf(ctx,
		sqlcgen.CountFailedJobsOfParams{WorkspaceID: c.WorkspaceID, Queue: string(jobs.Mail)})
	switch {
	case err != nil:
		return s.checkFailed(name, err)
	case n > 0:
		return Check{name, Fail, fmt.Sprintf("%s given up: somebody was not told.", countWere(int(n), "mail")),
			"Correct the addresses or the mail server; then slotd jobs retry sends them."}
	}
	return Check{name, OK, "No mail was given up.", ""}
}

func (s *Server) calendars(ctx context.Context, c *snapshot.Config, name string) Check {
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
	check := Check{name, OK, "No calendar is connected.", ""}
	if len(all) > 0 {
		check.Found = "All that are connected can be read."
	}
	var found []string
	for _, status := range all {
		state, text := s.calendar(&status, locked[status.ID])
		if state == OK {
			continue
		}
		found = append(found, "“"+status.Name+"” "+text)
		check.State = Worst([]Check{check, {State: state}})
	}
	if len(found) > 0 {
		check.Found, check.Do = strings.Join(found, "; ")+".",
			"The page Calendars, or slotd calendar test, tries again; connect it anew where the password has changed."
	}
	return check
}

// calendar returns the state of one calendar. While a calendar's copy is stale, nothing can be booked.
func (s *Server) calendar(c *calsync.Status, locked bool) (State, string) {
	stale := s.Now().Sub(c.ReadAt) > c.StaleAfter()
	reason := strings.TrimRight(c.Error, ".")
	switch {
	case locked:
		return Fail, "has a password that was sealed with another key file"
	case stale && c.ReadAt.IsZero() && reason == "":
		return Fail, "was never read, so that nothing can be booked"
	case stale && reason == "":
		return Fail, "is too long unread, so that nothing can be booked"
	case stale:
		return Fail, "cannot be read, so that nothing can be booked: " + reason
	case reason != "":
		return Warn, "could not be read the last time: " + reason
	case c.Unwritten > 0:
		return Warn, fmt.Sprintf("does not show %d bookings as they are: %s", c.Unwritten,
			strings.TrimRight(c.WriteError, "."))
	}
	return OK, ""
}
