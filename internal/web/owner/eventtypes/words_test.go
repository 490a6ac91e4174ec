package eventtypes

import (
	"slices"
	"strings"
	"testing"

	"slotd/internal/web/owner/page"

	"slotd"
)

func TestMinutes_AsPeopleTypeThem(t *testing.T) {
	for typed, want := range map[string]int{
		"30": 30, "0": 0, " 45 ": 45, "1h": 60, "1 h 30 m": 90, "1h30m": 90, "2 hours": 120, "1 Hour": 60,
		"1 day": 1440, "2 days, 3 hours": 3060, "1 week": 10080, "90 min": 90,
		"": -1, "h": -1, "1 fortnight": -1, "1.5 hours": -1, "-30": -30, "1 hour ago": -1, "٣٠": -1,
		"1h " + strings.Repeat("1h ", 100): -1,
	} {
		if got := readMinutes(typed); got != want {
			t.Errorf("%.40q is %d, want %d", typed, got, want)
		}
	}
	for minutes := range 3000 {
		if got := readMinutes(page.SpellMinutes(minutes)); got != minutes {
			t.Errorf("%d is spelled %s and read %d", minutes, page.SpellMinutes(minutes), got)
		}
	}
}

func TestReminders_ReadBackAsSpelled(t *testing.T) {
	for _, minutes := range [][]int{{}, {60}, {1440, 60}, {10080, 1, 90, 40320}} {
		if got := readReminders(spellReminders(minutes)); got == nil || !slices.Equal(got, minutes) {
			t.Errorf("%v became %v", minutes, got)
		}
	}
}

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
		shown := valuesOf(&slotd.EventType{Price: &p})["amount"]
		if again, _ := readPrice(shown, c.currency); reason == "" && again != p {
			t.Errorf("%s %s is shown as %s, and read as %d", c.amount, c.currency, shown, again.AmountCents)
		}
	}
}

func TestBuffers_TheArithmeticIsInWords(t *testing.T) {
	for want, n := range map[string][3]int{
		"Guests see 30 minutes; your day loses 50: 10 before, 10 after.":                        {30, 10, 10},
		"Guests see 30 minutes; your day loses 40: 0 before, 10 after.":                         {30, 0, 10},
		"Guests see 1 hour; your day loses 1 hour 20 minutes: 15 before, 5 after.":              {60, 15, 5},
		"Guests see 30 minutes; your day loses the same: nothing is kept free before or after.": {30, 0, 0},
		"": {-1, 10, 10},
	} {
		if got := bufferArithmetic(&slotd.EventType{DurationMinutes: n[0], BufferBeforeMinutes: n[1],
			BufferAfterMinutes: n[2]}); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
}
