package testdb

import (
	"sync"
	"time"
)

// Clock stands still until a test moves it. Servers under test read it from their own goroutines.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock starts at now.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set puts it to any time, an earlier one too.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Move lets time pass.
func (c *Clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
