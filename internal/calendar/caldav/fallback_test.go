package caldav

import (
	"fmt"
	"net/http"
	"testing"

	"slotd/internal/calendar"
)

func (f *fake) follow(t *testing.T) *follower {
	t.Helper()
	return follow(f.calendar())
}

func TestChanges_WithoutSyncCollectionCompareTags(t *testing.T) {
	one, two := event("one", "20270110T100000Z"), event("two", "20270110T120000Z")
	s := office().with("PROPFIND 0",
		multistatus(resource("/hidden/", isCalendar+"<CS:getctag>1</CS:getctag>")),
		multistatus(resource("/hidden/", isCalendar+"<CS:getctag>1</CS:getctag>")),
		multistatus(resource("/hidden/", isCalendar+"<CS:getctag>2</CS:getctag>")))
	s.with("PROPFIND 1",
		multistatus(tagged("/hidden/one.ics", `"1"`), tagged("/hidden/two.ics", `W/"1"`)),
		multistatus(tagged("/hidden/one.ics", `"1"`), tagged("/hidden/three.ics", `"1"`)))
	s.with("REPORT calendar-multiget",
		multistatus(withText("/hidden/one.ics", `"1"`, one), withText("/hidden/two.ics", `W/"1"`, two)),
		multistatus(withText("/hidden/three.ics", `"1"`, two)))
	f := newFake(t, s)
	reads := f.follow(t)
	reads.want(t, "one.ics 1000", "two.ics 1200")
	reads.want(t, "one.ics 1000", "two.ics 1200")
	if n := f.count("PROPFIND 1"); n != 1 {
		t.Errorf("an unchanged calendar was listed %d times", n)
	}
	got := reads.read(t)
	if got.Complete || len(got.Items) != 1 || len(got.Gone) != 1 || reads.starts() != "one.ics 1000, three.ics 1200" {
		t.Errorf("got %+v", got)
	}
}

func TestChanges_ARefusedSyncTokenIsAWholeRead(t *testing.T) {
	for _, code := range []int{400, 403, 404, 409, 410, 412, 500, 507} {
		s := synced()
		good := s["REPORT sync-collection"][0]
		f := newFake(t, s.with("REPORT sync-collection", good, answer{status: code}, good))
		reads := f.follow(t)
		reads.read(t)
		if got := reads.read(t); !got.Complete || reads.starts() != "one.ics 1000" {
			t.Errorf("%d: got %+v", code, got)
		}
	}
}

func TestChanges_ATroubledServerIsNoRefusedToken(t *testing.T) {
	for _, code := range []int{401, 429, 503} {
		s := synced()
		f := newFake(t, s.with("REPORT sync-collection", s["REPORT sync-collection"][0], answer{status: code}))
		reads := f.follow(t)
		reads.read(t)
		if _, err := reads.calendar.Changes(t.Context(), reads.cursor, nil); statusOf(err) != code {
			t.Errorf("%d: got %v", code, err)
		}
	}
}

func TestChanges_GoOnWhereTheServerCutItsAnswer(t *testing.T) {
	s := synced().with("REPORT sync-collection",
		multistatus(tagged("/hidden/one.ics", `"1"`), tagged("/hidden/two.ics", `"1"`), status("/hidden/", 507),
			"<D:sync-token>t1</D:sync-token>"),
		multistatus(tagged("/hidden/three.ics", `"1"`), status("/hidden/two.ics", 404),
			"<D:sync-token>t2</D:sync-token>"))
	f := newFake(t, s.with("REPORT calendar-multiget", answer{status: 501}))
	reads := f.follow(t)
	reads.want(t, "one.ics 1000", "three.ics 1000")
	if got := parseCursor(reads.cursor).Calendars["/hidden/"].Sync; got != "t2" {
		t.Errorf("the cursor is at %q", got)
	}
}

func TestChanges_AnEndlessSyncEnds(t *testing.T) {
	f := newFake(t, synced().with("REPORT sync-collection",
		multistatus(tagged("/hidden/one.ics", `"1"`), status("/hidden/", 507), "<D:sync-token>t1</D:sync-token>")))
	_, err := f.read(t)
	wantError(t, err, calendar.Unusable, "keeps listing the same part")

	n := 0
	f = newFake(t, synced().with("REPORT sync-collection", answer{do: func(w http.ResponseWriter, r *http.Request) {
		n++ // a new token each time, and the same items
		page := ""
		for i := range 999 {
			page += tagged(fmt.Sprintf("/hidden/%d.ics", i), `"1"`)
		}
		multistatus(page, status("/hidden/", 507), fmt.Sprintf("<D:sync-token>t%d</D:sync-token>", n)).write(w, r)
	}}))
	_, err = f.read(t)
	wantError(t, err, calendar.Unusable, "more than 20,000")
}

func TestChanges_ASyncThatDoesNotWorkIsDoneWithTags(t *testing.T) {
	for name, answer := range map[string]answer{"501": {status: 501},
		"no token": multistatus(tagged("/hidden/one.ics", `"1"`))} {
		f := newFake(t, synced().with("REPORT sync-collection", answer))
		f.follow(t).want(t, "one.ics 1000")
		if f.count("PROPFIND 1") != 1 {
			t.Errorf("%s: it was not listed", name)
		}
	}
}

