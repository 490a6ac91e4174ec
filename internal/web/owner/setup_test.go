package owner

import (
	"strings"
	"testing"

	"slotd/internal/testdb"
)

func TestSetup_EndsOnTheLivePage(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		w := newWorld(t, target)
		link, err := w.Owners.FirstLink(background)
		w.must(err)
		b := w.stranger()
		b.submit(link, "name", "Ada Park", "email", "Ada@Acme.Example", "password", "correct horse battery").leads("/setup/workspace")
		b.get("/setup").leads("/setup/workspace")
		b.submit("/setup/workspace", "name", "Acme & Sons", "slug", "", "zone", "berlin").leads("/setup/hours")
		b.get("/setup").leads("/setup/hours")
		b.submit("/setup/hours", "tue", "", "mon_from", "10:00").leads("/setup/event-type")
		b.submit("/setup/event-type", "title", "First call", "duration", "45", "place", "phone").leads("/acme-sons")
		b.get("/setup").leads("/settings")
		file := w.export("acme-sons")
		for _, want := range []string{"Europe/Berlin", `mon: ["10:00-17:00"]`, "title: First call", "duration_minutes: 45", "{type: phone, ask: true}", "email: ada@acme.example"} {
			if !strings.Contains(file, want) {
				t.Errorf("no %q in\n%s", want, file)
			}
		}
		if strings.Contains(file, "tue:") {
			t.Errorf("Tuesday stayed open:\n%s", file)
		}
		w.stranger().get(link).says(403, "used already")
	})
}
