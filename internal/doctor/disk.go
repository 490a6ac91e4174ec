package doctor

import "slotd/internal/lib/say"

const (
	diskLow  = 1 << 30   // bytes
	diskFull = 100 << 20 // bytes; SQLite needs space for its write-ahead log
)

func (s *Server) disk() Check {
	free, ok := freeSpace(s.DataDir)
	if !ok {
		return Check{"disk", Unknown, say.T("Can't determine the free space of the data directory."), ""}
	}
	return judgeDisk(free)
}

func judgeDisk(free uint64) Check {
	c := Check{"disk", OK, say.T("%s free in the data directory.", size(free)), ""}
	switch {
	case free < diskFull:
		c.State, c.Do = Fail, say.T("Free up space now: when the disk is full, nobody can book.")
	case free < diskLow:
		c.State, c.Do = Warn, say.T("Free up space before the disk is full.")
	}
	return c
}