func TestChanges_WhatABatchLacksIsFetchedAlone(t *testing.T) {
	for name, answer := range map[string]answer{
		"not implemented": {status: 501},
		"bad request":     {status: 400},
		"empty":           multistatus(),
		"damaged":         {status: 207, body: "<multistatus xmlns='DAV:'>\x01"},
		"cut":             truncated(office()["REPORT calendar-multiget"][0]),
		"without text":    multistatus(tagged("/hidden/one.ics", `"1"`)),
		"item in trouble": multistatus(status("/hidden/one.ics", 500)),
	} {
		f := newFake(t, office().with("REPORT calendar-multiget", answer))
		f.follow(t).want(t, "one.ics 1000")
		if f.count("GET") != 1 {
			t.Errorf("%s: it was not fetched alone", name)
		}
	}
}

func TestChanges_AnItemThatVanishedMeanwhileIsGone(t *testing.T) {
	f := newFake(t, office().with("REPORT calendar-multiget", multistatus(status("/hidden/one.ics", 404))))
	f.follow(t).want(t)
	f = newFake(t, office().with("REPORT calendar-multiget", answer{status: 501}).with("GET", answer{status: 404}))
	f.follow(t).want(t)
}

func TestChanges_AnItemThatCannotBeReadIsAnErrorWithItsName(t *testing.T) {
	for _, text := range []string{"", "<html>", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n"} {
		_, err := newFake(t, office().with("REPORT calendar-multiget",
			multistatus(withText("/hidden/one.ics", "", text)))).read(t)
		wantError(t, err, calendar.Unusable, `"one.ics" on `)
		_, err = newFake(t, office().with("REPORT calendar-multiget").with("GET",
			answer{status: 200, body: text})).read(t)
		wantError(t, err, calendar.Unusable, `"one.ics" on `)
	}
	for _, a := range []answer{{status: 401}, {status: 403}, {status: 500},
		truncated(answer{status: 200, body: "BEGIN:VCALENDAR"})} {
		if _, err := newFake(t, office().with("REPORT calendar-multiget").with("GET", a)).read(t); err == nil {
			t.Errorf("%+v was taken for free time", a)
		}
	}
}

func TestChanges_PassOverWhatIsNoEvent(t *testing.T) {
	folded := "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nEND:VTODO\r\nBEGIN:VEV\r\n " +
		"ENT\r\nUID:b\r\nDTSTART:20270110T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	f := newFake(t, office().with("PROPFIND 1", multistatus(
		resource("/hidden/", isCalendar),
		resource("/hidden/sub/", "<D:resourcetype><D:collection/></D:resourcetype>"),
		resource("/hidden/photo.png", "<D:getcontenttype>image/png</D:getcontenttype>"),
		resource("/hidden/one.ics", "<D:getcontenttype>application/octet-stream</D:getcontenttype>"),
		tagged("/hidden/task.ics", `"1"`), tagged("/hidden/both.ics", `"1"`)),
	).with("REPORT calendar-multiget", multistatus(
		withText("/hidden/one.ics", "", event("one", "20270110T100000Z")),
		withText("/hidden/task.ics", "", component("VTODO", "task", "20270110T100000Z")),
		withText("/hidden/both.ics", "", folded))))
	f.follow(t).want(t, "one.ics 1000", "both.ics 1000")
}

func TestChanges_ACalendarThatBecameAnAccountIsAnError(t *testing.T) {
	s := synced()
	f := newFake(t, s.with("REPORT sync-collection", s["REPORT sync-collection"][0], answer{status: 403}))
	reads := f.follow(t)
	reads.read(t)
	f.script.with("PROPFIND 0", multistatus(resource("/hidden/",
		`<C:calendar-home-set><D:href>/home/</D:href></C:calendar-home-set>`)))
	f.script.with("PROPFIND 1", multistatus(resource("/home/other/", isCalendar)))
	_, err := reads.calendar.Changes(t.Context(), reads.cursor, nil)
	wantError(t, err, calendar.Unusable, "no longer that of a calendar")
}

// Only one of two calendars has changed; the items of the other stay.
func TestChanges_TheCalendarsOfAnAccountAreComparedApart(t *testing.T) {
	at := func(name, ctag string) string {
		return resource("/hidden/"+name+"/", isCalendar+"<CS:getctag>"+ctag+"</CS:getctag>")
	}
	one := event("one", "20270110T100000Z")
	f := newFake(t, script{
		"PROPFIND 0": {multistatus(resource("/hidden/",
			`<C:calendar-home-set><D:href>/hidden/</D:href></C:calendar-home-set>`))},
		"PROPFIND 1": {multistatus(at("a", "1"), at("b", "1")), multistatus(tagged("/hidden/a/one.ics", `"1"`)),
			multistatus(tagged("/hidden/b/two.ics", `"1"`)),
			multistatus(at("a", "1"), at("b", "2")), multistatus(tagged("/hidden/b/three.ics", `"1"`))},
		"GET": {{status: 200, body: one}},
	})
	reads := f.follow(t)
	reads.want(t, "one.ics 1000", "two.ics 1000")
	reads.want(t, "one.ics 1000", "three.ics 1000")
}

func TestChanges_AServerMaySpellPathsInItsOwnWay(t *testing.T) {
	one := event("one", "20270110T100000Z")
	f := newFake(t, script{
		"PROPFIND 0":               {multistatus(resource("/ada@x/", isCalendar))},
		"PROPFIND 1":               {multistatus(tagged("/ada@x/", ""), tagged("/ada%40x/a+b%20c.ics", `"1"`))},
		"REPORT calendar-multiget": {multistatus(withText("/ada@x/a%2Bb%20c.ics", `"1"`, one))},
	})
	c := New(loopback, Account{f.URL + "/ada%40x", "alice", "s3cret"}, reader)
	got, err := c.Changes(t.Context(), "", nil)
	if err != nil || len(got.Items) != 1 || got.Items[0].ID != "/ada%40x/a+b%20c.ics" {
		t.Errorf("got %+v, %v", got, err)
	}
}
