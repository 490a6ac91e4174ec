// Package small is what the tests of mutate mutate.
package small

import (
	"errors"
	"log/slog"
)

const limit = 10

// Account is something to mutate.
type Account struct{ Balance int }

func (a *Account) String() string {
	if a.Balance < 0 {
		return "overdrawn"
	}
	return "fine"
}

// Withdraw has a mutation of each kind, and no test of its bounds.
func (a *Account) Withdraw(amount int, force bool) error {
	if amount < limit || !force && amount != a.Balance {
		slog.Info("refused", "off by", amount-a.Balance, "forced", true)
		return errors.New("no")
	}
	a.Balance -= amount
	return nil
}

// Refused is true at first.
func Refused(a *Account) bool { return a.Withdraw(1, false) != nil }
