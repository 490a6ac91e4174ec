package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"slotd/internal/booking/records"
)

// Forgetter erases attendees' data of bookings that are over for longer than it is kept.
type Eraser struct {
	Records *records.Service
	Days    int // after a booking's end
	Log     *slog.Logger
}

// forgetEvery is how exact a day is.
const forgetEvery = time.Hour

// Run erases at once and then every hour, until the context ends.
func (f *Eraser) Run(ctx context.Context) {
	tick := time.NewTicker(forgetEvery)
	defer tick.Stop()
	for {
		if err := f.EraseOld(ctx); err != nil && ctx.Err() == nil {
			f.Log.Error("could not erase old bookings' attendees; it is tried again in an hour", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Round looks at every workspace. Trouble with one of them does not keep the others' data.
func (f *Eraser) EraseOld(ctx context.Context) error {
	before := f.Records.Now().AddDate(0, 0, -f.Days)
	ids, err := f.Records.DB.Read().WorkspaceIDs(ctx)
	if err != nil {
		return fmt.Errorf("list the workspaces: %w", err)
	}
	var all []error
	for _, id := range ids {
		n, err := f.Records.EraseBefore(ctx, id, before)
		if err != nil {
			all = append(all, fmt.Errorf("workspace %d: %w", id, err))
		}
		if n > 0 {
			f.Log.Info("erased the attendees of old bookings", "workspace", id, "bookings", n)
		}
	}
	return errors.Join(all...)
}
