package owner

import (
	"strings"
	"testing"

	"slotd/internal/web/owner/eventtypes"
)

// Two owners who change different fields both keep their changes: nobody undoes what they did not touch.
func TestConflict_WhatWasLeftAloneStaysTheOthers(t *testing.T) {
	for _, c := range []struct {
		path          string
		theirs, mine  []string
		told          string
		holds, hasNot string
	}{
		{eventtypes.EventTypePath("intro"), []string{"title", "<b>Theirs"}, []string{"description", "Mine"},
			"Title is now “<b>Theirs” (changed by someone else).", "title: \"<b>Theirs\"\n    description: Mine",
			"Intro call"},
		{eventtypes.EventTypePath("intro"), []string{"hidden", "on"}, []string{"title", "Mine"},
			"Hidden is now “yes” (changed by",
			"hidden: true", "Intro call"},
		{eventtypes.EventTypePath("paid"), []string{"amount", ""}, []string{"title", "Mine"}, "Price is now empty (changed by",
			"title: Mine", "price"},
		{eventtypes.EventTypePath("paid"), []string{"place", "in_person", "text", "Main St"},
			[]string{"notice", "2 hours"},
			"Location is now “In person” (changed by", "{type: in_person, text: Main St}", "nothing"},
		{"/settings/look", []string{"name", "Theirs"}, []string{"sites", "https://mine.example"},
			"Workspace name is now “Theirs” (changed by", "name: Theirs", "Acme Inc"},
		{"/settings/look", []string{"sites", "https://a.example\nhttps://b.example"}, []string{"name", "Mine"},
			"Sites allowed to embed your pages is now https://a.example, https://b.example (changed by", "https://b.example", "Acme Inc"},
		{"/settings/mail", []string{"email", "eve@acme.example"}, []string{"name", "Mine"},
			"Email is now “eve@acme.example” (changed by", "{name: Mine, email: eve@acme.example}", "ada@"},
		{usual, []string{"fri", "10:00-11:00"}, []string{"mon", "08:00-09:00"}, "Friday is now 10:00-11:00 (changed by",
			`fri: ["10:00-11:00"]`, "nothing"},
		{usual, []string{"zone", "Europe/Paris"}, []string{"mon", "08:00-09:00"}, "Time zone is now “Europe/Paris” (changed by",
			`time_zone: Europe/Paris`, "nothing"},
	} {
		w := lite(t)
		ada, eve := w.ada(), w.owner("acme", "eve@acme.example")
		mine := ada.get(c.path)
		eve.submit(c.path, c.theirs...)
		between := w.export("acme")
		p := ada.fill(mine, c.path, c.mine...).says(409, c.told, "Save again to keep both")
		if strings.Contains(p.Text(), "What they changed") || w.export("acme") != between {
			t.Errorf("%s: %s", c.path, p.Text())
		}
		if p := ada.fill(p, c.path, c.mine...); p.Status != 303 {
			t.Errorf("%s: saved again: %d %s", c.path, p.Status, p.Text())
		}
		if file := w.export("acme"); !strings.Contains(file, c.holds) || strings.Contains(file, c.hasNot) {
			t.Errorf("%s:\n%s", c.path, file)
		}
		w.appliesUnchanged("acme")
	}
}

func TestConflict_BothTypedTheSameIsNoQuestion(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	mine := ada.get(eventtypes.EventTypePath("intro"))
	w.ada().submit(eventtypes.EventTypePath("intro"), "title", "Same", "before", "10")
	p := ada.fill(mine, "", "title", "Same", "after", "5").says(409, "Buffer before is now “10”")
	if strings.Contains(p.Text(), "Title is now") {
		t.Error(p.Text())
	}
	ada.fill(ada.get(eventtypes.EventTypePath("intro")), "", "after",
		"5").leads(eventtypes.EventTypePath("intro") + "?saved=1")
	// The stored data already has all these values.
	ada.fill(mine, "", "title", "Same", "before", "10", "after",
		"5").leads(eventtypes.EventTypePath("intro") + "?saved=1")
}

// The text of a place is not taken away from an owner who chose that place.
func TestConflict_APlaceKeepsItsText(t *testing.T) {
	w := lite(t)
	w.Apply(everything)
	path, ada := eventtypes.EventTypePath("visit"), w.ada()
	mine := ada.get(path)
	w.ada().submit(path, "place", "video").leads(path + "?saved=1")
	p := ada.fill(mine, path, "place", "custom").says(409, "Location is now “Video call”.")
	if got := p.typed("text"); got != "12 Harbor Street" {
		t.Errorf("the text became %q", got)
	}
	ada.fill(p, path, "place", "custom").leads(path + "?saved=1")
}

// Whoever changes only the place is told of a text that somebody else has changed, and keeps it.
func TestConflict_ATextOfAnotherOwnerSurvivesAnotherPlace(t *testing.T) {
	w := lite(t)
	w.Apply(everything)
	path, ada := eventtypes.EventTypePath("visit"), w.ada()
	mine, both := ada.get(path), ada.get(path)
	w.ada().submit(path, "text", "7 Mill Lane").leads(path + "?saved=1")
	p := ada.fill(mine, path, "place", "custom").says(409, "7 Mill Lane")
	if got := p.typed("text"); got != "7 Mill Lane" {
		t.Errorf("the text became %q", got)
	}
	ada.fill(both, path, "place", "custom", "text", "My own").says(409, "7 Mill Lane", "My own")
	ada.fill(p, path, "place", "custom").leads(path + "?saved=1")
	if got := ada.get(path).typed("text"); got != "7 Mill Lane" {
		t.Errorf("the text was saved as %q", got)
	}
}

// A feed's address is never shown, so an empty field is one that was left alone.
func TestConflict_OfCalendars(t *testing.T) {
	w := lite(t)
	withGoogle(w)
	first, second, ada := newICSServer(t, "", ""), newICSServer(t, "", ""), w.ada()
	ada.connectFeed("Club", first)
	ada.submit("/settings/calendars/new/google", "name", "Work")
	club, work := w.calendarPath("Club"), w.calendarPath("Work")
	mine, mineWork := ada.get(club), ada.get(work)
	w.ada().submit(club, "url", second.URL+"/other.ics").leads("/settings/calendars?saved=1")
	w.ada().submit(work, "write_back", "on")
	p := ada.fill(mine, club, "stale_after", "33").says(409, "Address is now http://127.0.0.1",
		"The calendar that receives bookings is now Work (changed by", "Save again to keep both")
	if strings.Contains(p.Body, "other.ics") {
		t.Error("the page shows the address")
	}
	ada.fill(p, club, "stale_after", "33").leads("/settings/calendars?saved=1")
	if c := w.calendarNamed("acme", "Club"); c.URL != second.URL+"/other.ics" || c.StaleAfterMinutes != 33 ||
		c.WriteBack {
		t.Errorf("it became %+v", c)
	}
	p = ada.fill(mineWork, work, "stale_after", "44").says(409, "Save again to keep both")
	ada.fill(p, work, "stale_after", "44")
	if c := w.calendarNamed("acme", "Work"); !c.WriteBack || c.StaleAfterMinutes != 44 {
		t.Errorf("it became %+v", c)
	}
	mineWork = ada.get(work)
	w.ada().submit(work, "write_back", "", "stale_after", "45")
	p = ada.fill(mineWork, work, "write_back", "", "stale_after", "46").says(409, "Fallback time is now “45”.")
	ada.fill(p, work, "stale_after", "46")
	if c := w.calendarNamed("acme", "Work"); c.WriteBack || c.StaleAfterMinutes != 46 {
		t.Errorf("it became %+v", c)
	}
}
