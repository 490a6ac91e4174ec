package eventtypes

import (
	"regexp"
	"strconv"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

// amountShape accepts a comma as the decimal separator, but not where it may separate thousands.
var amountShape = regexp.MustCompile(`^([0-9]{1,9})(?:(?:\.([0-9]{1,3}))|(?:,([0-9]{1,2})))?$`)

// readPrice accepts an amount as people write it: 50, 50.00, 1 250,50.
func readPrice(amount, currency string) (p slotd.Price, reason string) {
	p.Currency = currency
	decimals := decimalsOf(currency)
	parts := amountShape.FindStringSubmatch(strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "").Replace(amount))
	if parts == nil || len(parts[2]+parts[3]) > decimals {
		return p, say.T("The price must be a number such as %s, without a currency sign. Leave it blank if it's free.",
			sampleAmount(decimals))
	}
	digits := parts[1] + (parts[2] + parts[3] + "000")[:decimals]
	p.AmountCents, _ = strconv.ParseInt(digits, 10, 64) // at most 12 digits
	lowest, highest := slotd.Price{AmountCents: 50, Currency: currency},
		slotd.Price{AmountCents: 99_999_999, Currency: currency}
	if step := p.Step(); p.AmountCents%step != 0 {
		p.AmountCents = (p.AmountCents + step - 1) / step * step
		return p, say.T("The price must be an amount that can be paid in this currency, such as %s.", p)
	}
	if p.AmountCents < lowest.AmountCents || p.AmountCents > highest.AmountCents {
		return p, say.T("The price must be from %s to %s. Leave it blank if it's free.", lowest, highest)
	}
	return p, ""
}

// decimalsOf returns how many decimals the currency's amounts have.
func decimalsOf(currency string) int {
	amount, _, _ := strings.Cut(slotd.Price{Currency: currency}.String(), " ")
	_, decimals, _ := strings.Cut(amount, ".")
	return len(decimals)
}

func sampleAmount(decimals int) string {
	if decimals == 0 {
		return "5000"
	}
	return "50." + strings.Repeat("0", decimals)
}

// bufferArithmetic says how much of the host's time a booking takes. It returns an empty string if the numbers are out
// of range.
func bufferArithmetic(e *slotd.EventType) string {
	const day = 24 * 60
	d, before, after := e.DurationMinutes, e.BufferBeforeMinutes, e.BufferAfterMinutes
	if d < 1 || d > day || before < 0 || before > day || after < 0 || after > day {
		return ""
	}
	if before+after == 0 {
		return say.T("Blocks %s, no buffers.", page.SpellMinutes(d))
	}
	return say.T("Blocks %s: %s, plus %d minutes before and %d after.", page.SpellMinutes(d+before+after),
		page.SpellMinutes(d), before, after)
}
