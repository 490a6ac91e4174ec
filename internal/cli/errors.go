package cli

import (
	"errors"

	"slotd"
	"slotd/internal/calendar"
	"slotd/internal/lib/say"
)

// ErrorMessage says what is wrong and what to do, without the code: the command line has exit codes instead.
func ErrorMessage(err error) string {
	var e *slotd.Error
	if unreadable := (*calendar.Error)(nil); errors.As(err, &unreadable) {
		return calendar.ErrorText(&calendar.Error{Message: err.Error(), Advice: unreadable.Advice}, calendarAdvice)
	} else if !errors.As(err, &e) {
		return err.Error()
	}
	if e.Reason == "" {
		return sentences[e.Code](e)
	}
	text := e.Sentence()
	if next := nextSteps[e.Reason]; next != "" {
		text += " " + e.Fill(next)
	}
	return text
}

// sentences has one for every code.
var sentences = map[slotd.Code]func(e *slotd.Error) string{
	slotd.InvalidArgument: func(*slotd.Error) string { return say.T("Something in the command can't be used.") },
	slotd.Unauthorized:    func(*slotd.Error) string { return say.T("This isn't allowed.") },
	slotd.WorkspaceNotFound: func(e *slotd.Error) string {
		if e.Workspace == "" {
			return say.T("The workspace no longer exists.")
		}
		return say.T("There is no workspace %.64q. See slotd workspace list.", e.Workspace)
	},
	slotd.EventTypeNotFound: func(e *slotd.Error) string {
		return say.T("Workspace %q has no event type %.64q. See slotd export.", e.Workspace, e.EventType)
	},
	slotd.BookingNotFound: func(e *slotd.Error) string {
		return say.T("The workspace has no booking %s. See slotd booking list.", e.Booking)
	},
	slotd.SlotUnavailable: func(e *slotd.Error) string {
		return say.T("%s is not available. See slotd explain.", slotd.Instant(e.Start))
	},
	slotd.PaymentRequired: func(e *slotd.Error) string {
		return say.T("%q has a price: guests book and pay for it at %s", e.EventType, e.BookingURL)
	},
	slotd.BookingCanceled: func(e *slotd.Error) string {
		return say.T("Booking %s was canceled and can't be moved.", e.Booking)
	},
	slotd.BookingPast: func(e *slotd.Error) string {
		return say.T("Booking %s ended at %s and can't be changed.", e.Booking, slotd.Instant(e.EndedAt))
	},
	slotd.CalendarUnavailable: func(*slotd.Error) string {
		return say.T("A connected calendar can't be read, so nobody knows which times are open. See slotd calendar list.")
	},
	slotd.RateLimited: func(e *slotd.Error) string {
		return say.T("Too many attempts. Try again in %s.", e.RetryAfter)
	},
	slotd.Internal: func(e *slotd.Error) string {
		return say.T("Something went wrong. The server's log has more under %s.", e.ID)
	},
}

// nextSteps say what to do from the command line. A reason with an empty one says it all, or never gets here.
var nextSteps = map[slotd.Reason]say.Sentence{
	slotd.KeyReused:        "",
	slotd.PaymentsOff:      "See slotd payments connect.",
	slotd.PaymentsOpen:     "Nobody would hear of their payments. See slotd payments list, or use --force.",
	slotd.NoAccount:        "",
	slotd.NotAStripeKey:    "It begins with sk_live_, sk_test_, rk_live_ or rk_test_.",
	slotd.NotAStripeSecret: "Stripe shows it with the endpoint. It begins with whsec_.",
	slotd.SlugTaken:        "Choose another one.",
	slotd.ScheduleInUse:    "Keep the schedule in the file until those bookings are over.",
	slotd.NotAnEmail:       "",
	slotd.NothingToAgree:   "",
	slotd.ConsentExpired:   "Run slotd calendar connect again.",
	slotd.AlreadySetUp:     "",
	slotd.LinkUsed:         "",
	slotd.LinkExpired:      "",
	slotd.LinkIncomplete:   "",
	slotd.WrongSignIn:      "",
	slotd.WrongPassword:    "",
	slotd.OnlyPassword:     "",
	slotd.OnlyPasskey:      "",
	slotd.UnknownPasskey:   "",
	slotd.KnownPasskey:     "",
	slotd.FailedPasskey:    "",
	slotd.TooManyPasskeys:  "",
	slotd.TooManyTokens:    "Revoke one with slotd token revoke.",
	slotd.TooManyOwners:    "Remove an owner or an invitation first, on the page Members.",
	slotd.AlreadyOwner:     "",
	slotd.LastOwner:        "",
}
