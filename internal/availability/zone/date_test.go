package zone

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestParseDate_TakesOneFormOnly(t *testing.T) {
	for _, s := range []string{"2000-01-01", "2000-02-29", "2027-01-31", "2096-02-29", "2100-12-31"} {
		if d, err := ParseDate(s); err != nil || d.String() != s {
			t.Errorf("ParseDate(%q) = %v, %v", s, d, err)
		}
	}
	for _, s := range []string{
		"", " ", "today", "2027", "2027-01", "2027-01-1", "2027-1-01", "27-01-01", "02027-01-01", "2027-01-01 ",
		" 2027-01-01",
		"2027-01-01T00:00:00Z", "2027-01-01Z", "2027/01/01", "2027-01-01\n", "2027-01-01\x00", "2027-00-10",
		"2027-13-01", "2027-01-00",
		"2027-01-32", "2027-02-29", "2100-02-29", "2027-04-31", "1999-12-31", "2101-01-01", "0000-01-01", "9999-12-31",
		"-2027-01-01", "+2027-01-01", "2027--1-01", "2027-+1-01", "2027-01-+1", "2-27-01-01", "2027\u201301\u201301",
		"２０２７-01-01", "٢٠٢٧-01-01", "20270101", "01-01-2027", "2027-W01-1", "2027-001", "1e3-01-01", "0x7e-01-01",
		"2027-01-01,5", "2027-01-01.5", "\xff\xfe", strings.Repeat("2", 1<<20),
	} {
		d, err := ParseDate(s)
		if err == nil {
			t.Errorf("ParseDate(%.40q) = %v", s, d)
		} else if len(err.Error()) > 300 {
			t.Errorf("the answer to %.40q repeats all of it", s)
		}
	}
}

func TestDate_CountsLikeTheCalendar(t *testing.T) {
	at := time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)
	for d := NewDate(1999, 1, 1); d < NewDate(2104, 1, 1); d++ {
		if got, want := d.String(), at.Format("2006-01-02"); got != want {
			t.Fatalf("date %d is %s, want %s", int(d), got, want)
		}
		if d.Weekday() != at.Weekday() || !d.UTC().Equal(at) || d != NewDate(at.Date()) {
			t.Fatalf("%s: weekday %s, starts at %s, counted as %d", d, d.Weekday(), d.UTC(), NewDate(at.Date()))
		}
		if UTCDate(at) != d || UTCDate(at.Add(24*time.Hour-1)) != d || UTCDate(at.Add(-1)) != d-1 {
			t.Fatalf("%s has other borders", d)
		}
		at = at.AddDate(0, 0, 1)
	}
}

func TestUTCDate_BeforeTheEpoch(t *testing.T) {
	for range 1000 {
		at := time.Unix(rand.Int64N(8e9)-4e9, rand.Int64N(1e9)).UTC()
		if got, want := UTCDate(at).String(), at.Format("2006-01-02"); got != want {
			t.Fatalf("%s is on %s", at, got)
		}
	}
}

func FuzzParseDate(f *testing.F) {
	f.Add("2027-01-31")
	f.Add("2100-02-29")
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDate(s)
		if err == nil && (d.String() != s || d < NewDate(2000, 1, 1) || d > NewDate(2100, 12, 31)) {
			t.Fatalf("ParseDate(%q) = %s", s, d)
		}
	})
}
