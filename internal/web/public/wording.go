package public

import (
	"errors"
	"strings"
	"time"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// duration formats minutes as 45 minutes, 1 hour or 1 hour 30 minutes.
func duration(minutes int) string {
	hours, rest := minutes/60, minutes%60
	switch {
	case hours == 0:
		return say.N(rest, "%d minute", "%d minutes")
	case rest == 0:
		return say.N(hours, "%d hour", "%d hours")
	}
	return say.N(hours, "%d hour", "%d hours") + " " + say.N(rest, "%d minute", "%d minutes")
}

// locationText describes where a meeting takes place, for the guest.
func locationText(l slotd.Location, host slotd.Host) string {
	if l.Ask {
		return say.T("%s will call you", host.Name)
	}
	return l.Sentence(host)
}

// bookedLocation is locationText for a booking, which keeps the location as a text.
func bookedLocation(b *slotd.Booking, host slotd.Host) string {
	if call := (slotd.Location{Type: slotd.Phone, Ask: true}); b.Location == call.Sentence(host) {
		return locationText(call, host)
	}
	return b.Location
}

// fieldFaults says what is wrong with a field that a guest fills in.
var fieldFaults = map[string]struct{ empty, tooLong, other say.Sentence }{
	"name": {"Please enter your name.", "Your name is too long: use at most {max} characters.",
		"Please enter your name as plain text, without a link."},
	"email": {"Please enter your email address.", "",
		"Please enter an email address like grace@example.com."},
	"phone": {"Please enter your phone number.", "Your phone number is too long: use at most {max} characters.",
		"Please enter your phone number as plain text."},
	"notes": {"", "Your notes are too long: use at most {max} characters.",
		"Your notes contain characters that can't be used. Please remove them."},
	"reason": {"", "The reason is too long: use at most {max} characters.",
		"The reason contains characters that can't be used. Please remove them."},
}

func faultSentence(field, value string, err error) string {
	sentences, fault := fieldFaults[field], &workspace.Fault{}
	errors.As(err, &fault)
	switch {
	case value == "" || fault.Code == workspace.Empty:
		return sentences.empty.String()
	case fault.Code == workspace.TooLong:
		return fault.Sentence(sentences.tooLong)
	}
	return sentences.other.String()
}

// refundTerms says, before a guest pays, what they get back if they cancel.
func refundTerms(policy *slotd.RefundPolicy) string {
	if policy == nil {
		return say.T("No refund if you cancel.")
	}
	if policy.FullUntilHoursBefore == 0 {
		return say.T("Full refund if you cancel before it starts.")
	}
	return say.N(policy.FullUntilHoursBefore, "Full refund if you cancel at least %d hour before.",
		"Full refund if you cancel at least %d hours before.")
}

// refundTermsAt is refundTerms for a chosen time, which may be too soon for a refund.
func refundTermsAt(policy *slotd.RefundPolicy, start, now time.Time) string {
	if policy != nil && !isRefundable(policy, start, now) {
		return say.N(policy.FullUntilHoursBefore, "No refund if you cancel: it starts in less than %d hour.",
			"No refund if you cancel: it starts in less than %d hours.")
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
