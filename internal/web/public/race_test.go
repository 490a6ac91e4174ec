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
	"slotd/internal/web/webtest"
	"slotd/test/worlds"
)

// postAtOnce sends the forms at the same moment, as nearly as possible.
func (w *world) postAtOnce(action string, forms []url.Values) []answer {
	answers := make([]answer, len(forms))
	posts := make([]func() error, len(forms))
	for i, form := range forms {
		posts[i] = func() error { answers[i] = w.post(action, form); return nil }
	}
	worlds.AtOnce(posts...)
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
			switch got.Status {
			case http.StatusSeeOther:
				won++
			case http.StatusConflict:
				page := got.Page()
				kept := page.First("#book").Fields()
				if len(page.Find(".option")) != 3 || kept.Get("email") != forms[i].Get("email") ||
					kept.Get("notes") != forms[i].Get("notes") {
					t.Errorf("%d: %s %v", i, page.First("main").Words(), kept)
				}
			default:
				t.Errorf("%d: %d %s", i, got.Status, got.Page().First("main").Words())
			}
		}
		if won != 1 || w.bookings() != 1 {
			t.Errorf("%d won, %d bookings", won, w.bookings())
		}
		if w.Log.String() != "" {
			t.Error(w.Log)
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
			places[fmt.Sprint(got.Status, " ", got.Header.Get("Location"))]++
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
			canceled.Is(http.StatusSeeOther)
			if moved.Status != http.StatusSeeOther && moved.Status != http.StatusConflict {
				t.Errorf("%d %s", moved.Status, moved.Body)
			}
		}
		var claims int
		w.Must(w.Raw.QueryRow("SELECT COUNT(*) FROM claims").Scan(&claims))
		if claims != 0 {
			t.Errorf("%d claims of canceled bookings", claims)
		}
	})
}

// requestFrom sends a request from the given client address.
func (w *world) requestFrom(address, method, target string, form url.Values, header ...string) answer {
	r := w.request(method, target, strings.NewReader(form.Encode()), "Content-Type",
		"application/x-www-form-urlencoded")
	webtest.SetHeader(r.Header, header)
	r.RemoteAddr = address
	return w.do(r)
}

// wantFormAndRetry checks for the form with everything that was typed and a Retry-After header.
func wantFormAndRetry(a answer, seconds string) {
	a.T.Helper()
	a.Is(http.StatusTooManyRequests)
	kept := a.Page().First("#book").Fields()
	if got := a.Header.Get("Retry-After"); got != seconds || kept.Get("name") == "" || !a.Page().Has(".alert") {
		a.T.Errorf("Retry-After is %q, want %q: %s", got, seconds, a.Page().First("main").Words())
	}
}

func wantTooMany(a answer, seconds string) {
	a.T.Helper()
	a.Is(http.StatusTooManyRequests)
	if got := a.Header.Get("Retry-After"); got != seconds || a.Page().First("h1").Words() != "Too many requests" {
		a.T.Errorf("Retry-After is %q, want %q: %s", got, seconds, a.Page().First("main").Words())
	}
}

func TestReads_AreLimitedPerAddress(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Reads = limit.New[netip.Addr](1)
	paths := []string{"/", "/acme", "/acme/intro", "/embed/acme", "/nowhere", "/b/cancel/x", "/static/x/style.css",
		"/robots.txt", "/llms.txt", "/acme/"}
	for _, path := range paths {
		if got := w.requestFrom("192.0.2.1:1", "GET", path, nil); got.Status == http.StatusTooManyRequests {
			t.Errorf("%s was refused too early", path)
		}
	}
	for _, path := range paths {
		wantTooMany(w.requestFrom("192.0.2.1:2", "GET", path, nil), "1")
	}
	for _, method := range []string{"HEAD", "POST", "OPTIONS", "DELETE"} {
		w.requestFrom("192.0.2.1:3", method, "/acme/intro", nil).Is(http.StatusTooManyRequests)
	}
	w.requestFrom("192.0.2.2:1", "GET", "/acme", nil).Is(http.StatusOK)
	w.Clock.Advance(time.Second)
	w.requestFrom("192.0.2.1:4", "GET", "/acme", nil).Is(http.StatusOK)
	wantTooMany(w.requestFrom("192.0.2.1:5", "GET", "/acme", nil), "1")
}

