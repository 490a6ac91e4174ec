package calsync

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"slotd/internal/availability/slots"
	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/mail/invite"
	"slotd/internal/store/sqlcgen"
)

// busyTime is a row of calendar_busy.
type busyTime struct {
	from, until int64
	booking     string // the booking whose UID the event has; empty: not a booking of ours
}

// expand works out the busy times of the whole calendar: a changed item may be an exception to an unchanged one.
func (s *Service) expand(ctx context.Context, src *source, f *readResult) error {
	items, err := s.items(ctx, src, &f.changes)
	if err != nil {
		return err
	}
	texts := make([]string, 0, len(items))
	ids := slices.Sorted(maps.Keys(items))
	for _, id := range ids {
		texts = append(texts, items[id])
	}
	if needsJointExpansion(src.calendar.Type) && len(texts) > 0 { // an empty calendar has no text at all
		texts = []string{strings.Join(texts, "")}
	}
	expansion := ical.NewExpansion(src.reader)
	for i, text := range texts {
		if err := expansion.Add(text); err != nil {
			if len(texts) > 1 {
				return calendar.Unreadable(err, "%q can't be read.", lastPart(ids[i]))
			}
			return err
		}
	}
	events, warnings, err := expansion.Events()
	if err != nil {
		return err
	}
	f.events, f.busy, f.warning = len(events), busyTimes(events), strings.Join(warnings, " ")
	if len(f.busy) > maxBusyTimes {
		return calendar.Errorf(calendar.Unusable,
			"It has more than %d separate busy times in the next two years.", maxBusyTimes).Advise(calendar.ReduceEvents)
	}
	return nil
}

// maxBusyTimes is one every twenty minutes for two years.
const maxBusyTimes = 50_000

// items returns the whole copy of the calendar after the changes.
func (s *Service) items(ctx context.Context, src *source, changes *calendar.Changes) (map[string]string, error) {
	items := map[string]string{}
	if !changes.Complete {
		rows, err := s.DB.Read().CalendarItems(ctx,
			sqlcgen.CalendarItemsParams{WorkspaceID: src.workspaceID, CalendarID: src.calendar.ID})
		if err != nil {
			return nil, fmt.Errorf("load the items of calendar %d: %w", src.calendar.ID, err)
		}
		for _, row := range rows {
			items[row.ID] = row.Text
		}
	}
	for _, id := range changes.Gone {
		delete(items, id)
	}
	for _, item := range changes.Items {
		items[item.ID] = item.Text
	}
	return items, nil
}

func lastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// busyTimes merges overlapping and adjacent events, except those of our own bookings: these stop counting when the
// booking is canceled.
func busyTimes(events []ical.Event) []busyTime {
	var others []slots.Span
	times := map[busyTime]bool{}
	for _, e := range events {
		if booking := bookingID(e.UID); booking != "" {
			times[newBusyTime(e.Span, booking)] = true
		} else {
			others = append(others, e.Span)
		}
	}
	for _, span := range slots.Merge(others) {
		times[newBusyTime(span, "")] = true
	}
	return slices.Collect(maps.Keys(times))
}

// newBusyTime rounds up to whole milliseconds, so that no busy time is lost.
func newBusyTime(s slots.Span, booking string) busyTime {
	from, until := s.Start.UnixMilli(), s.End.UnixMilli()
	if s.End.Nanosecond()%1e6 != 0 {
		until++
	}
	return busyTime{from, until, booking}
}

// bookingID returns the booking whose invite has this UID, or "" if there is none.
func bookingID(uid string) string {
	text, hasSuffix := strings.CutSuffix(uid, invite.UIDSuffix)
	id, err := uuid.Parse(text)
	if !hasSuffix || err != nil || id.String() != text {
		return ""
	}
	return text
}
