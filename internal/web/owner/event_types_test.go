package owner

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/web/owner/eventtypes"
)

// bookType makes a guest's booking.
func (w *world) bookType(slug string, start time.Time) {
	w.T.Helper()
	_, err := w.Booking.Create(background, booking.Attendee(w.id("acme")), booking.Request{
		EventType: slug, StartsAt: start,
		Attendee: slotd.Attendee{Name: "Guest", Email: "guest@example.com", TimeZone: "UTC"},
	})
	w.Must(err)
}

// press presses a button beside an event type of the list.
func (b *window) press(list *response, slug, do string) *response {
	b.w.T.Helper()
	for _, f := range list.Page().Forms() {
		if f.Values.Get("slug") == slug && f.Names["do"] {
			values := f.Values
			values.Set("do", do)
			return b.postForm(eventtypes.EventTypesPath, values)
		}
	}
	b.w.T.Fatalf("there is nothing to press beside %s: %s", slug, list.Body)
	return nil
}

// offers fails unless the workspace has these event types, in this order, and its file matches.
func (w *world) offers(workspace string, want ...string) {
	w.T.Helper()
	p, err := w.Site.Cache.Latest(background, w.id(workspace))
	w.Must(err)
	var got []string
	for _, e := range eventtypes.Offered(p.EventTypes) {
		got = append(got, e.Slug)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		w.T.Errorf("%s offers %v, want %v", workspace, got, want)
	}
	w.Apply(w.export(workspace))
	after, err := w.Site.Cache.Latest(background, w.id(workspace))
	w.Must(err)
	if after.Config.Version != p.Config.Version {
		w.T.Errorf("applying what is exported changes something:\n%s", w.export(workspace))
	}
}

func TestEventTypes_ListSaysWhatGuestsGet(t *testing.T) {
	w := lite(t)
	p := w.ada().get(eventtypes.EventTypesPath).says(200, "Intro call", "30 minutes", "Video call",
		"https://book.example/acme/intro", "No upcoming bookings",
		"Consulting paid", "1 hour", "50.00 USD", "because payments aren't set up")
	if strings.Contains(p.Text(), "Deleted") || strings.Contains(p.Text(), "Other call") {
		t.Error(p.Text())
	}
}

func TestEventTypes_ButtonsChangeOrderAndWhatIsOffered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.ada()
		press := func(slug, do string) {
			t.Helper()
			b.press(b.get(eventtypes.EventTypesPath), slug,
				do).leads(eventtypes.EventTypesPath + "?saved=1#type-" + slug)
		}
		press("paid", "up")
		w.offers("acme", "paid", "intro")
		press("paid", "up") // it is already the first
		press("paid", "down")
		w.offers("acme", "intro", "paid")
		press("intro", "hide")
		b.get(eventtypes.EventTypesPath+"?saved=1").says(200, "Saved.", "Intro call hidden")
		if file := w.export("acme"); strings.Count(file, "hidden: true") != 1 {
			t.Error(file)
		}
		press("intro", "show")
		if file := w.export("acme"); strings.Contains(file, "hidden: true") {
			t.Error(file)
		}
		press("intro", "delete")
		w.offers("acme", "paid")
		press("paid", "delete")
		b.get(eventtypes.EventTypesPath).says(200, "No event types yet", "Deleted")
		w.offers("acme")
		press("intro", "revive")
		w.offers("acme", "intro")
	})
}

func TestEventTypes_DeletingKeepsTheBookings(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.bookType("intro", monday.Add(26*time.Hour))
		w.bookType("intro", monday.Add(28*time.Hour))
		w.Clock.Advance(27 * time.Hour)
		b := w.ada()
		list := b.get(eventtypes.EventTypesPath).says(200,
			"Its 1 upcoming booking doesn't change", "It has no upcoming bookings")
		b.press(list, "intro", "delete")
		b.get(eventtypes.EventTypesPath).says(200, "Deleted Intro call", "1 upcoming booking")
		b.get(eventtypes.EventTypePath("intro")).says(404)
	})
}

func TestEventTypes_PressedOnAnOldListChangesNothing(t *testing.T) {
	for _, do := range []string{"up", "down", "hide", "delete"} {
		w := lite(t)
		b, other := w.ada(), w.ada()
		old := b.get(eventtypes.EventTypesPath)
		other.press(other.get(eventtypes.EventTypesPath), "intro", "delete")
		before := w.export("acme")
		p := b.press(old, "intro", do).says(409, "Someone else changed the event types in the meantime",
			"Deleted")
		if w.export("acme") != before {
			t.Errorf("%s changed something", do)
		}
		b.press(p, "intro", "revive").leads(eventtypes.EventTypesPath + "?saved=1#type-intro")
		b.press(p, "intro", "revive").says(409, "in the meantime")
	}
}

