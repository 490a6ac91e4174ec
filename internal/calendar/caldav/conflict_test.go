package caldav

import (
	"strings"
	"testing"

	"slotd/internal/calendar"
)

var (
	mine  = calendar.EntryRef{ID: "/hidden/" + bookingName, Tag: `"1"`}
	weak  = calendar.EntryRef{ID: mine.ID, Tag: `W/"1"`}
	other = calendar.EntryRef{ID: mine.ID, Tag: `"2"`}
)

// rejecting is a calendar that rejects writes with the status and has the entry with the reference.
func rejecting(code int, ref calendar.EntryRef) script {
	s := office().with("PUT", answer{status: code}).with("DELETE", answer{status: code}).with("REPORT calendar-query",
		multistatus())
	if ref.ID == "" {
		return s.with("PROPFIND 0", s["PROPFIND 0"][0], answer{status: 404})
	}
	return s.with("PROPFIND 0", multistatus(tagged(ref.ID, ref.Tag)))
}

func TestPut_NeverSaysThatAReferenceChangedWhenItDidNot(t *testing.T) {
	for _, ref := range []calendar.EntryRef{mine, weak} {
		for _, code := range []int{412, 409, 207} {
			f := newFake(t, rejecting(code, ref))
			_, err := f.calendar().Put(t.Context(), entry("20270110T100000Z"), ref)
			wantError(t, err, calendar.Unusable, "doesn't accept the entry")
			_, err = f.calendar().Delete(t.Context(), bookingUID, ref)
			wantError(t, err, calendar.Unusable, "doesn't accept the entry")
			if f.count("PUT") > 2 || f.count("DELETE") > 2 {
				t.Errorf("%d: it asked %v", code, f.requests)
			}
		}
	}
}

func TestPut_AServerThatRefusesItsOwnWeakTag(t *testing.T) {
	f := newFake(t, rejecting(412, weak).with("PUT", answer{status: 412},
		answer{status: 204, header: map[string]string{"ETag": `W/"2"`}}))
	ref := mustPut(t, f.calendar(), entry("20270110T100000Z"), weak)
	if ref != (calendar.EntryRef{ID: mine.ID, Tag: `W/"2"`}) {
		t.Errorf("got %v", ref)
	}
	f = newFake(t, rejecting(412, other).with("PUT", answer{status: 412}, answer{status: 204}))
	if current, err := f.calendar().Put(t.Context(), entry("20270110T100000Z"), weak); err != calendar.ErrChanged ||
		current != other {
		t.Errorf("it is another's now, and yet: %v, %v", current, err)
	}
}

func TestPut_SaysWhereTheEntryIsNow(t *testing.T) {
	for _, code := range []int{404, 410, 412} {
		if current, err := newFake(t, rejecting(code, other)).calendar().Put(t.Context(), entry("20270110T100000Z"),
			mine); err != calendar.ErrChanged || current != other {
			t.Errorf("%d: got %v, %v", code, current, err)
		}
		s := rejecting(code, mine).with("PROPFIND 0", answer{status: 404})
		if current, err := newFake(t, s).calendar().Put(t.Context(), entry("20270110T100000Z"),
			mine); err != calendar.ErrChanged || current.ID != "" {
			t.Errorf("%d, gone: got %v, %v", code, current, err)
		}
	}
}

func TestPut_ARefusalIsAnError(t *testing.T) {
	for code, kind := range map[int]calendar.Kind{401: calendar.Refused, 403: calendar.Refused, 405: calendar.Unusable,
		412: calendar.Unusable,
		500: calendar.Unreachable, 507: calendar.Unreachable} {
		_, err := newFake(t, rejecting(code, calendar.EntryRef{})).calendar().Put(t.Context(),
			entry("20270110T100000Z"),
			calendar.EntryRef{})
		wantError(t, err, kind, "")
	}
}

func TestPut_AsksForTheTagThatTheServerDidNotGive(t *testing.T) {
	s := rejecting(201, mine)
	s.with("PROPFIND 0", office()["PROPFIND 0"][0], multistatus(tagged(mine.ID, mine.Tag)))
	f := newFake(t, s)
	if ref := mustPut(t, f.calendar(), entry("20270110T100000Z"), calendar.EntryRef{}); ref != mine {
		t.Errorf("got %v", ref)
	}
}

func TestWrite_WithoutTagsNothingIsReplaced(t *testing.T) {
	untagged := calendar.EntryRef{ID: mine.ID}
	f := newFake(t, rejecting(204, untagged))
	_, err := f.calendar().Put(t.Context(), entry("20270110T100000Z"), untagged)
	wantError(t, err, calendar.Unusable, "ETags")
	_, err = f.calendar().Delete(t.Context(), bookingUID, untagged)
	wantError(t, err, calendar.Unusable, "ETags")
	if f.count("PUT")+f.count("DELETE") > 0 {
		t.Errorf("it asked %v", f.requests)
	}
}

func TestDelete_TrustsNoFilter(t *testing.T) {
	s := rejecting(204, calendar.EntryRef{}).with("REPORT calendar-query", multistatus(
		withText("/hidden/somebody.ics", `"7"`, event("somebody", "20270110T100000Z")),
		withText("/hidden/also.ics", `"8"`, event(bookingUID+"x", "20270110T100000Z"))))
	f := newFake(t, s)
	if _, err := f.calendar().Delete(t.Context(), bookingUID, calendar.EntryRef{}); err != nil {
		t.Fatal(err)
	}
	if f.count("DELETE") > 0 {
		t.Error("it deleted what is not ours")
	}
}

func TestDelete_WhatIsNotThereIsDone(t *testing.T) {
	for _, code := range []int{404, 410} {
		if current, err := newFake(t, rejecting(code, mine)).calendar().Delete(t.Context(), bookingUID,
			mine); err != nil ||
			current.ID != "" {
			t.Errorf("%d: got %v, %v", code, current, err)
		}
	}
	s := rejecting(412, mine).with("PROPFIND 0", answer{status: 404})
	if current, err := newFake(t, s).calendar().Delete(t.Context(), bookingUID, mine); err != nil || current.ID != "" {
		t.Errorf("412: got %v, %v", current, err)
	}
}

func TestWrite_AReferenceToAnotherOriginIsRefused(t *testing.T) {
	stranger := newFake(t, office())
	f := newFake(t, rejecting(204, mine))
	for _, id := range []string{stranger.URL + "/hidden/x.ics",
		strings.TrimPrefix(stranger.URL, "http:") + "/hidden/x.ics"} {
		_, err := f.calendar().Put(t.Context(), entry("20270110T100000Z"), calendar.EntryRef{ID: id, Tag: `"1"`})
		wantError(t, err, calendar.Unusable, "the password is only sent to")
	}
	if len(stranger.requests) > 0 {
		t.Errorf("it was asked %v", stranger.requests)
	}
}
