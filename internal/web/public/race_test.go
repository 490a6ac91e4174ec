package public

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd/internal/lib/limit"
)

// postAtOnce sends the forms at the same moment, as nearly as possible.
func (w *world) postAtOnce(action string, forms []url.Values) []answer {
	answers := make([]answer, len(forms))
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i, form := range forms {
		wg.Go(func() {
			<-start
			answers[i] = w.post(action, form)
		})
	}
	close(start)
	wg.Wait()
	return answers
}

func TestRace_OfTwoHundredForOneSlotOneWins(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		action, right := w.filled("/acme/intro", at("02-02 10:00"))
		forms := make([]url.Values, 200)
		for i := range forms {
			_, fields := w.form("/acme/intro", at("02-02 10:00"))
			forms[i] = clone(right)
			forms[i].Set("form", fields.Get("form"))
			forms[i].Set("email", fmt.Sprintf("guest%d@example.com", i))
		}
		won := 0
		for i, got := range w.postAtOnce(action, forms) {
			switch got.status {
			case http.StatusSeeOther:
				won++
			case http.StatusConflict:
				page := got.page()
				kept := page.first("#book").fields()
				if len(page.find(".option")) != 3 || kept.Get("email") != forms[i].Get("email") ||
					kept.Get("notes") != forms[i].Get("notes") {
					t.Errorf("%d: %s %v", i, page.first("main").words(), kept)
				}
			default:
				t.Errorf("%d: %d %s", i, got.status, got.page().first("main").words())
			}
		}
		if won != 1 || w.bookings() != 1 {
			t.Errorf("%d won, %d bookings", won, w.bookings())
		}
		if w.log.Len() > 0 {
			t.Error(w.log)
		}
	})
}

func TestRace_OfOneFormWithItselfMakesOneBooking(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		action, fields := w.filled("/acme/intro", at("02-02 10:00"))
		forms := make([]url.Values, 50)
		for i := range forms {
			forms[i] = fields
		}
		places := map[string]int{}
		for _, got := range w.postAtOnce(action, forms) {
			places[fmt.Sprint(got.status, " ", got.header.Get("Location"))]++
		}
		if len(places) != 1 || w.bookings() != 1 {
			t.Errorf("%d bookings: %v", w.bookings(), places)
		}
		for place := range places {
			if !strings.HasPrefix(place, "303 /b/booking/") {
				t.Error(place)
			}
		}
	})
}

// When one client cancels while another one moves the booking, both get a page that is true.
func TestRace_OfCancelAndMoveLeavesOneTruth(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		for i, slot := range slotsFrom(8) {
			b := w.create("intro", slot)
			var canceled, moved answer
			var wg sync.WaitGroup
			wg.Go(func() { canceled = w.post(b["cancel_url"].(string), url.Values{"reason": {"ill"}}) })
			wg.Go(func() {
				moved = w.post(b["reschedule_url"].(string),
					url.Values{"slot": {at(fmt.Sprintf("02-10 %02d:00", 9+i))}})
			})
			wg.Wait()
			canceled.is(http.StatusSeeOther)
			if moved.status != http.StatusSeeOther && moved.status != http.StatusConflict {
				t.Errorf("%d %s", moved.status, moved.body)
			}
		}
		var claims int
		w.must(w.raw.QueryRow("SELECT COUNT(*) FROM claims").Scan(&claims))
		if claims != 0 {
			t.Errorf("%d claims of canceled bookings", claims)
		}
	})
}

// requestFrom sends a request from the given client address.
func (w *world) requestFrom(address, method, target string, form url.Values, header ...string) answer {
	r := w.request(method, target, strings.NewReader(form.Encode()), "Content-Type",
		"application/x-www-form-urlencoded")
	set(r.Header, header)
	r.RemoteAddr = address
	return w.do(r)
}

// wantFormAndRetry checks for the form with everything that was typed and a Retry-After header.
func (a answer) wantFormAndRetry(seconds string) {
	a.t.Helper()
	a.is(http.StatusTooManyRequests)
	kept := a.page().first("#book").fields()
	if got := a.header.Get("Retry-After"); got != seconds || kept.Get("name") == "" || !a.page().has(".alert") {
		a.t.Errorf("Retry-After is %q, want %q: %s", got, seconds, a.page().first("main").words())
	}
}

func (a answer) wantTooMany(seconds string) {
	a.t.Helper()
	a.is(http.StatusTooManyRequests)
	if got := a.header.Get("Retry-After"); got != seconds || a.page().first("h1").words() != "Too many requests" {
		a.t.Errorf("Retry-After is %q, want %q: %s", got, seconds, a.page().first("main").words())
	}
}