func TestPosts_AreLimitedPerAddress(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Writes = limit.New[netip.Addr](1)
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	before := w.Counts()
	for range 10 {
		w.requestFrom("192.0.2.1:1", "POST", action, nil).Is(http.StatusBadRequest)
	}
	wantTooMany(w.requestFrom("192.0.2.1:1", "POST", action, fields), "1")
	wantTooMany(w.requestFrom("192.0.2.1:1", "POST", "/b/cancel/x", nil), "1")
	if w.Counts() != before {
		t.Error("what was refused was done")
	}
	w.requestFrom("192.0.2.1:1", "GET", "/acme/intro", nil).Is(http.StatusOK)
	w.requestFrom("192.0.2.2:1", "POST", action, fields).Is(http.StatusSeeOther)
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
			before := w.Counts()
			got := w.send("/acme/intro", slot)
			if i < 30 {
				got.Is(http.StatusSeeOther)
				continue
			}
			wantFormAndRetry(got, "20")
			if w.Counts() != before {
				t.Fatalf("booking %d was refused and made", i)
			}
		}
		last := slotsFrom(40)[39]
		action, fields := w.filled("/acme/intro", last)
		w.requestFrom("198.51.100.7:1", "POST", action, fields).Is(http.StatusSeeOther)
		w.Clock.Advance(20 * time.Second)
		w.send("/acme/intro", slotsFrom(39)[38]).Is(http.StatusSeeOther)
		wantFormAndRetry(w.send("/acme/intro", slotsFrom(38)[37]), "20")
	})
}

func TestBookings_OnlyThoseThatAreMadeCount(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Bookings = limit.NewWithInterval[netip.Addr](20*time.Second, 40*time.Second) // two
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	_, late := w.filled("/acme/intro", at("02-02 10:00"))
	w.post(action, fields).Is(http.StatusSeeOther)
	for range 5 {
		w.post(action, fields).Is(http.StatusSeeOther) // the same booking
		w.post(action, late).Is(http.StatusConflict)
		wrong := clone(late)
		wrong.Set("email", "nobody")
		w.post(action, wrong).Is(http.StatusUnprocessableEntity)
		wrong.Set("slot", at("02-02 03:00"))
		wrong.Set("email", "grace@example.com")
		w.post(action, wrong).Is(http.StatusConflict)
	}
	w.send("/acme/intro", at("02-02 11:00")).Is(http.StatusSeeOther)
	wantFormAndRetry(w.send("/acme/intro", at("02-02 12:00")), "20")
	w.post(action, fields).Is(http.StatusSeeOther) // already booked
}

func TestForwardedFor_CountsFromTrustedProxiesOnly(t *testing.T) {
	w := newSQLiteWorld(t)
	forged := func(i int) string { return fmt.Sprintf("203.0.113.%d", i) }
	w.Reads = limit.New[netip.Addr](1)
	for i := range 10 {
		w.requestFrom("192.0.2.1:1", "GET", "/acme", nil, "X-Forwarded-For", forged(i)).Is(http.StatusOK)
	}
	wantTooMany(w.requestFrom("192.0.2.1:1", "GET", "/acme", nil, "X-Forwarded-For", forged(99)), "1")

	var err error
	w.Proxies, err = limit.ParseProxies([]string{"10.0.0.0/8"})
	w.Must(err)
	for i := range 20 { // many clients behind one proxy
		w.requestFrom("10.0.0.1:1", "GET", "/acme", nil, "X-Forwarded-For", forged(i)).Is(http.StatusOK)
	}
	for i := range 10 { // one client that sets the header itself
		w.requestFrom("10.0.0.1:1", "GET", "/acme", nil, "X-Forwarded-For",
			forged(i)+", 198.51.100.1").Is(http.StatusOK)
	}
	wantTooMany(w.requestFrom("10.0.0.1:1", "GET", "/acme", nil, "X-Forwarded-For", forged(99)+", 198.51.100.1"), "1")
}
