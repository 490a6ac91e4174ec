package small

import "testing"

func TestWithdraw_TakesTheAmount(t *testing.T) {
	a := &Account{Balance: 100}
	if err := a.Withdraw(30, true); err != nil || a.Balance != 70 {
		t.Errorf("%v, %v", a.Balance, err)
	}
}
