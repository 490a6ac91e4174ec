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
)

// https checks the base URL. Without HTTPS, the session cookie is sent in clear text.
func (s *Server) https() Check {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Host == "" {
		return Check{"HTTPS", Unknown, "The base URL is not known: no server has run yet.",
			"Start slotd serve with --base-url."}
	}
	address, err := netip.ParseAddr(u.Hostname())
	isAddress := err == nil
	loopback := strings.EqualFold(u.Hostname(), "localhost") || isAddress && address.Unmap().IsLoopback()
	switch {
	case u.Scheme != "https" && loopback:
		return Check{"HTTPS", Warn, "The base URL is this machine's own and is not https, which is right for trying " +
			"things out only: the session cookie has a plain name.", "Put a server with a certificate in front, and " +
			"start slotd serve with --base-url https://…"}
	case u.Scheme != "https":
		return Check{"HTTPS", Warn, "The base URL is http: whoever is on the way can read the owners' session cookie " +
			"and the guests' data.",
			"Put a proxy with a certificate in front, and set --base-url to the https address."}
	case isAddress:
		return Check{"HTTPS", Warn, "The base URL is an address without a name, and browsers have no passkeys for " +
			"those.", "Give the server a host name, and set --base-url to it."}
	}
	return Check{"HTTPS", OK, "The base URL is https.", ""}
}

func (s *Server) database(ctx context.Context) Check {
	f, err := s.DB.Facts(ctx)
	if err != nil {
		return s.checkFailed("database", err)
	}
	return Check{"database", OK, fmt.Sprintf("%s, schema %d, %s.", f.Kind, f.Schema, size(uint64(f.Bytes))), ""}
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
		return Check{"clock", Unknown, "There is no other clock to compare with.",
			"See that the machine's time service sets it: timedatectl tells, on most Linux systems."}
	}
	return judgeClock(s.realNow().Sub(theirs), "the database server's")
}

func judgeClock(ahead time.Duration, other string) Check {
	c := Check{"clock", OK, "The clock agrees with " + other + ".", ""}
	if ahead.Abs() <= clockWarnAfter {
		return c
	}
	direction := "ahead of"
	if ahead < 0 {
		direction = "behind"
	}
	c.State, c.Found, c.Do = Warn,
		fmt.Sprintf("The clock is %s %s %s.", ahead.Abs().Round(time.Second), direction,
			other), "Let the machines set their clocks by NTP."
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
		return Check{"time zones", Unknown, "The version of the time zone rules is not known.",
			"Unset ZONEINFO to use those that slotd brings along."}
	case now.Year() >= year+2:
		return Check{"time zones", Warn, fmt.Sprintf("The time zone rules (%s) are more than a year old.", version),
			"Update slotd, or name newer rules by ZONEINFO."}
	}
	return Check{"time zones", OK, fmt.Sprintf("The time zone rules are those of %s.", version), ""}
}

// settings checks options that are useful for a while and easily forgotten.
func (s *Server) settings() []Check {
	checks := []Check{
		{"rate limits", OK, "Requests are limited.", ""},
		{"log", OK, "The log is not at level debug.", ""},
		{"sign-up", OK, "Owners are invited; strangers cannot sign up.", ""},
	}
	if s.LimitsOff {
		checks[0] = Check{"rate limits", Warn, "Nothing limits how much one client may ask for.",
			"Start slotd serve without --rate-limit off."}
	}
	if s.DebugLog {
		checks[1] = Check{"log", Warn, "The log has a line for every request.",
			"Start slotd serve with --log-level info when you have found what you were looking for."}
	}
	if s.SignUpOpen {
		checks[2].Found = "Whoever has an e-mail address may become an owner of a new workspace (--signup open)."
	}
	if s.ClockOffset != 0 {
		checks = append(checks, Check{"clock offset", Warn,
			fmt.Sprintf("SLOTD_CLOCK_OFFSET moves the clock by %s, which is for tests only.",
				s.ClockOffset), "Unset it and start slotd again."})
	}
	return checks
}
