package booking

import (
	"fmt"
	"slices"
	"testing"

	"slotd"
)

// The activity records each action of the host's side once, and no action of guests or of the payment service.
func TestActivity_RecordsWhatTheHostsSideDid(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, recorded := range map[string]bool{"user:7": true, "token:tok_1": true, "operator": true,
			"page": false, "attendee": false, "payments": false, "users:7": false} {
			_, err := w.Raw.Exec("DELETE FROM activity")
			w.Must(err)
			w.actor.Actor = slotd.ParseActor(name)
			w.actor.Address = "192.0.2.7"
			b := w.mustCreate("intro", at("09:00"))
			w.mustMove(b, at("10:00"))
			w.mustMove(b, at("10:00"))
			for range 2 {
				_, err = w.Cancel(background, w.actor, b.ID, "")
				w.Must(err)
			}
			var want []string
			if recorded {
				for _, kind := range []string{"canceled", "created", "rescheduled"} {
					want = append(want, fmt.Sprintf("booking.%s %s %s 192.0.2.7", kind, b.ID, name))
				}
			}
			got := w.Texts("SELECT kind || ' ' || detail || ' ' || actor || ' ' || address FROM activity ORDER BY kind")
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	})
}
