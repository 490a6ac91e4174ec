// Package cli holds what the commands of slotd share: flags on the command line or in the environment, usage errors,
// and what the flags configure: the database, mail, calendars and payments.
package cli

import (
	"errors"

	"slotd/internal/lib/say"
)

// UsageError means that the command line is invalid. The program exits with 2.
type UsageError struct{ Message string }

func (e UsageError) Error() string { return e.Message }

// Usagef returns a UsageError.
func Usagef(sentence say.Sentence, args ...any) error { return UsageError{sentence.With(args...)} }

// Errorf returns an error that tells people what is wrong and what to do. Errors that wrap others come from fmt.Errorf.
func Errorf(sentence say.Sentence, args ...any) error { return errors.New(sentence.With(args...)) }

// ErrHelp means that the user asked for help and got it. The program exits with 0.
var ErrHelp = errors.New("help")
