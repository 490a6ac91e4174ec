package zone

import (
	"fmt"
	"time"
)

const secondsPerDay = 24 * 3600

// Date is a day of the civil calendar, counted from 1970-01-01. Adding to it involves no time zone, so a loop over
// dates is safe.
type Date int32

func NewDate(year int, month time.Month, day int) Date {
	return Date(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay)
}

// ParseDate parses YYYY-MM-DD, years 2000 to 2100. It runs on every request and is several times as fast as
// time.Parse.
func ParseDate(s string) (Date, error) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, invalidDate(s)
	}
	year, month, day := parseDigits(s[:4]), parseDigits(s[5:7]), parseDigits(s[8:])
	d := NewDate(year, time.Month(month), day)
	// NewDate moves a day that does not exist, such as 31 June, into the next month.
	if y, m, dd := d.UTC().Date(); year < 2000 || year > 2100 || y != year || int(m) != month || dd != day {
		return 0, invalidDate(s)
	}
	return d, nil
}

// parseDigits returns the number, or -1 if the text is not all digits.
func parseDigits(digits string) (n int) {
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

func invalidDate(s string) error {
	return fmt.Errorf("%.40q is no date of the form 2027-01-31 in the years 2000 to 2100", s)
}

// UTC returns the instant at which the date starts in UTC.
func (d Date) UTC() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

func (d Date) Weekday() time.Weekday { return d.UTC().Weekday() }

func (d Date) String() string { return d.UTC().Format("2006-01-02") }

// UTCDate returns the date at t in UTC.
func UTCDate(t time.Time) Date { return Date(floorDiv(t.Unix(), secondsPerDay)) }

func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

func (d *Date) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDate(string(text))
	return err
}
