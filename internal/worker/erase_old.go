package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"slotd/internal/booking/records"
)

// Eraser erases the attendees' data of bookings that ended more than Days ago.
type Eraser struct {
	Records *records.Service
	Days    int // counted from a booking's end
	Log     *slog.Logger
}

// eraseInterval is how much later than Days an attendee may be erased.
const eraseInterval = time.Hour

// Run erases at once and then every hour until the context ends.
func (f *Eraser) Run(ctx context.Context) {
	tick := time.NewTicker(eraseInterval)
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

// EraseOld erases old data in every workspace. If one workspace fails, it still erases the others' data.
func (f *Eraser) EraseOld(ctx context.Context) error {
	before := f.Records.Now().AddDate(0, 0, -f.Days)
	ids, err := f.Records.DB.Read().WorkspaceIDs(ctx)
	if err != nil {
		return fmt.Errorf("list the workspaces: %w", err)
	}
	var errs []error
	for _, id := range ids {
		n, err := f.Records.EraseBefore(ctx, id, before)
		if err != nil {
			errs = append(errs, fmt.Errorf("workspace %d: %w", id, err))
		}
		if n > 0 {
			f.Log.Info("erased the attendees of old bookings", "workspace", id, "bookings", n)
		}
	}
	return errors.Join(errs...)
}
