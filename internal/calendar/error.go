package calendar

import (
	"errors"
	"time"

	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/say"
)

// Kind says what slotd does about an Error.
type Kind int

const (
	Unreachable Kind = iota // the server is down, slow or failing: this passes
	Refused                 // the server does not accept the credential
	Revoked                 // the owner withdrew the permission: retrying does not help, only a new consent
	Unusable                // the server's response cannot be understood
)

// Advice says what people can do about an Error. The list is closed. Each door (a connected calendar, a page that
// connects one, the command line) has its own sentence for every advice.
type Advice int

const (
	NoAdvice       Advice = iota // the message says it all, or nobody can do anything
	Wait                         // the problem passes
	CheckAddress                 // of the server or the calendar
	UseFeedAddress               // the address that a calendar's settings show as ICS or iCal
	UseOwnAddress                // the address of one calendar, not of its account
	CheckPassword                // or the user name
	GiveConsent                  // at Google or Microsoft, for the first time or again
	CheckAccess                  // what the account may do with the calendar
	CreateCalendar               // the account has none
	ChooseWritable               // bookings cannot be written into this calendar
	ReduceEvents                 // the calendar is too large
	CorrectEvent                 // or delete it
	AskProvider                  // whoever runs the calendar's server
	ChangeSettings               // of this server
	RestoreKey                   // the file that sealed the password
	SeeLog                       // of this server
	endOfAdvice
)

// Advices lists every advice, so that tests can check that no door misses one.
func Advices() (all []Advice) {
	for a := NoAdvice; a < endOfAdvice; a++ {
		all = append(all, a)
	}
	return all
}

// Error says why a calendar cannot be read or written. Its message is a whole sentence, or several, about what is
// wrong; what to do about it is the advice. The message contains no credential, no address that may include one, and
// no title of an event.
type Error struct {
	Kind       Kind
	Message    string
	Advice     Advice
	RetryAfter time.Duration // requested by the server; 0: not set
}

func (e *Error) Error() string { return e.Message }

// Errorf returns an error of the given kind, without advice.
func Errorf(kind Kind, sentence say.Sentence, args ...any) *Error {
	return &Error{Kind: kind, Message: sentence.With(args...)}
}

// Advise sets the advice and returns e.
func (e *Error) Advise(a Advice) *Error {
	e.Advice = a
	return e
}

// Unreadable returns the error for a calendar whose text cannot be read. The sentence says where the text is from; what
// is wrong with it follows.
func Unreadable(cause error, sentence say.Sentence, args ...any) *Error {
	e := &Error{Kind: Unusable, Message: sentence.With(args...) + " " + cause.Error()}
	var detail *Error
	if errors.As(cause, &detail) {
		e.Advice = detail.Advice
	}
	return e
}

// RequestError returns the error for a request without a response. It is temporary only if the network failed: a
// forbidden address, or a redirect that is not followed, stays an error until somebody changes something.
func RequestError(cause error) *Error {
	var failure *safehttp.Failure
	var refused *safehttp.Refused
	e := &Error{Kind: Unusable, Message: cause.Error(), Advice: CheckAddress}
	switch {
	case errors.As(cause, &failure) && failure.UnknownHost():
		e.Kind = Unreachable
	case errors.As(cause, &failure):
		e.Kind, e.Advice = Unreachable, Wait
	case errors.As(cause, &refused):
		e.Advice = ChangeSettings
	}
	return e
}

// ErrorText returns what is wrong, followed by a door's sentence about what to do.
func ErrorText(e *Error, advice map[Advice]say.Sentence) string {
	if next := advice[e.Advice]; next != "" {
		return e.Message + " " + next.String()
	}
	return e.Message
}
