package doctor

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
)

// https checks the base URL. Without HTTPS, the session cookie is sent in clear text.
func (s *Server) https() Check {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Host == "" {
		return Check{"HTTPS", Unknown, say.T("The base URL isn't known: no server has run yet."),
			say.T("Start slotd serve with --base-url.")}
	}
	address, err := netip.ParseAddr(u.Hostname())
	isAddress := err == nil
	loopback := strings.EqualFold(u.Hostname(), "localhost") || isAddress && address.Unmap().IsLoopback()
	switch {
	case u.Scheme != "https" && loopback:
		return Check{"HTTPS", Warn, say.T("The base URL is local and doesn't use HTTPS. That's only fine for trying " +
			"things out."), say.T("Put a proxy with a certificate in front, and set --base-url to the https address.")}
	case u.Scheme != "https":
		return Check{"HTTPS", Warn, say.T("The base URL uses HTTP: anyone on the network path can read owners' session " +
			"cookies and guests' data."),
			say.T("Put a proxy with a certificate in front, and set --base-url to the https address.")}
	case isAddress:
		return Check{"HTTPS", Warn, say.T("The base URL is an IP address, and browsers don't support passkeys for those."),
			say.T("Give the server a host name, and set --base-url to it.")}
	}
	return Check{"HTTPS", OK, say.T("The base URL uses HTTPS."), ""}
}

func (s *Server) database(ctx context.Context) Check {
	f, err := s.DB.Facts(ctx)
	if err != nil {
		return s.checkFailed("database", err)
	}
	return Check{"database", OK, say.T("%s, schema %d, %s.", f.Kind, f.Schema, size(uint64(f.Bytes))), ""}
}

// size formats a number of bytes for people.
func size(bytes uint64) string {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes >= gib:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/gib)
	case bytes >= mib:
		return fmt.Sprintf("%.0f MiB", float64(bytes)/mib)
	}
	return fmt.Sprintf("%.0f KiB", float64(bytes)/kib)
}

func (s *Server) realNow() time.Time { return s.Now().Add(-s.ClockOffset) }

// The limits allow for the time that the database takes to answer.
const (
	clockWarnAfter = 10 * time.Second
	clockFailAfter = 5 * time.Minute // at about this difference, signatures and links are rejected
)

// clock compares our clock with the database server's. SQLite has no server, and the base URL would be answered by this
// machine itself.
func (s *Server) clock(ctx context.Context) Check {
	theirs, ok, err := s.DB.Clock(ctx)
	if err != nil {
		return s.checkFailed("clock", err)
	}
	if !ok {
		return Check{"clock", Unknown, say.T("There is no other clock to compare with."),
			say.T("Make sure that the machine's time service is running; on most Linux systems, timedatectl shows it.")}
	}
	return judgeClock(s.realNow().Sub(theirs))
}

func judgeClock(ahead time.Duration) Check {
	c := Check{"clock", OK, say.T("The clock agrees with the database server's."), ""}
	if ahead.Abs() <= clockWarnAfter {
		return c
	}
	difference := ahead.Abs().Round(time.Second)
	c.State, c.Found = Warn, say.T("The clock is %s ahead of the database server's.", difference)
	if ahead < 0 {
		c.Found = say.T("The clock is %s behind the database server's.", difference)
	}
	c.Do = say.T("Synchronize the clocks of both machines with NTP.")
	if ahead.Abs() > clockFailAfter {
		c.State = Fail
	}
	return c
}

func (s *Server) zones() Check {
	version, _ := zone.Source()
	return judgeZones(version, s.realNow())
}

// judgeZones knows only the year of a release. 2026a may be from any month, so it is certainly more than a year old
// when 2028 begins.
func judgeZones(version string, now time.Time) Check {
	year, err := strconv.Atoi(version[:min(4, len(version))])
	switch {
	case err != nil:
		return Check{"time zones", Unknown, say.T("The version of the time zone data isn't known."),
			say.T("Unset ZONEINFO to use the data that comes with slotd.")}
	case now.Year() >= year+2:
		return Check{"time zones", Warn, say.T("The time zone data (%s) is more than a year old.", version),
			say.T("Update slotd, or set ZONEINFO to newer data.")}
	}
	return Check{"time zones", OK, say.T("The time zone data is version %s.", version), ""}
}

// settings checks options that are useful for a while and easily forgotten.
func (s *Server) settings() []Check {
	checks := []Check{
		{"rate limits", OK, say.T("Rate limits are on."), ""},
		{"log", OK, say.T("Debug logging is off."), ""},
		{"sign-up", OK, say.T("New owners need an invitation."), ""},
	}
	if s.LimitsOff {
		checks[0] = Check{"rate limits", Warn, say.T("Rate limits are off: a client can send any number of requests."),
			say.T("Start slotd serve without --rate-limit off.")}
	}
	if s.DebugLog {
		checks[1] = Check{"log", Warn, say.T("Debug logging is on: the log has a line for every request."),
			say.T("Start slotd serve with --log-level info when you're done debugging.")}
	}
	if s.SignUpOpen {
		checks[2].Found = say.T("Anyone with an email address can create a workspace (--signup open).")
	}
	if s.ClockOffset != 0 {
		checks = append(checks, Check{"clock offset", Warn,
			say.T("SLOTD_CLOCK_OFFSET moves the clock by %s. It is for tests only.", s.ClockOffset),
			say.T("Unset it and restart slotd.")})
	}
	return checks
}
