package booking

import (
	"context"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/store"
)

// commit informs the snapshot cache about a write of this process: before the commit about the version it leads to,
// after the commit about the claims that changed.
type commit struct {
	cache       *snapshot.Cache
	wake        func()
	workspaceID int64
	version     int64 // 0 if nothing was written
	done        func()
}

func (s *Service) newCommit(workspaceID int64) commit {
	return commit{cache: s.cache, wake: s.wake, workspaceID: workspaceID}
}

// begin starts over, because a transaction may be retried.
func (c *commit) begin() {
	c.end()
	c.version = 0
}

// bump increments the workspace's version. It is the last statement of the transaction.
func (c *commit) bump(ctx context.Context, tx *store.Tx) (err error) {
	if c.version, err = tx.BumpVersion(ctx, c.workspaceID); err == nil {
		c.done = c.cache.Committing(c.workspaceID, c.version)
	}
	return err
}

// publish updates the cache and wakes the job runner, if the transaction wrote something. Call it after every
// successful transaction.
func (c *commit) publish(removed, added []slots.Claim) {
	if c.version == 0 {
		return
	}
	c.cache.ApplyBooking(c.workspaceID, c.version, removed, added)
	if c.wake != nil {
		c.wake()
	}
}

// end releases the readers that wait for this commit.
func (c *commit) end() {
	if c.done != nil {
		c.done()
		c.done = nil
	}
}
