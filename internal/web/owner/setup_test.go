package owner

import (
	"strings"
	"testing"

	"slotd"

	"slotd/test/worlds"
)

func TestSetup_EndsOnTheLivePage(t *testing.T) {
	eachEmpty(t, func(t *testing.T, w *world) {
		link, err := w.Owners.SetupLink(background)
		w.Must(err)
		b := w.stranger()
		b.submit(link, "name", "Ada Park", "email", "Ada@Acme.Example", "password",
			"correct horse battery").leads("/setup/workspace")
		b.get("/setup").leads("/setup/workspace")
		b.submit("/setup/workspace", "name", "Acme & Sons", "slug", "", "zone", "berlin").leads("/setup/hours")
		b.get("/setup").leads("/setup/hours")
		b.submit("/setup/hours", "tue", "", "mon_from", "10:00").leads("/setup/event-type")
		b.submit("/setup/event-type", "title", "First call", "duration", "45", "place", "phone").leads("/acme-sons")
		b.get("/setup").leads("/settings")
		file := w.export("acme-sons")
		for _, want := range []string{"Europe/Berlin", `mon: ["10:00-17:00"]`, "title: First call",
			"duration_minutes: 45", "{type: phone, ask: true}", "email: ada@acme.example"} {
			if !strings.Contains(file, want) {
				t.Errorf("no %q in\n%s", want, file)
			}
		}
		if strings.Contains(file, "tue:") {
			t.Errorf("Tuesday stayed open:\n%s", file)
		}
		w.stranger().get(link).says(403, "already used")
	})
}

// The screens of the setup know less than the settings. If they were sent from an old window, they would overwrite what
// was set since.
func TestSetup_ChangesNothingThatIsSetUp(t *testing.T) {
	w := lite(t)
	ada, before := w.ada(), w.export("acme")
	ada.get("/setup").leads("/settings")
	ada.get("/setup/hours").leads("/settings/hours")
	ada.get("/setup/event-type").leads("/settings/event-types")
	ada.post("/setup/hours", "workspace", "acme", "mon", "on", "mon_from", "10:00", "mon_until",
		"11:00").leads("/settings/hours")
	ada.post("/setup/event-type", "workspace", "acme", "title", "Intro", "duration", "15", "place",
		"video").leads("/acme")
	if after := w.export("acme"); after != before {
		t.Errorf("it became\n%s", after)
	}
}

func TestSetup_SentTwiceIsDoneOnce(t *testing.T) {
	w := newWorld(worlds.OnSQLite(t))
	link, err := w.Owners.SetupLink(background)
	w.Must(err)
	b := w.stranger()
	b.submit(link, "name", "Ada Park", "email", "ada@acme.example", "password",
		"correct horse battery").leads("/setup/workspace")
	page := b.get("/setup/workspace")
	for range 2 {
		b.fill(page, "/setup/workspace", "name", "Acme", "slug", "acme", "zone", "UTC").leads("/setup/hours")
	}
	page = b.get("/setup/hours")
	for range 2 {
		b.fill(page, "/setup/hours", "mon_from", "10:00").leads("/setup/event-type")
	}
	b.fill(page, "/setup/hours", "mon_from", "11:00").says(409, "Someone else changed this in the meantime")
	page = b.get("/setup/event-type")
	for range 2 {
		b.fill(page, "/setup/event-type", "title", "First call").leads("/acme")
	}
	if file := w.export("acme"); strings.Count(file, "slug: first-call") != 1 ||
		!strings.Contains(file, `mon: ["10:00-17:00"]`) {
		t.Error(file)
	}
}

// Owners who lose the workspace that their session shows are offered their others. Those who have none left are
// strangers again.
func TestSetup_OfThoseWhoWereRemoved(t *testing.T) {
	w := lite(t)
	carl := w.owner("other", "carl@acme.example")
	w.owner("acme", "carl@acme.example")
	user, err := w.DB.Read().UserByEmail(background, "carl@acme.example")
	w.Must(err)
	w.bo()
	w.Must(w.Owners.RemoveMember(background, w.id("other"), user.ID, slotd.Operator))
	carl.get("/settings/bookings").leads("/setup")
	carl.get("/setup").leads("/settings/workspaces")
	carl.submit("/settings/workspaces", "to", "acme").leads("/settings")
	w.ada()
	w.Must(w.Owners.RemoveMember(background, w.id("acme"), user.ID, slotd.Operator))
	carl.get("/setup").leads("/setup/workspace")
	carl.get("/setup/workspace").says(403, "can invite you")
	carl.post("/setup/workspace", "name", "Carl", "slug", "carl", "zone", "UTC").says(403, "can invite you")
	w.Owners.OpenSignUp = true
	carl.submit("/setup/workspace", "name", "Carl", "slug", "carl", "zone", "UTC").leads("/setup/hours")
}
