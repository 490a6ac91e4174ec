package when

import (
	"strconv"
	"time"
)

// clock is the wall clock's face: 14:30 or 2:30 pm. It does not tell a repeated hour apart.
func (l Local) clock(t time.Time) string {
	hour, minute, _ := l.wall(t).Clock()
	out := make([]byte, 0, len("12:30 pm"))
	if !l.twelve {
		return string(append2(append(append2(out, hour), ':'), minute))
	}
	half := " am"
	if hour >= 12 {
		half = " pm"
	}
	hour = (hour+11)%12 + 1 // midnight and noon are 12
	out = append(strconv.AppendInt(out, int64(hour), 10), ':')
	return string(append(append2(out, minute), half...))
}

func append2(out []byte, n int) []byte { return append(out, byte('0'+n/10), byte('0'+n%10)) }
