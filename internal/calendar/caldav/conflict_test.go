package caldav

import (
	"strings"
	"testing"

	"slotd/internal/calendar"
)

var (
	mine  = calendar.Place{ID: "/hidden/" + bookingName, Tag: `"1"`}
	weak  = calendar.Place{ID: mine.ID, Tag: `W/"1"`}
	other = calendar.Place{ID: mine.ID, Tag: `"2"`}
)

// holding is a calendar that refuses writes with the status and holds the entry at the place.
func holding(code int, now calendar.Place) script {
	s := office().but("PUT", answer{status: code}).but("DELETE", answer{status: code}).but("REPORT calendar-query",
		multistatus())
	if now.ID == "" {
		return s.but("PROPFIND 0", s["PROPFIND 0"][0], answer{status: 404})
	}
	return s.but("PROPFIND 0", multistatus(tagged(now.ID, now.Tag)))
}

func TestPut_NeverSaysThatAPlaceChangedWhenItDidNot(t *testing.T) {
	for _, place := range []calendar.Place{mine, weak} {
		for _, code := range []int{412, 409, 207} {
			f := newFake(t, holding(code, place))
			_, err := f.calendar().Put(t.Context(), entry("20270110T100000Z"), place)
			wantError(t, err, calendar.Unusable, "does not take the entry")
			_, err = f.calendar().Delete(t.Context(), bookingUID, place)
			wantError(t, err, calendar.Unusable, "does not take the entry")
			if f.count("PUT") > 2 || f.count("DELETE") > 2 {
				t.Errorf("%d: it asked %v", code, f.asked)
			}
		}
	}
}

func TestPut_AServerThatRefusesItsOwnWeakTag(t *testing.T) {
	f := newFake(t, holding(412, weak).but("PUT", answer{status: 412},
		answer{status: 204, header: map[string]string{"ETag": `W/"2"`}}))
	place := mustPut(t, f.calendar(), entry("20270110T100000Z"), weak)
	if place != (calendar.Place{ID: mine.ID, Tag: `W/"2"`}) {
		t.Errorf("got %v", place)
	}
	f = newFake(t, holding(412, other).but("PUT", answer{status: 412}, answer{status: 204}))
	if now, err := f.calendar().Put(t.Context(), entry("20270110T100000Z"), weak); err != calendar.ErrChanged ||
		now != other {
		t.Errorf("it is another's now, and yet: %v, %v", now, err)
	}
}

func TestPut_SaysWhereTheEntryIsNow(t *testing.T) {
	for _, code := range []int{404, 410, 412} {
		if now, err := newFake(t, holding(code, other)).calendar().Put(t.Context(), entry("20270110T100000Z"),
			mine); err != calendar.ErrChanged || now != other {
			t.Errorf("%d: got %v, %v", code, now, err)
		}
		s := holding(code, mine).but("PROPFIND 0", answer{status: 404})
		if now, err := newFake(t, s).calendar().Put(t.Context(), entry("20270110T100000Z"),
			mine); err != calendar.ErrChanged || now.ID != "" {
			t.Errorf("%d, gone: got %v, %v", code, now, err)
		}
	}
}

func TestPut_ARefusalIsAnError(t *testing.T) {
	for code, kind := range map[int]calendar.Kind{401: calendar.Refused, 403: calendar.Refused, 405: calendar.Unusable,
		412: calendar.Unusable,
		500: calendar.Unreachable, 507: calendar.Unreachable} {
		_, err := newFake(t, holding(code, calendar.Place{})).calendar().Put(t.Context(), entry("20270110T100000Z"),
			calendar.Place{})
		wantError(t, err, kind, "")
	}
}

func TestPut_AsksForTheTagThatTheServerDidNotGive(t *testing.T) {
	s := holding(201, mine)
	s.but("PROPFIND 0", office()["PROPFIND 0"][0], multistatus(tagged(mine.ID, mine.Tag)))
	f := newFake(t, s)
	if place := mustPut(t, f.calendar(), entry("20270110T100000Z"), calendar.Place{}); place != mine {
		t.Errorf("got %v", place)
	}
}

func TestWrite_WithoutTagsNothingIsReplaced(t *testing.T) {
	untagged := calendar.Place{ID: mine.ID}
	f := newFake(t, holding(204, untagged))
	_, err := f.calendar().Put(t.Context(), entry("20270110T100000Z"), untagged)
	wantError(t, err, calendar.Unusable, "ETags")
	_, err = f.calendar().Delete(t.Context(), bookingUID, untagged)
	wantError(t, err, calendar.Unusable, "ETags")
	if f.count("PUT")+f.count("DELETE") > 0 {
		t.Errorf("it asked %v", f.asked)
	}
}

func TestDelete_TrustsNoFilter(t *testing.T) {
	s := holding(204, calendar.Place{}).but("REPORT calendar-query", multistatus(
		withText("/hidden/somebody.ics", `"7"`, event("somebody", "20270110T100000Z")),
		withText("/hidden/also.ics", `"8"`, event(bookingUID+"x", "20270110T100000Z"))))
	f := newFake(t, s)
	if _, err := f.calendar().Delete(t.Context(), bookingUID, calendar.Place{}); err != nil {
		t.Fatal(err)
	}
	if f.count("DELETE") > 0 {
		t.Error("it deleted what is not ours")
	}
}

func TestDelete_WhatIsNotThereIsDone(t *testing.T) {
	for _, code := range []int{404, 410} {
		if now, err := newFake(t, holding(code, mine)).calendar().Delete(t.Context(), bookingUID, mine); err != nil ||
			now.ID != "" {
			t.Errorf("%d: got %v, %v", code, now, err)
		}
	}
	s := holding(412, mine).but("PROPFIND 0", answer{status: 404})
	if now, err := newFake(t, s).calendar().Delete(t.Context(), bookingUID, mine); err != nil || now.ID != "" {
		t.Errorf("412: got %v, %v", now, err)
	}
}

func TestWrite_APlaceOnAnotherOriginIsRefused(t *testing.T) {
	stranger := newFake(t, office())
	f := newFake(t, holding(204, mine))
	for _, id := range []string{stranger.URL + "/hidden/x.ics",
		strings.TrimPrefix(stranger.URL, "http:") + "/hidden/x.ics"} {
		_, err := f.calendar().Put(t.Context(), entry("20270110T100000Z"), calendar.Place{ID: id, Tag: `"1"`})
		wantError(t, err, calendar.Unusable, "the password does not go")
	}
	if len(stranger.asked) > 0 {
		t.Errorf("it was asked %v", stranger.asked)
	}
}
