package records

import (
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/store/testdb"
)

// bookAs books a slot with the given name and address.
func (w *world) bookAs(start time.Time, name, email string) *slotd.Booking {
	w.T.Helper()
	b, err := w.Create(background, w.Actor,
		booking.Request{EventType: "intro", StartsAt: start,
			Attendee: slotd.Attendee{Name: name, Email: email, TimeZone: "UTC"}})
	w.Must(err)
	return b
}

// listedBy returns the ids on all pages of a list.
func (w *world) listedBy(f Filter, limit int) (ids []string) {
	w.T.Helper()
	for after := (Cursor{}); ; {
		page, next, err := w.List(background, w.Actor.WorkspaceID, f, after, limit)
		w.Must(err)
		if len(page) > limit {
			w.T.Fatalf("%d on a page of %d", len(page), limit)
		}
		for _, b := range page {
			ids = append(ids, b.ID.String())
		}
		if next == (Cursor{}) {
			return ids
		}
		if after = ParseCursor(next.String()); after != next {
			w.T.Fatalf("%v came back as %v", next, after)
		}
	}
}

func idsOf(list ...*slotd.Booking) (ids []string) {
	for _, b := range list {
		ids = append(ids, b.ID.String())
	}
	return ids
}

func TestList_EachBookingIsOnOneListInItsOrderWhateverThePageHolds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.addLesson()
		gone, late := w.MustCreate("intro", at("08:30")), w.MustCreate("intro", at("09:00"))
		running, next, last := w.MustCreate("intro", at("10:00")), w.MustCreate("intro", at("11:00")),
			w.MustCreate("intro", at("+2 09:00"))
		_, err := w.Cancel(background, w.Actor, gone.ID, "")
		w.Must(err)
		w.MustHold("lesson", at("+3 09:00")) // on no list
		w.Clock.Set(at("10:10"))
		for _, c := range []struct {
			stage Stage
			want  []string
		}{
			{Upcoming, idsOf(running, next, last)}, {Past, idsOf(late)}, {Canceled, idsOf(gone)},
			{All, idsOf(last, next, running, late, gone)},
		} {
			for limit := 1; limit <= 6; limit++ {
				if got := w.listedBy(Filter{Stage: c.stage}, limit); !slices.Equal(got, c.want) {
					t.Errorf("%s, %d a page: %v, want %v", c.stage, limit, got, c.want)
				}
			}
		}
		if got := w.listedBy(Filter{Stage: Upcoming, From: at("+1 00:00")}, 10); !slices.Equal(got, idsOf(last)) {
			t.Errorf("from the next day on: %v", got)
		}
	})
}

func TestList_SearchTakesEveryCharacterForItself(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		percent := w.bookAs(at("09:00"), "100% Grace", "grace@guest.example")
		under := w.bookAs(at("10:00"), `back\slash_er`, "Ann_A@guest.example")
		plain := w.bookAs(at("11:00"), "Zoë O'Neil", "zoe@other.example")
		all := idsOf(percent, under, plain)
		for search, want := range map[string][]string{
			"": all, "GUEST.example": idsOf(percent, under), "%": idsOf(percent), "100%": idsOf(percent),
			"_": idsOf(under), `\`: idsOf(under), `\s`: idsOf(under),
			"ann_a": idsOf(under), "annxa": nil, "zoë": idsOf(plain), "o'neil": idsOf(plain), "INTRO": all,
			"nobody": nil, "'; DROP TABLE bookings; --": nil,
			plain.ID.String(): idsOf(plain), strings.ToUpper(plain.ID.String()): idsOf(plain),
			"grace\x00": idsOf(percent), "\xff": all, " grace@guest.example ": idsOf(percent),
			strings.Repeat("x", 10_000): nil, strings.Repeat("%", 200): nil, "example intro": nil,
		} {
			if got := w.listedBy(Filter{Stage: Upcoming, Search: search}, 2); !slices.Equal(got, want) {
				t.Errorf("%.40q: %v, want %v", search, got, want)
			}
		}
	})
}

func TestList_SearchKnowsTheCaseOfAllLetters(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		oz := w.bookAs(at("09:00"), "Gül Öz", "gul@guest.example")
		greek := w.bookAs(at("10:00"), "ΑΘΗΝΑ", "athena@guest.example")
		czech := w.bookAs(at("11:00"), "šárka 日本", "sarka@guest.example")
		for search, want := range map[string][]string{
			"öz": idsOf(oz), "ÖZ": idsOf(oz), "gÜl": idsOf(oz), "oz": nil, "αθη": idsOf(greek), "ŠÁR": idsOf(czech),
			"日本": idsOf(czech), "sar": idsOf(czech), "GUL@": idsOf(oz),
		} {
			if got := w.listedBy(Filter{Stage: Upcoming, Search: search}, 2); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", search, got, want)
			}
		}
	})
}

func TestCursor_WhatIsNoneIsTheBeginning(t *testing.T) {
	for _, text := range []string{"", ".", "1", "1.", ".x", "1.x", "x.018f0000-0000-7000-8000-000000000000",
		"1.{018f0000-0000-7000-8000-000000000000}",
		"99999999999999999999.018f0000-0000-7000-8000-000000000000", "1\x00.y"} {
		if c := ParseCursor(text); c != (Cursor{}) {
			t.Errorf("%q: %v", text, c)
		}
	}
}

func TestList_StaysInsideItsWorkspace(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.MustCreate("intro", at("09:00"))
	for _, stage := range Stages {
		page, _, err := w.List(background, w.Actor.WorkspaceID+1, Filter{Stage: stage}, Cursor{}, 10)
		if err != nil || len(page) != 0 {
			t.Errorf("%s: %v, %v", stage, page, err)
		}
	}
}

func TestBetween_HasWhatTakesTimeThen(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	first, second := w.MustCreate("intro", at("09:00")), w.MustCreate("visit", at("11:00"))
	gone := w.MustCreate("intro", at("14:00"))
	_, err := w.Cancel(background, w.Actor, gone.ID, "")
	w.Must(err)
	for span, want := range map[[2]string][]string{
		{"00:00", "23:59"}: idsOf(first, second), {"09:29", "11:00"}: idsOf(first), {"09:30", "11:00"}: nil,
		{"11:30", "11:31"}: idsOf(second), {"12:00", "18:00"}: nil,
	} {
		found, err := w.Between(background, w.Actor.WorkspaceID, at(span[0]), at(span[1]))
		if got := idsOf(found...); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v, %v, want %v", span, got, err, want)
		}
	}
}

func TestList_HasRoomForEveryState(t *testing.T) {
	on := map[slotd.State]bool{}
	for _, stage := range Stages {
		names := stage.stateNames()
		if len(slotd.States) > len(names) {
			t.Fatalf("the queries of lists take %d states, and there are %d", len(names), len(slotd.States))
		}
		for _, name := range names {
			on[slotd.State(name)] = true
		}
	}
	for _, info := range slotd.States {
		if on[info.State] != info.Visible {
			t.Errorf("%s is on a list: %v", info.State, on[info.State])
		}
	}
}