func TestEventTypes_HidingWhatSomebodyJustChangedShowsTheChangeFirst(t *testing.T) {
	w := lite(t)
	b, other := w.ada(), w.ada()
	old := b.get(eventtypes.EventTypesPath)
	other.submit(eventtypes.EventTypePath("paid"), "title",
		"Dear advice").leads(eventtypes.EventTypePath("paid") + "?saved=1")
	b.press(old, "paid", "hide").says(409, "in the meantime", "Dear advice")
	b.press(old, "intro", "hide").leads(eventtypes.EventTypesPath + "?saved=1#type-intro") // nobody changed this one
	b.press(old, "paid", "up").leads(eventtypes.EventTypesPath + "?saved=1#type-paid")     // the order is unchanged
	w.offers("acme", "paid", "intro")
}

func TestEventTypes_TwoWhoOrderDoNotUndoEachOther(t *testing.T) {
	w := lite(t)
	b, other := w.ada(), w.ada()
	old := b.get(eventtypes.EventTypesPath)
	other.press(other.get(eventtypes.EventTypesPath), "paid",
		"up").leads(eventtypes.EventTypesPath + "?saved=1#type-paid")
	b.press(old, "intro", "down").leads(eventtypes.EventTypesPath + "?saved=1#type-intro") // both did the same
	p := b.press(old, "intro", "up").says(409, "in the meantime")                          // the page showed it first
	w.offers("acme", "paid", "intro")
	b.press(p, "intro", "up").leads(eventtypes.EventTypesPath + "?saved=1#type-intro")
	w.offers("acme", "intro", "paid")
}

func TestEventTypes_BringingBackAsksForWhatIsGone(t *testing.T) {
	w := lite(t)
	rare := strings.Replace(acme, "schedules:\n", "schedules:\n  rare: {weekly: {mon: [\"09:00-10:00\"]}}\n", 1)
	w.Apply(strings.Replace(rare, "title: Consulting", "title: Consulting, schedule: rare", 1))
	without, _, _ := strings.Cut(acme, "  - {slug: paid")
	w.Apply(without)
	b := w.ada()
	p := b.press(b.get(eventtypes.EventTypesPath), "paid", "revive")
	p.says(422, "New event type", "must be one of your schedules", "You used this address before")
	b.fill(p, "", "schedule", "default").leads(eventtypes.EventTypesPath + "?saved=1&revived=1#type-paid")
	w.offers("acme", "intro", "paid")
}

func TestEventTypes_AreTheirOwnersAlone(t *testing.T) {
	w := lite(t)
	before, b := w.export("acme"), w.bo()
	if p := b.get(eventtypes.EventTypesPath); strings.Contains(p.Body, "Consulting") {
		t.Error("bo sees acme's")
	}
	for _, path := range []string{eventtypes.EventTypePath("paid"), eventtypes.EventTypesPath + "/new?copy=paid"} {
		b.get(path).says(404)
	}
	typed := url.Values{"title": {"Mine"}, "duration": {"30"}, "place": {"video"}, "schedule": {"default"},
		"slug": {"paid"}, "of": {"paid"}, "seen": {"gone"}, "was": {"gone"}}
	for _, workspace := range []string{"acme", "other", ""} {
		typed.Set("workspace", workspace)
		for path, status := range map[string]int{eventtypes.EventTypePath("paid"): 404,
			eventtypes.EventTypesPath + "/preview": 404,
			eventtypes.EventTypesPath:              409} {
			for _, do := range []string{"up", "hide", "delete", "revive"} {
				typed.Set("do", do)
				if workspace != "other" {
					status = 409
				}
				b.postForm(path, typed).says(status)
			}
		}
	}
	w.stranger().get(eventtypes.EventTypesPath).leads("/login?to=%2Fsettings%2Fevent-types")
	w.stranger().postForm(eventtypes.EventTypesPath, typed).says(403)
	if w.export("acme") != before {
		t.Error("acme has changed")
	}
	w.offers("other", "intro")
}

func TestEventTypes_RefusesUnknownButtons(t *testing.T) {
	w := lite(t)
	before, b := w.export("acme"), w.ada()
	for _, do := range []string{"", "drop", "DELETE", "up,down", "<script>"} {
		b.press(b.get(eventtypes.EventTypesPath), "intro", do).says(400)
	}
	for _, slug := range []string{"", "no-such", "../paid", "<b>", strings.Repeat("a", 5000), "\x00"} {
		b.post(eventtypes.EventTypesPath, "workspace", "acme", "do", "revive", "slug", slug).says(409)
	}
	if w.export("acme") != before {
		t.Error("something changed")
	}
}

// Scripts read what they say from the page.
func TestEventTypes_ThePagesHaveTheSentencesOfTheirScripts(t *testing.T) {
	b := lite(t).ada()
	for path, attributes := range map[string][]string{
		eventtypes.EventTypesPath: {`data-copied="Copied"`},
		eventtypes.EventTypePath("intro"): {`data-failed="The preview can&#39;t be updated right now."`,
			`data-incomplete="The preview needs other values."`},
	} {
		p := b.get(path).says(200)
		for _, attribute := range attributes {
			if !strings.Contains(p.Body, attribute) {
				t.Errorf("%s lacks %s", path, attribute)
			}
		}
	}
}
