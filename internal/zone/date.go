package zone

import (
	"fmt"
	"time"
)

const secondsPerDay = 24 * 3600

// Date is a day of the civil calendar, counted from 1970-01-01. Adding to it never meets a
// time zone, which is what makes a loop over dates safe.
type Date int32

func NewDate(year int, month time.Month, day int) Date {
	return Date(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay)
}

// ParseDate reads YYYY-MM-DD, years 2000 to 2100.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse("2006-01-02", s)
	if err != nil || t.Year() < 2000 || t.Year() > 2100 {
		return 0, fmt.Errorf("%.40q is no date of the form 2027-01-31 in the years 2000 to 2100", s)
	}
	return Date(t.Unix() / secondsPerDay), nil
}

// UTC is the instant at which the date starts in UTC.
func (d Date) UTC() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

func (d Date) Weekday() time.Weekday { return d.UTC().Weekday() }

func (d Date) String() string { return d.UTC().Format("2006-01-02") }

// UTCDate is the date at t in UTC.
func UTCDate(t time.Time) Date { return Date(floorDiv(t.Unix(), secondsPerDay)) }

func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

func (d *Date) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDate(string(text))
	return err
}
