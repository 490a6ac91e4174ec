package when

import (
	"strconv"
	"time"
)

// clock returns the wall time: 14:30 or 2:30 pm. It does not distinguish the occurrences of a repeated hour.
func (l Local) clock(t time.Time) string {
	hour, minute, _ := l.wall(t).Clock()
	out := make([]byte, 0, len("12:30 pm"))
	if !l.twelveHour {
		return string(append2(append(append2(out, hour), ':'), minute))
	}
	suffix := " am"
	if hour >= 12 {
		suffix = " pm"
	}
	hour = (hour+11)%12 + 1 // midnight and noon are 12
	out = append(strconv.AppendInt(out, int64(hour), 10), ':')
	return string(append(append2(out, minute), suffix...))
}

func append2(out []byte, n int) []byte { return append(out, byte('0'+n/10), byte('0'+n%10)) }
