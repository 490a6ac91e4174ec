// Package cli holds what the commands of slotd share: flags on the command line or in the environment, usage errors,
// and what the flags configure: the database, mail, calendars and payments.
package cli

import (
	"errors"
	"fmt"
)

// UsageError means that the command line is invalid. The program exits with 2.
type UsageError struct{ Message string }

func (e UsageError) Error() string { return e.Message }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// ErrHelp means that the user asked for help and got it. The program exits with 0.
var ErrHelp = errors.New("help")
