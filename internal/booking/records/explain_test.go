package records

import (
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

func (w *world) explain(slug string, start time.Time) *Explanation {
	w.T.Helper()
	x, err := w.Explain(background, w.Actor.WorkspaceID, Question{EventType: slug, Start: start})
	w.Must(err)
	return x
}

// listed returns the open slots of the week, as the server lists them.
func (w *world) listed(slug string) []time.Time {
	w.T.Helper()
	p, err := w.Cache.Latest(background, w.Actor.WorkspaceID)
	w.Must(err)
	q, err := w.Query(p, p.EventTypeBySlug(slug), nil)
	w.Must(err)
	open, _ := slots.Open(q, slots.Span{Start: at("00:00"), End: at("+7 00:00")})
	return open
}

var inParis = when.InNamed("Europe/Paris", false)

// wantSays fails unless the rule says no, in these words.
func (x *Explanation) wantSays(t testing.TB, rule slots.Rule, words ...string) {
	t.Helper()
	for _, l := range x.Lines(inParis) {
		if l.Rule != rule {
			continue
		}
		for _, want := range words {
			if l.Yes || !strings.Contains(l.Text, want) {
				t.Errorf("%s says %v, %q; want no, %q", rule, l.Yes, l.Text, want)
			}
		}
		return
	}
	t.Errorf("no line of %s", rule)
}

// The explanation and its summary agree with the listed slots.
func TestExplain_OffersWhatIsListed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.EventType("visit").MaxPerDay = 2
		w.PutFile()
		w.MustCreate("intro", at("10:00"))
		w.MustCreate("visit", at("+1 10:00"))
		w.MustCreate("visit", at("+1 13:00"))
		for _, slug := range []string{"intro", "visit"} {
			open := w.listed(slug)
			for start := at("07:00"); start.Before(at("+2 20:00")); start = start.Add(15 * time.Minute) {
				x := w.explain(slug, start)
				listed := slices.ContainsFunc(open, start.Equal)
				if x.Offered() != listed || (x.Summary(inParis) == "Available.") != listed {
					t.Fatalf("%s at %s is listed: %v; %s %+v", slug, start, listed, x.Summary(inParis),
						x.Lines(inParis))
				}
			}
		}
	})
}

func TestExplain_NamesTheBookingButNobody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.MustCreate("visit", at("10:00")) // 11:00 in Paris, with buffers of 15 and 30 minutes
		x := w.explain("intro", at("10:30"))
		x.wantSays(t, slots.RuleBusy, b.ID.String(), "Visit", "11:00–12:00", "buffers of 15 and 30 minutes")
		w.explain("intro", at("11:00")).wantSays(t, slots.RuleBuffer, b.ID.String())
		if got := x.Summary(inParis); !strings.HasPrefix(got, "Not available because the time is taken: booking ") {
			t.Error(got)
		}
		if x.Conflicts[0].Booking.Attendee.Name != guest.Name {
			t.Errorf("the facts hold %+v", x.Conflicts[0])
		}
		for _, l := range x.Lines(inParis) {
			if strings.Contains(l.Text+l.because, "Grace") || strings.Contains(l.Text, "guest.example") ||
				strings.Contains(l.Text, "private") {
				t.Errorf("a person's data stands in %q", l.Text)
			}
		}
	})
}

func TestExplain_NamesTheCalendarAndHowOldItIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.connect()
		name := w.Config("acme").Calendars[0].Name
		w.explain("intro", at("09:00")).wantSays(t, RuleCalendars, name, "never synced")
		f.Put("club", at("09:00"), time.Hour)
		w.ReadCalendars("acme")
		w.explain("intro", at("09:30")).wantSays(t, slots.RuleBusy, "calendar “"+name+"”", "10:00–11:00")
		w.explain("visit", at("10:00")).wantSays(t, slots.RuleBuffer, "calendar “"+name+"”")
		if x := w.explain("intro", at("10:00")); !x.Offered() {
			t.Error(x.Summary(inParis))
		}
		w.Clock.Advance(worlds.StaleAfter + time.Millisecond)
		x := w.explain("intro", at("10:00"))
		x.wantSays(t, RuleCalendars, name, "last synced on Monday 1 February 2027, 09:00")
		if x.Offered() || len(x.Nearest) > 0 || !strings.Contains(x.Summary(inParis), "we don't know") {
			t.Errorf("%s %v", x.Summary(inParis), x.Nearest)
		}
	})
}

func TestExplain_KnowsWhatIsNotTheEngines(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.EventType("intro").Hidden = true
	w.EventType("visit").Price = &slotd.Price{AmountCents: 5000, Currency: "usd"}
	w.PutFile()
	w.explain("intro", at("10:00")).wantSays(t, RuleEventType, "hidden")
	w.explain("visit", at("10:00")).wantSays(t, RulePayments, "50.00 USD", "no Stripe account")
	x, err := w.Explain(background, w.Actor.WorkspaceID, Question{EventType: "visit", Start: at("10:00"), CanPay: true})
	if err != nil || !x.Offered() || len(x.Nearest) != 3 {
		t.Errorf("%v %+v", err, x)
	}
	w.File.EventTypes = w.File.EventTypes[1:]
	w.PutFile()
	if x := w.explain("intro", at("10:00")); x.Offered() ||
		x.Summary(inParis) != "Not available because the event type was deleted." {
		t.Error(x.Summary(inParis))
	}
	_, err = w.Explain(background, w.Actor.WorkspaceID, Question{EventType: "nothing"})
	wantCode(t, err, slotd.EventTypeNotFound)
	_, err = w.Explain(background, w.Actor.WorkspaceID+1, Question{EventType: "intro"})
	wantCode(t, err, slotd.WorkspaceNotFound)
}

func TestExplain_SaysUntilWhenATimeIsHeld(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.EventType("visit").Price = &slotd.Price{AmountCents: 5000, Currency: "usd"}
	w.PutFile()
	_, err := w.Hold(background, w.Actor, booking.Request{EventType: "visit", StartsAt: at("10:00"), Attendee: guest},
		"operator")
	w.Must(err)
	w.explain("intro", at("10:00")).wantSays(t, slots.RuleBusy, "held until 09:30 for a guest who is paying")
}
