package page

import (
	"errors"

	"slotd"
	"slotd/internal/lib/say"
)

// Refusal is an error that one page alone knows, with its own sentence.
type Refusal struct {
	Code     slotd.Code
	Sentence string
}

func (r *Refusal) Error() string { return string(r.Code) + ": " + r.Sentence }

// Refuse returns an error with a sentence for the owner.
func Refuse(code slotd.Code, sentence string) error { return &Refusal{code, sentence} }

// CodeOf returns the code of an error, or "" if it has none.
func CodeOf(err error) slotd.Code {
	var r *Refusal
	var e *slotd.Error
	switch {
	case errors.As(err, &r):
		return r.Code
	case errors.As(err, &e):
		return e.Code
	}
	return ""
}

// ErrorText tells the owner what is wrong and what to do.
func ErrorText(err error) string {
	var r *Refusal
	var e *slotd.Error
	switch {
	case errors.As(err, &r):
		return r.Sentence
	case !errors.As(err, &e):
		return err.Error()
	case e.Reason == "":
		return e.Fill(errorPages[e.Code].Message)
	}
	text := e.Sentence()
	if next := nextSteps[e.Reason]; next != "" {
		text += " " + e.Fill(next)
	}
	return text
}

// nextSteps say what an owner can do on these pages. A reason with an empty one says it all, or never gets here.
var nextSteps = map[slotd.Reason]say.Sentence{
	slotd.KeyReused:        "",
	slotd.PaymentsOff:      "Set up payments first.",
	slotd.PaymentsOpen:     "Wait until they are done: without the account, nobody would hear of their payments.",
	slotd.NoAccount:        "",
	slotd.NotAStripeKey:    "It begins with sk_live_, sk_test_, rk_live_ or rk_test_.",
	slotd.NotAStripeSecret: "Stripe shows it with the endpoint. It begins with whsec_.",
	slotd.SlugTaken:        "Choose another one.",
	slotd.ScheduleInUse:    "Keep the schedule until those bookings are over.",
	slotd.NotAnEmail:       "Please check it.",
	slotd.NothingToAgree:   "",
	slotd.ConsentExpired:   "Connect the calendar again.",
	slotd.AlreadySetUp:     "If it is yours, sign in.",
	slotd.LinkUsed:         "",
	slotd.LinkExpired:      "",
	slotd.LinkIncomplete:   "",
	slotd.WrongSignIn:      "Try again, or get a sign-in link by email.",
	slotd.WrongPassword:    "",
	slotd.OnlyPassword:     "This server doesn't send email, so add a passkey first.",
	slotd.OnlyPasskey:      "This server doesn't send email, so set a password first.",
	slotd.UnknownPasskey:   "Try again, or sign in another way.",
	slotd.KnownPasskey:     "",
	slotd.FailedPasskey:    "Please try again.",
	slotd.TooManyPasskeys:  "Remove one first.",
	slotd.TooManyTokens:    "Revoke one that is no longer used.",
	slotd.TooManyOwners:    "Remove an owner or an invitation first.",
	slotd.AlreadyOwner:     "",
	slotd.LastOwner:        "Invite another owner first.",
}
