package owner

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/web/owner/eventtypes"
)

// preview requests the preview as the script does, with the values of the page's form and these fields.
func (b *window) preview(path string, fields ...string) *response {
	b.w.T.Helper()
	f := b.get(path).formWith("title")
	for i := 0; i < len(fields); i += 2 {
		f.Values.Set(fields[i], fields[i+1])
	}
	f.Values.Set("part", "1")
	return b.postForm(eventtypes.EventTypesPath+"/preview", f.Values)
}

// openTimes returns the times of the preview, each with its day: "Tuesday 2 February 09:00".
func (p *response) openTimes() (times []string) {
	p.T.Helper()
	day := ""
	for n := range p.Part().Descendants() {
		switch {
		case n.Tag == "h3":
			day = n.Content()
		case n.Attr("class") == "open-times":
			for _, li := range n.Find("li") {
				times = append(times, day+" "+li.Content())
			}
		}
	}
	return times
}

// offered returns what the engine offers for the stored event type in the seven days from tomorrow on.
func (w *world) offered(slug string) (times []string) {
	w.T.Helper()
	p, err := w.Site.Cache.Latest(background, w.id("acme"))
	w.Must(err)
	q, err := w.Booking.Query(p, p.EventTypeBySlug(slug), nil)
	w.Must(err)
	midnight := monday.Truncate(24*time.Hour).AddDate(0, 0, 1)
	open, _ := slots.Open(q, slots.Span{Start: midnight, End: midnight.AddDate(0, 0, 7)})
	for _, t := range open {
		times = append(times, t.Format("Monday 2 January 15:04"))
	}
	return times
}

func TestPreview_IsWhatGuestsSeeOnceItIsSaved(t *testing.T) {
	for about, fields := range map[string][]string{
		"as it is": {}, "longer": {"duration", "120"}, "buffers": {"before", "30", "after", "45"},
		"a quarter": {"interval", "90"},
		"notice":    {"notice", "2 days"}, "near": {"window", "3"}, "few": {"max_per_day", "1"},
		"other hours": {"schedule", "short"},
	} {
		w := lite(t)
		w.Apply(strings.Replace(acme, "schedules:\n",
			"schedules:\n  short: {weekly: {tue: [\"09:00-10:00\"], mon: [\"23:00-24:00\"]}}\n", 1))
		w.bookType("intro", monday.Add(26*time.Hour)) // Tuesday at 10
		b := w.ada()
		version := w.export("acme")
		p := b.preview(eventtypes.EventTypePath("intro"), fields...).says(200)
		if w.export("acme") != version {
			t.Errorf("%s: looking changed something", about)
		}
		b.submitRaw(eventtypes.EventTypePath("intro"), fields...).leads(eventtypes.EventTypePath("intro") + "?saved=1")
		got, want := strings.Join(p.openTimes(), ", "), strings.Join(w.offered("intro"), ", ")
		if got != want || got == "" {
			t.Errorf("%s: the preview shows\n%s\nand guests see\n%s", about, got, want)
		}
	}
}

func TestPreview_CountsWhatIsBooked(t *testing.T) {
	w := lite(t)
	w.bookType("intro", monday.Add(26*time.Hour)) // Tuesday at 10
	b := w.ada()
	for _, path := range []string{eventtypes.EventTypePath("intro"), eventtypes.EventTypesPath + "/new"} {
		all := strings.Join(b.preview(path, "title", "T", "before", "30").openTimes(), ", ")
		for time, open := range map[string]bool{"09:00": true, "09:30": true, "10:00": false, "10:30": false,
			"11:00": true} {
			if strings.Contains(all, "Tuesday 2 February "+time) != open {
				t.Errorf("%s: %s is open: %t, in %s", path, time, !open, all)
			}
		}
	}
	full := b.preview(eventtypes.EventTypePath("intro"), "max_per_day", "1").says(200,
		"Tuesday 2 February No open times")
	if len(full.openTimes()) == 0 {
		t.Error("the other days are full too")
	}
	if created := b.preview(eventtypes.EventTypesPath+"/new", "max_per_day", "1"); strings.Contains(created.Text(),
		"Tuesday 2 February No open times") {
		t.Error("another event type's bookings count against the limit of a new one")
	}
}

