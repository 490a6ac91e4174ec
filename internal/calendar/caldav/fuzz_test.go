package caldav

import (
	"strings"
	"testing"
)

func FuzzMultistatus(f *testing.F) {
	for _, answers := range synced() {
		f.Add(answers[0].body)
	}
	f.Add(multistatus(status("/hidden/", 507), "<D:sync-token>t</D:sync-token>").body)
	f.Add(`<!DOCTYPE a><multistatus xmlns="DAV:"/>`)
	f.Fuzz(func(t *testing.T, body string) {
		whole := strings.Contains(body, "multistatus")
		_, err := readMultistatus(strings.NewReader(body), func(r *response) error {
			p := r.properties()
			_, _, _ = r.isFailed(), p.isWritable(), p.isForeign(r.Href)
			return nil
		})
		if err == nil && !whole {
			t.Errorf("%q was taken for an answer", body)
		}
	})
}
