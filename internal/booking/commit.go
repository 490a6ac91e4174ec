package booking

import (
	"context"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/store"
)

// commit tells the shelf of pictures about a write of ours: before the commit which version it
// leads to, and after it what changed.
type commit struct {
	cache       *snapshot.Cache
	wake        func()
	workspaceID int64
	version     int64 // 0: nothing was written
	done        func()
}

func (s *Service) newCommit(workspaceID int64) commit {
	return commit{cache: s.cache, wake: s.wake, workspaceID: workspaceID}
}

// begin starts over; a transaction may be tried more than once.
func (c *commit) begin() {
	c.end()
	c.version = 0
}

// bump is the transaction's last statement.
func (c *commit) bump(ctx context.Context, tx *store.Tx) (err error) {
	if c.version, err = tx.Bump(ctx, c.workspaceID); err == nil {
		c.done = c.cache.Committing(c.workspaceID, c.version)
	}
	return err
}

// publish is for after a successful transaction, whether it wrote or not. What was written has its
// jobs, which can run now.
func (c *commit) publish(removed, added []slots.Claim) {
	if c.version == 0 {
		return
	}
	c.cache.Booked(c.workspaceID, c.version, removed, added)
	if c.wake != nil {
		c.wake()
	}
}

// end lets go those who wait.
func (c *commit) end() {
	if c.done != nil {
		c.done()
		c.done = nil
	}
}