func TestPreview_SaysTheArithmeticAndTheWarnings(t *testing.T) {
	w := lite(t)
	b := w.ada()
	b.preview(eventtypes.EventTypePath("intro"), "before", "10", "after", "10").says(200,
		"Blocks 50 minutes: 30 minutes, plus 10 minutes before and 10 after.")
	b.preview(eventtypes.EventTypePath("intro"), "amount", "50", "currency", "usd").says(200,
		"Guests can't book it at this price yet")
	b.press(b.get(eventtypes.EventTypesPath), "intro", "delete")
	b.preview(eventtypes.EventTypesPath+"/new", "slug", "intro").says(200,
		"You used this address before, for “Intro call”")
}

func TestPreview_SaysWhatIsWrong(t *testing.T) {
	w := lite(t)
	b := w.ada()
	for field, words := range map[string]string{"duration": "Duration must be",
		"before": "Buffer before must be", "notice": "Minimum notice must be minutes, or words such as 2 hours", "window": "Booking window must be", "interval": "Start time interval must be", "max_per_day": "Daily limit must be", "schedule": "must be one of your schedules"} {
		for _, typed := range []string{"nonsense", "-1", "999999999", "<script>"} {
			p := b.preview(eventtypes.EventTypePath("intro"), field, typed).says(200, words)
			if len(p.openTimes()) > 0 || strings.Contains(p.Body, "<script>") {
				t.Errorf("%s %s: %s", field, typed, p.Body)
			}
		}
	}
	if times := b.preview(eventtypes.EventTypesPath+"/new", "title", "", "amount",
		"nonsense").openTimes(); len(times) == 0 {
		t.Error("what does not matter for the times hinders them")
	}
}

func TestPreview_IsBounded(t *testing.T) {
	w := lite(t)
	w.Apply(strings.Replace(acme, `tue: ["09:00-17:00"]`, `tue: ["00:00-24:00"]`, 1))
	p := w.ada().preview(eventtypes.EventTypePath("intro"), "interval", "1", "duration", "1").says(200,
		fmt.Sprintf("and %d more", 1440-eventtypes.MaxPreviewTimes))
	if n := len(p.openTimes()); n > eventtypes.PreviewDays*(eventtypes.MaxPreviewTimes+1) {
		t.Errorf("%d times", n)
	}
	if days := strings.Count(p.Body, "<h3>"); days != eventtypes.PreviewDays {
		t.Errorf("%d days", days)
	}
}

func TestPreview_ButtonShowsThePageWithWhatWasTyped(t *testing.T) {
	w := lite(t)
	b, before := w.ada(), w.export("acme")
	for _, path := range []string{eventtypes.EventTypePath("intro"), eventtypes.EventTypesPath + "/new"} {
		for _, f := range b.get(path).Page().Forms() {
			if !f.Names["title"] {
				continue
			}
			f.Values.Set("title", "Typed")
			f.Values.Set("duration", "240")
			p := b.postForm(eventtypes.EventTypesPath+"/preview", f.Values).says(200, "10 open times in the seven days")
			if p.typed("title") != "Typed" || !strings.Contains(p.Body, `action="`+path+`"`) {
				t.Errorf("%s: %s", path, p.Body)
			}
			if w.export("acme") != before {
				t.Error("the preview was saved")
			}
		}
	}
}

func TestPreview_IsInTheZoneOfTheHours(t *testing.T) {
	w := lite(t)
	w.Apply(strings.Replace(acme, "    weekly:", "    time_zone: Pacific/Kiritimati\n    weekly:", 1))
	p := w.ada().preview(eventtypes.EventTypePath("intro")).says(200, "in Pacific/Kiritimati")
	if times := p.openTimes(); times[0] != "Tuesday 2 February 09:00" || len(times) != 5*16 {
		t.Errorf("%d times from %s on", len(times), times[0])
	}
}

func TestPreview_AnUnreadCalendarIsNotFree(t *testing.T) {
	w := lite(t)
	w.Apply(acme + "calendars:\n  - {name: club, type: ics, url: \"https://club.example/a.ics\"}\n")
	p := w.ada().preview(eventtypes.EventTypePath("intro")).says(200, "A calendar can't be read right now")
	if len(p.openTimes()) > 0 {
		t.Error("times are shown nevertheless")
	}
}
