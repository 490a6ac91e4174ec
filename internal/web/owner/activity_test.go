package owner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"

	"slotd/internal/identity"
	"slotd/internal/store"
	"slotd/internal/web/owner/access"
	"slotd/internal/web/owner/page"
)

func (w *world) note(slug string, by slotd.Actor, kind, detail string, at time.Time) {
	w.T.Helper()
	w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		return identity.RecordActivity(ctx, tx, w.id(slug), by, kind, detail, at)
	}))
}

func TestActivity_PagesHoldEachLineOnceTheNewestFirst(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.ada()
		w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			for i := range 120 { // several at each instant
				if err := identity.RecordActivity(ctx, tx, w.id("acme"), slotd.Operator, "test",
					fmt.Sprintf("line-%03d-", i), monday.Add(time.Duration(i/7)*time.Second)); err != nil {
					return err
				}
			}
			return nil
		}))
		var seen []string
		moment := -1
		pages := 0
		for path := "/settings/activity"; path != ""; pages++ {
			p := ada.get(path).says(200)
			for _, part := range strings.Split(p.Text(), "line-")[1:] {
				var n int
				fmt.Sscanf(part, "%03d-", &n)
				if moment >= 0 && n/7 > moment {
					t.Fatalf("%d comes after what is older", n)
				}
				moment = n / 7
				seen = append(seen, part[:3])
			}
			path = older(p)
			if path != "" {
				// does not shift the pages
				w.note("acme", slotd.Operator, "test", "meanwhile", monday.Add(time.Hour))
			}
		}
		slices.Sort(seen)
		if len(slices.Compact(seen)) != 120 || len(seen) != 120 || pages != 3 {
			t.Errorf("%d lines, %d pages", len(seen), pages)
		}
	})
}

func older(p *response) string {
	_, rest, found := strings.Cut(p.Body, `href="/settings/activity?before=`)
	if !found {
		return ""
	}
	cursor, _, _ := strings.Cut(rest, `"`)
	return "/settings/activity?before=" + cursor
}

func TestActivity_SaysWhoAndWhatInWords(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	_, token, err := w.Tokens.Create(background, w.id("acme"), "lap<top>", slotd.Operator)
	w.Must(err)
	w.note("acme", slotd.Actor{Kind: slotd.TokenActor, ID: token.ID, Address: "192.0.2.9"}, "booking.created",
		"01a1e0e5-4c40-7e16-9ba1-be73c8bcf857", monday)
	_, err = w.Tokens.Revoke(background, w.id("acme"), token.ID, slotd.Operator)
	w.Must(err)
	w.note("acme", slotd.Actor{Kind: slotd.TokenActor, ID: "tok_of_nobody"}, "a.kind.of.tomorrow", "a\nb\nc\n<b>d</b>", monday)
	w.note("acme", slotd.NewUserActor(1, ""), "signed.in", "", monday)
	w.note("acme", slotd.Actor{Kind: slotd.ConsentActor, Address: "192.0.2.8"}, "calendar.agreed", "cl<u>b",
		monday)
	w.note("acme", slotd.Actor{Kind: "<script>"}, "workspace.changed", "", monday)
	p := ada.get("/settings/activity").says(200, "Token lap<top> created a booking …be73c8bcf857", "from 192.0.2.9",
		"The operator revoked a token", "from the command line",
		"token:tok_of_nobody a.kind.of.tomorrow 4 details", "<b>d</b>", "user:1 signed in",
		"ada@acme.example became an owner", "<script> changed the settings", "Times are in UTC",
		"Someone with the calendar's link gave access to a calendar", "cl<u>b", "from 192.0.2.8")
	if strings.Contains(p.Body, "<script>changed") || strings.Contains(p.Body, "<b>d") ||
		!strings.Contains(p.Body, `href="/settings/bookings/01a1e0e5-4c40-7e16-9ba1-be73c8bcf857"`) {
		t.Error(p.Body)
	}
}

func TestActivity_AStrangeCursorIsTheFirstPage(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, before := range []string{"", "x", "1", ".", "1.", ".1", "1.2.3", "99999999999999999999.1", "%00.1", "1e3.2",
		"' OR 1=1"} {
		ada.get("/settings/activity?before="+page.Escape(before)).says(200, "became an owner")
	}
	ada.get("/settings/activity?before=1.1").says(200, "No older activity")
	ada.get("/settings/activity?before=-5.-5").says(200, "No older activity")
	ada.post("/settings/activity", "workspace", "acme").says(405)
}

func TestActivity_IsOfOneWorkspaceAlone(t *testing.T) {
	w := lite(t)
	bo := w.bo()
	w.note("acme", slotd.Operator, "test", "acme's own", monday)
	token, made, err := w.Tokens.Create(background, w.id("acme"), "acmes-token", slotd.Operator)
	w.Must(err)
	w.note("other", slotd.Actor{Kind: slotd.TokenActor, ID: made.ID}, "test", "", monday)
	p := bo.get("/settings/activity").says(200, "token:"+made.ID+" test")
	if strings.Contains(p.Body, "acme&#39;s own") || strings.Contains(p.Body, "acmes-token") ||
		strings.Contains(p.Body, token) {
		t.Error(p.Text())
	}
}

func TestActivity_EveryKindThatIsNotedHasWords(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for kind := range access.ActivityWords {
		w.note("acme", slotd.Operator, kind, "", monday)
	}
	p := ada.get("/settings/activity").says(200)
	for kind := range access.ActivityWords {
		if strings.Contains(p.Text(), kind) {
			t.Errorf("%s is shown as it is", kind)
		}
	}
}
