package worlds

import (
	"slotd"
	"slotd/internal/money/ledger"
)

// PaymentOf returns the name of the guest's payment for a booking.
func PaymentOf(b *slotd.Booking) string { return "pi_" + b.ID.String() }

// PaidStatement returns the report that the guest has paid.
func PaidStatement(b *slotd.Booking) ledger.Statement {
	return StatementOf(b, ledger.Paid, PaymentOf(b))
}

// StatementOf returns a report with one entry about the whole price.
func StatementOf(b *slotd.Booking, kind ledger.Kind, reference string) ledger.Statement {
	return ledger.Statement{Entries: []ledger.Entry{{Kind: kind, Amount: Price, Currency: b.Price.Currency,
		Reference: reference}}}
}
