package doctor

import "fmt"

const (
	diskLow  = 1 << 30   // bytes
	diskFull = 100 << 20 // bytes; SQLite needs space for its write-ahead log
)

func (s *Server) disk() Check {
	free, ok := freeSpace(s.DataDir)
	if !ok {
		return Check{"disk", Unknown, "The free space of the data directory is not known.", ""}
	}
	return judgeDisk(free)
}

func judgeDisk(free uint64) Check {
	c := Check{"disk", OK, fmt.Sprintf("%s are free for the data directory.", size(free)), ""}
	switch {
	case free < diskFull:
		c.State, c.Do = Fail, "Make room now: when it is full, nothing can be booked."
	case free < diskLow:
		c.State, c.Do = Warn, "Make room before it is full."
	}
	return c
}
