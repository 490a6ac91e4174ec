package eventtypes

import (
	"reflect"
	"testing"

	"slotd"
	"slotd/internal/web/owner/page"
)

// complete returns an event type in which every field has a value that the form shows.
func complete() *slotd.EventType {
	return &slotd.EventType{
		Slug: "intro", Title: "Intro", Description: "Hello", DurationMinutes: 30,
		Location: slotd.Location{Type: slotd.InPerson, Text: "Main St"}, Schedule: " usual ",
		Price: &slotd.Price{AmountCents: 5050, Currency: "eur"}, RefundPolicy: &slotd.RefundPolicy{FullUntilHoursBefore: 24},
		BufferBeforeMinutes: 5, BufferAfterMinutes: 10, MinimumNoticeMinutes: 90, BookingWindowDays: 30,
		SlotIntervalMinutes: 15, MaxPerDay: 4, RemindersMinutesBefore: []int{1440, 90}, Hidden: true,
	}
}

// Saving a form that nobody has changed must not change anything, whatever the event type is like.
func TestInputs_AFormThatIsOnlySavedChangesNothing(t *testing.T) {
	video, phone, minimal := complete(), complete(), complete()
	video.Location = slotd.Location{Type: slotd.Video, URL: "https://meet.example/ada"}
	phone.Location = slotd.Location{Type: slotd.Phone, Ask: true}
	minimal.Description, minimal.Price, minimal.RefundPolicy, minimal.RemindersMinutesBefore = "", nil, nil, []int{}
	minimal.SlotIntervalMinutes, minimal.MaxPerDay, minimal.MinimumNoticeMinutes, minimal.Hidden = 0, 0, 0, false
	for name, e := range map[string]*slotd.EventType{"complete": complete(), "video": video, "phone": phone,
		"minimal": minimal} {
		var f page.Form
		if got := readEventType(Form.Show(e), &f); len(f.Problems) > 0 || !reflect.DeepEqual(got, e) {
			t.Errorf("%s: %+v became %+v: %v", name, e, got, f.Problems)
		}
	}
}