func TestReads_AreLimitedPerAddress(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Reads = limit.New[netip.Addr](1)
	paths := []string{"/", "/acme", "/acme/intro", "/embed/acme", "/nowhere", "/b/cancel/x", "/static/x/style.css",
		"/robots.txt", "/llms.txt", "/acme/"}
	for _, path := range paths {
		if got := w.requestFrom("192.0.2.1:1", "GET", path, nil); got.status == http.StatusTooManyRequests {
			t.Errorf("%s was refused too early", path)
		}
	}
	for _, path := range paths {
		w.requestFrom("192.0.2.1:2", "GET", path, nil).wantTooMany("1")
	}
	for _, method := range []string{"HEAD", "POST", "OPTIONS", "DELETE"} {
		w.requestFrom("192.0.2.1:3", method, "/acme/intro", nil).is(http.StatusTooManyRequests)
	}
	w.requestFrom("192.0.2.2:1", "GET", "/acme", nil).is(http.StatusOK)
	w.clock.Advance(time.Second)
	w.requestFrom("192.0.2.1:4", "GET", "/acme", nil).is(http.StatusOK)
	w.requestFrom("192.0.2.1:5", "GET", "/acme", nil).wantTooMany("1")
}

func TestPosts_AreLimitedPerAddress(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Writes = limit.New[netip.Addr](1)
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	before := w.counts()
	for range 10 {
		w.requestFrom("192.0.2.1:1", "POST", action, nil).is(http.StatusBadRequest)
	}
	w.requestFrom("192.0.2.1:1", "POST", action, fields).wantTooMany("1")
	w.requestFrom("192.0.2.1:1", "POST", "/b/cancel/x", nil).wantTooMany("1")
	if w.counts() != before {
		t.Error("what was refused was done")
	}
	w.requestFrom("192.0.2.1:1", "GET", "/acme/intro", nil).is(http.StatusOK)
	w.requestFrom("192.0.2.2:1", "POST", action, fields).is(http.StatusSeeOther)
}

// slotsFrom returns n slots of the intro call.
func slotsFrom(n int) (all []string) {
	for t := time.Date(2027, 2, 2, 9, 0, 0, 0, time.UTC); len(all) < n; t = t.Add(30 * time.Minute) {
		if t.Hour() == 17 {
			t = t.Add(16 * time.Hour)
		}
		all = append(all, at(t.Format("01-02 15:04")))
	}
	return all
}

func TestBookings_AfterThirtyTheNextHasToWait(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		w.Bookings = limit.NewWithInterval[netip.Addr](20*time.Second, 600*time.Second)
		for i, slot := range slotsFrom(40) {
			before := w.counts()
			got := w.send("/acme/intro", slot)
			if i < 30 {
				got.is(http.StatusSeeOther)
				continue
			}
			got.wantFormAndRetry("20")
			if w.counts() != before {
				t.Fatalf("booking %d was refused and made", i)
			}
		}
		last := slotsFrom(40)[39]
		action, fields := w.filled("/acme/intro", last)
		w.requestFrom("198.51.100.7:1", "POST", action, fields).is(http.StatusSeeOther)
		w.clock.Advance(20 * time.Second)
		w.send("/acme/intro", slotsFrom(39)[38]).is(http.StatusSeeOther)
		w.send("/acme/intro", slotsFrom(38)[37]).wantFormAndRetry("20")
	})
}

func TestBookings_OnlyThoseThatAreMadeCount(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Bookings = limit.NewWithInterval[netip.Addr](20*time.Second, 40*time.Second) // two
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	_, late := w.filled("/acme/intro", at("02-02 10:00"))
	w.post(action, fields).is(http.StatusSeeOther)
	for range 5 {
		w.post(action, fields).is(http.StatusSeeOther) // the same booking
		w.post(action, late).is(http.StatusConflict)
		wrong := clone(late)
		wrong.Set("email", "nobody")
		w.post(action, wrong).is(http.StatusUnprocessableEntity)
		wrong.Set("slot", at("02-02 03:00"))
		wrong.Set("email", "grace@example.com")
		w.post(action, wrong).is(http.StatusConflict)
	}
	w.send("/acme/intro", at("02-02 11:00")).is(http.StatusSeeOther)
	w.send("/acme/intro", at("02-02 12:00")).wantFormAndRetry("20")
	w.post(action, fields).is(http.StatusSeeOther) // already booked
}

func TestForwardedFor_CountsFromTrustedProxiesOnly(t *testing.T) {
	w := newSQLiteWorld(t)
	forged := func(i int) string { return fmt.Sprintf("203.0.113.%d", i) }
	w.Reads = limit.New[netip.Addr](1)
	for i := range 10 {
		w.requestFrom("192.0.2.1:1", "GET", "/acme", nil, "X-Forwarded-For", forged(i)).is(http.StatusOK)
	}
	w.requestFrom("192.0.2.1:1", "GET", "/acme", nil, "X-Forwarded-For", forged(99)).wantTooMany("1")

	var err error
	w.Proxies, err = limit.ParseProxies([]string{"10.0.0.0/8"})
	w.must(err)
	for i := range 20 { // many clients behind one proxy
		w.requestFrom("10.0.0.1:1", "GET", "/acme", nil, "X-Forwarded-For", forged(i)).is(http.StatusOK)
	}
	for i := range 10 { // one client that sets the header itself
		w.requestFrom("10.0.0.1:1", "GET", "/acme", nil, "X-Forwarded-For",
			forged(i)+", 198.51.100.1").is(http.StatusOK)
	}
	w.requestFrom("10.0.0.1:1", "GET", "/acme", nil, "X-Forwarded-For", forged(99)+", 198.51.100.1").wantTooMany("1")
}
