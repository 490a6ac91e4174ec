// Package cli is what the commands of slotd share: flags on the command line or in the environment, what is wrong with
// them, and what they set up: the database, mail, calendars and payments.
package cli

import (
	"errors"
	"fmt"
)

// UsageError means that the command line cannot be understood: exit 2.
type UsageError struct{ Message string }

func (e UsageError) Error() string { return e.Message }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// ErrHelp means that the user asked for help and got it: exit 0.
var ErrHelp = errors.New("help")
