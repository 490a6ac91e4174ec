package eventtypes

import (
	"strings"
	"testing"

	"slotd"
)

func TestPrice_AsPeopleWriteIt(t *testing.T) {
	for _, c := range []struct {
		amount, currency string
		want             int64 // 0: refused
	}{
		{"50", "usd", 5000}, {"50.00", "usd", 5000}, {"50.5", "usd", 5050}, {"50,50", "eur", 5050},
		{"1 250,50", "eur", 125050}, {"0.50", "usd", 50}, {"999999.99", "usd", 99_999_999},
		{"5000", "jpy", 5000}, {"50", "jpy", 50}, {"12.345", "kwd", 0}, {"12.340", "kwd", 12340},
		{"12.34", "kwd", 12340}, {"100", "isk", 10000},
		{"50.00", "jpy", 0}, {"0.49", "usd", 0}, {"49", "jpy", 0}, {"1000000", "usd", 0}, {"1,000", "usd", 0},
		{"1,000", "kwd", 0}, {"1.000,00", "eur", 0}, {"$50", "usd", 0},
		{"50.001", "usd", 0}, {"100.50", "isk", 0}, {"-50", "usd", 0}, {".50", "usd", 0}, {"50.", "usd", 0},
		{"1e9", "usd", 0}, {"0x50", "usd", 0}, {strings.Repeat("9", 400), "usd", 0},
	} {
		p, reason := readPrice(c.amount, c.currency)
		if (reason == "") != (c.want > 0) || reason == "" && p.AmountCents != c.want {
			t.Errorf("%.40s %s: %d, %q, want %d", c.amount, c.currency, p.AmountCents, reason, c.want)
		}
		shown := Form.Show(&slotd.EventType{Price: &p})["amount"]
		if again, _ := readPrice(shown, c.currency); reason == "" && again != p {
			t.Errorf("%s %s is shown as %s, and read as %d", c.amount, c.currency, shown, again.AmountCents)
		}
	}
}

func TestBuffers_TheArithmeticIsInWords(t *testing.T) {
	for want, n := range map[string][3]int{
		"Blocks 50 minutes: 30 minutes, plus 10 minutes before and 10 after.":   {30, 10, 10},
		"Blocks 40 minutes: 30 minutes, plus 0 minutes before and 10 after.":    {30, 0, 10},
		"Blocks 1 hour 20 minutes: 1 hour, plus 15 minutes before and 5 after.": {60, 15, 5},
		"Blocks 30 minutes, no buffers.":                                        {30, 0, 0},
		"":                                                                      {-1, 10, 10},
	} {
		if got := bufferArithmetic(&slotd.EventType{DurationMinutes: n[0], BufferBeforeMinutes: n[1],
			BufferAfterMinutes: n[2]}); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
}
