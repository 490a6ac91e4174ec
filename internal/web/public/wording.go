package public

import (
	"strconv"
	"strings"
	"time"

	"slotd"
)

// duration formats minutes as 45 minutes, 1 hour or 1 hour 30 minutes.
func duration(minutes int) string {
	hours, rest := minutes/60, minutes%60
	switch {
	case hours == 0:
		return count(rest, "minute")
	case rest == 0:
		return count(hours, "hour")
	}
	return count(hours, "hour") + " " + count(rest, "minute")
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// refundTerms says, before a guest pays, what they get back if they cancel.
func refundTerms(policy *slotd.RefundPolicy) string {
	if policy == nil {
		return "No refund if you cancel."
	}
	return "Full refund if you cancel at least " + count(policy.FullUntilHoursBefore, "hour") + " before."
}

// refundTermsAt is refundTerms for a chosen time, which may be too soon for a refund.
func refundTermsAt(policy *slotd.RefundPolicy, start, now time.Time) string {
	if policy != nil && !isRefundable(policy, start, now) {
		return "No refund if you cancel: it starts in less than " + count(policy.FullUntilHoursBefore, "hour") + "."
	}
	return refundTerms(policy)
}

func isRefundable(policy *slotd.RefundPolicy, start, now time.Time) bool {
	return now.Before(start.Add(-time.Duration(policy.FullUntilHoursBefore) * time.Hour))
}

// firstLine returns the part of a description that link previews show, or the fallback if it is empty.
func firstLine(s, fallback string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if line == "" {
		return fallback
	}
	if runes := []rune(line); len(runes) > 160 {
		return string(runes[:159]) + "…"
	}
	return line
}
