package public

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"slotd/internal/web/webtest"
)

// filled returns a form that is filled in correctly.
func (w *world) filled(path, slot string) (action string, fields url.Values) {
	w.T.Helper()
	action, fields = w.form(path, slot)
	for name, value := range map[string]string{"name": "Grace Okafor", "email": "grace@example.com",
		"notes": "two\nlines"} {
		fields.Set(name, value)
	}
	return action, fields
}

func (w *world) bookings() (n int) {
	w.T.Helper()
	w.Must(w.Raw.QueryRow("SELECT COUNT(*) FROM bookings").Scan(&n))
	return n
}

func TestFormToken_ThatIsNoGoodKeepsWhatWasTyped(t *testing.T) {
	w := newSQLiteWorld(t)
	cancel := w.create("intro", at("02-01 09:00"))["cancel_url"].(string)
	_, others := w.form("/other/intro", at("02-08 09:00"))
	for name, spoil := range map[string]func(token string) string{
		"missing":              func(string) string { return "" },
		"forged":               func(token string) string { return token[:63] + string(token[63]^1) },
		"truncated":            func(token string) string { return token[:40] },
		"longer":               func(token string) string { return token + "A" },
		"for another purpose":  func(string) string { return cancel[strings.LastIndexByte(cancel, '/')+1:] },
		"of another workspace": func(string) string { return others.Get("form") },
		"a day old":            func(token string) string { w.Clock.Advance(24 * time.Hour); return token },
		"a day and a second old": func(token string) string {
			w.Clock.Advance(24*time.Hour +
				time.Second)
			return token
		},
		"a script, not a token":   func(string) string { return `"><script>alert(1)</script>` },
		"of a hundred characters": func(token string) string { return strings.Repeat("A", 100) },
	} {
		t.Run(name, func(t *testing.T) {
			w.Clock.Set(monday)
			action, fields := w.filled("/acme/intro", at("02-09 10:00"))
			before, spoiled := w.Counts(), spoil(fields.Get("form"))
			sent := clone(fields)
			sent.Set("form", spoiled)
			again := w.post(action, sent).Is(http.StatusUnprocessableEntity).Page()
			if !again.Has(".alert") || w.Counts() != before {
				t.Errorf("%s\n%v", again.First("main").Words(), w.Counts())
			}
			kept := again.First("#book").Fields()
			if fresh := kept.Get("form"); fresh == spoiled || fresh == fields.Get("form") {
				t.Error("the form is not a fresh one")
			}
			fields.Set("form", kept.Get("form"))
			if kept.Encode() != fields.Encode() {
				t.Errorf("kept %v, typed %v", kept, fields)
			}
			w.post(action, kept).Is(http.StatusSeeOther)
			w.Must(w.deleteBookings())
		})
	}
}

func clone(v url.Values) url.Values {
	c := url.Values{}
	for name, values := range v {
		c[name] = slices.Clone(values)
	}
	return c
}

// deleteBookings deletes all bookings, for the next case.
func (w *world) deleteBookings() error {
	for _, table := range []string{"claims", "booking_events", "jobs", "idempotency_keys", "bookings"} {
		if _, err := w.Raw.Exec("DELETE FROM " + table); err != nil {
			return err
		}
	}
	_, err := w.Raw.Exec("UPDATE workspace_versions SET version = version + 1, config_version = config_version + 1, " +
		"changed_seq = changed_seq + 1")
	return err
}

func TestFormAge_WhoIsTooQuickWaitsTheRestOfASecond(t *testing.T) {
	w := newSQLiteWorld(t)
	for i, c := range []struct{ age, wait time.Duration }{
		{0, time.Second}, {400 * time.Millisecond, 600 * time.Millisecond}, {999 * time.Millisecond, time.Millisecond},
		{time.Second, 0},
		// The negative age is that of a form from a server whose clock is ahead.
		{time.Hour, 0}, {24*time.Hour - time.Millisecond, 0}, {-time.Minute, time.Second},
	} {
		w.Clock.Set(monday)
		action, fields := w.filled("/acme/intro", at(fmt.Sprintf("02-09 %02d:00", 9+i)))
		w.Clock.Advance(c.age)
		w.waited = nil
		w.post(action, fields).Is(http.StatusSeeOther)
		if got := append(w.waited, 0)[0]; got != c.wait || len(w.waited) > 1 {
			t.Errorf("%v old: waited %v, want %v", c.age, w.waited, c.wait)
		}
	}
}

func TestHoneypot_FilledBooksNothing(t *testing.T) {
	w := newSQLiteWorld(t)
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	before := w.Counts()
	fields.Set("leave_empty", "https://spam.example")
	page := w.post(action, fields).Is(http.StatusUnprocessableEntity).Page()
	kept := page.First("#book").Fields()
	if w.Counts() != before || !page.Has(".alert") || kept.Get("leave_empty") != "" ||
		kept.Get("name") != "Grace Okafor" {
		t.Errorf("%v %v", w.Counts(), kept)
	}
	w.post(action, kept).Is(http.StatusSeeOther) // a person presses the button again
}

func TestBodies_ThatAreNoFormOfOurs(t *testing.T) {
	w := newSQLiteWorld(t)
	const form = "application/x-www-form-urlencoded"
	b := w.create("intro", at("02-01 09:00"))
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	right, many := fields.Encode(), strings.Builder{}
	for i := range 10_001 {
		fmt.Fprintf(&many, "&x%d=", i)
	}
	before := w.Counts()
	for name, c := range map[string]struct{ kind, body string }{
		"too long":   {form, right + "&x=" + strings.Repeat("a", 128<<10)},
		"long notes": {form, right + "&more=" + strings.Repeat("%F0%9F%98%80", 11_000)},
		"multipart": {"multipart/form-data; boundary=x",
			"--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nGrace\r\n--x--\r\n"},
		"JSON":                {"application/json", `{"name":"Grace"}`},
		"text":                {"text/plain", right},
		"no type":             {"", right},
		"a wrong type":        {"; charset=UTF-8", right},
		"two types":           {form + ", text/plain", right},
		"broken percents":     {form, right + "&notes2=%zz"},
		"half a percent":      {form, right + "&a=%"},
		"semicolons":          {form, strings.ReplaceAll(right, "&", ";")},
		"thousands of fields": {form, right + many.String()},
		"a field twice":       {form, right + "&name=Somebody+Else"},
		"the trap twice":      {form, right + "&leave_empty=spam"},
		"nothing":             {form, ""},
		"no time":             {form, "name=Grace&email=grace%40example.com"},
		"a wrong time":        {form, strings.ReplaceAll(right, "slot=2027", "slot=now")},
	} {
		for _, to := range []string{action, b["cancel_url"].(string), b["reschedule_url"].(string)} {
			if to == b["cancel_url"] && (strings.HasPrefix(name, "no") && c.kind == form || name == "a wrong time") {
				continue // canceling needs nothing but the button
			}
			status, title := http.StatusBadRequest, errorPages["invalid_argument"].Title.String()
			switch {
			case c.kind != form:
				status, title = http.StatusUnsupportedMediaType, "This form can't be read"
			case len(c.body) > maxForm:
				status, title = http.StatusRequestEntityTooLarge, "This is too long"
			}
			got := w.do(w.request(http.MethodPost, to, strings.NewReader(c.body), "Content-Type", c.kind)).Is(status)
			if h := got.Page().First("h1").Words(); h != title {
				t.Errorf("%s: %s", name, h)
			}
		}
	}
	if w.Counts() != before {
		t.Errorf("something was written: %v, %v", before, w.Counts())
	}
	// The content type as fetch writes it.
	r := w.request(http.MethodPost, action, strings.NewReader(right), "Content-Type", form+";charset=UTF-8")
	w.do(r).Is(http.StatusSeeOther)
}

// A GET reads its parameters from the URL, even if it has a body.
func TestBodies_OfAGetAreNotRead(t *testing.T) {
	w := newSQLiteWorld(t)
	body := strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nGrace\r\n--x--\r\n")
	all := body.Len()
	got := w.do(w.request(http.MethodGet, "/acme/intro?slot="+at("02-02 10:00"), body, "Content-Type",
		"multipart/form-data; boundary=x"))
	if name := got.OK().First("#name").Attr("value"); name != "" || body.Len() != all {
		t.Errorf("the name is %q, %d of %d bytes are left", name, body.Len(), all)
	}
}

var (
	wrongNames = []string{"", " ", "\t", "\u00a0", strings.Repeat("a", 201), strings.Repeat("é", 201), "a\nb", "a\rb",
		"a\tb", "a\x00b", "a\x1bb", "a\u007fb", "a\u0085b", "http://evil.example", "see https://x", "a://", "://", strings.Repeat("a", 60_000)}
	wrongEmails = []string{"", "grace", "grace@", "@example.com", "grace@example", "a b@example.com",
		"grace@exa mple.com", "grace@@example.com", "Grace <grace@example.com>", "<grace@example.com>", "grace@example.com, b@example.com", "grace@example.com\r\nBcc: x@example.com", "grace@example.com\x00", "gracé@example.com", "grace@exämple.com", "grace@-example.com", "grace@example..com", "grace@[127.0.0.1]", `"grace o"@example.com`, strings.Repeat("a", 243) + "@example.com", strings.Repeat("a", 60_000) + "@example.com", ".grace@example.com", "grace.@example.com", "mailto:grace@example.com", "\xff@example.com"}
	wrongPhones = []string{"", " ", "\u00a0", strings.Repeat("1", 201), "1\n2", "1\x002"}
	wrongNotes  = []string{strings.Repeat("a", 5001), strings.Repeat("é", 5001), strings.Repeat("a", 60_000), "a\x00b",
		"a\x1b[31m", "a\rb", "a\u007f-", "a\u0085b", "a\bb"}
)

func TestFields_ThatAreWrongAreNamedAndKept(t *testing.T) {
	w := newSQLiteWorld(t)
	action, right := w.filled("/acme/ask", at("02-02 10:00"))
	right.Set("phone", "+1 555 0100")
	before := w.Counts()
	for field, values := range map[string][]string{"name": wrongNames, "email": wrongEmails, "phone": wrongPhones,
		"notes": wrongNotes} {
		for _, value := range values {
			sent := clone(right)
			sent.Set(field, value)
			page := w.post(action, sent).Is(http.StatusUnprocessableEntity).Page()
			problems := page.First("#problems").Find("a")
			if len(problems) != 1 || problems[0].Attr("href") != "#"+field ||
				page.First("#"+field).Attr("aria-invalid") != "true" {
				t.Errorf("%s %.60q: %s", field, value, page.First("#problems").Words())
			}
			kept := page.First("#book").Fields()
			if start := kept.Get(field); len(value) < 200 && utf8.ValidString(value) &&
				!strings.ContainsAny(value, "\x00\r") && start != strings.TrimSpace(value) {
				t.Errorf("%s %q became %q", field, value, start)
			}
			sent.Set(field, kept.Get(field))
			if kept.Encode() != sent.Encode() {
				t.Errorf("%s %.60q: kept %v", field, value, kept)
			}
		}
	}
	if w.Counts() != before {
		t.Errorf("something was written: %v, %v", before, w.Counts())
	}
}

func TestFields_AtTheirBoundsAreTaken(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		long := strings.Repeat("a", 64) + "@" + strings.Repeat(strings.Repeat("b", 61)+".", 3) + "cc"
		for i, c := range []struct{ field, value, column, want string }{
			{"name", strings.Repeat("é", 200), "attendee_name", strings.Repeat("é", 200)},
			{"name", ` O'Brien-Łukasz "Zoë" <b>&😀 `, "attendee_name", `O'Brien-Łukasz "Zoë" <b>&😀`},
			{"name", "a: //b", "attendee_name", "a: //b"},
			{"email", long, "attendee_email", long},
			{"email", " o'brien+tag@sub.example.co\n", "attendee_email", "o'brien+tag@sub.example.co"},
			{"notes", strings.Repeat("😀", 5000), "notes", strings.Repeat("😀", 5000)},
			{"notes", "a\tb\r\nc\nd", "notes", "a\tb\nc\nd"},
			{"notes", "'; DROP TABLE bookings; --", "notes", "'; DROP TABLE bookings; --"},
		} {
			slot := at(fmt.Sprintf("02-02 %02d:00", 9+i))
			w.book("/acme/intro", slot, c.field, c.value)
			var got string
			start, _ := time.Parse(time.RFC3339, slot)
			w.Must(w.Raw.QueryRow("SELECT "+c.column+" FROM bookings WHERE starts_at = $1",
				start.UnixMilli()).Scan(&got))
			if got != c.want {
				t.Errorf("%s %.40q is kept as %.40q", c.field, c.value, got)
			}
		}
	})
}

func TestPhone_IsStoredBesideTheNotes(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		full := strings.Repeat("a", 5000)
		for i, c := range []struct{ phone, want, notes string }{
			{"+1 555 0100", "+1 555 0100", "Ring twice."},
			{" +1 (555) 0100 #7\n", "+1 (555) 0100 #7", ""},
			{strings.Repeat("é", 200), strings.Repeat("é", 200), full},
			{"1", "1", "Phone: 2\nPhone: 3"},
			{"'; DROP TABLE bookings; --", "'; DROP TABLE bookings; --", ""},
		} {
			slot := at(fmt.Sprintf("02-02 %02d:00", 9+i))
			w.book("/acme/ask", slot, "phone", c.phone, "notes", c.notes)
			start, _ := time.Parse(time.RFC3339, slot)
			var phone, notes string
			w.Must(w.Raw.QueryRow("SELECT attendee_phone, notes FROM bookings WHERE starts_at = $1",
				start.UnixMilli()).Scan(&phone, &notes))
			if phone != c.want || notes != c.notes {
				t.Errorf("%.40q and %.40q are kept as %.40q and %.40q", c.phone, c.notes, phone, notes)
			}
		}
	})
}

// A guest who corrects the number and sends the form again must not be told that the wrong one is booked.
func TestPhone_AnotherNumberIsAnotherRequest(t *testing.T) {
	w := newSQLiteWorld(t)
	action, fields := w.filled("/acme/ask", at("02-02 10:00"))
	fields.Set("phone", "+1 555 0100")
	first := w.post(action, fields).Is(http.StatusSeeOther).Header.Get("Location")
	if again := w.post(action, fields).Is(http.StatusSeeOther).Header.Get("Location"); again != first {
		t.Errorf("another booking: %s, %s", first, again)
	}
	fields.Set("phone", "+1 555 0199")
	w.post(action, fields).Is(http.StatusConflict)
}

func TestForms_OfOtherSitesAreRefused(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-01 09:00"))
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	before := w.Counts()
	for _, to := range []string{action, b["cancel_url"].(string), b["reschedule_url"].(string)} {
		w.post(to, fields, "Sec-Fetch-Site", "cross-site").Is(http.StatusForbidden)
		w.post(to, fields, "Origin", "https://evil.example").Is(http.StatusForbidden)
	}
	if w.Counts() != before {
		t.Error("something was written")
	}
	for _, right := range [][]string{{"Sec-Fetch-Site", "same-origin"}, {"Origin", "null"}, {"Origin", baseURL},
		{"Origin", "http://example.com"}} {
		w.post(action, fields, right...).Is(http.StatusSeeOther) // the same form, the same booking
	}
}

func TestSameForm_SentAgainIsTheSameBooking(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		action, fields := w.filled("/acme/intro", at("02-02 10:00"))
		first := w.post(action, fields).Is(http.StatusSeeOther).Header.Get("Location")
		for range 3 {
			w.Clock.Advance(time.Hour)
			if again := w.post(action, fields).Is(http.StatusSeeOther).Header.Get("Location"); again != first {
				t.Errorf("another booking: %s, %s", first, again)
			}
		}
		if n := w.bookings(); n != 1 {
			t.Fatalf("%d bookings", n)
		}
		fields.Set("slot", at("02-02 11:00"))
		if second := w.post(action, fields).Is(http.StatusSeeOther).Header.Get("Location"); second == first ||
			w.bookings() != 2 {
			t.Errorf("%s, %d bookings: the same form with another time is another booking", second, w.bookings())
		}
	})
}

func TestLostSlot_SaysNothingAboutWhoHasIt(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		own, stranger := "grace@example.com", "henry@example.org"
		action, fields := w.filled("/acme/intro", at("02-02 10:00"))
		_, again := w.filled("/acme/intro", at("02-02 10:00"))
		booked := w.post(action, fields).Is(http.StatusSeeOther).Header.Get("Location")
		lost := func(email string) string {
			again.Set("email", email)
			body := w.post(action, again).Is(http.StatusConflict).Body
			body = strings.ReplaceAll(body, again.Get("form"), "FORM")
			return strings.NewReplacer(email, "EMAIL", url.QueryEscape(email), "EMAIL").Replace(body)
		}
		mine, theirs := lost(own), lost(stranger)
		if mine != theirs {
			t.Errorf("the pages differ:\n%s\n%s", mine, theirs)
		}
		if id := booked[strings.LastIndexByte(booked, '/')+1:]; strings.Contains(mine, id) ||
			strings.Contains(mine, "/b/") {
			t.Error("the page leads to the booking")
		}
		page := webtest.ParseHTML(t, theirs)
		if options := page.Find("input"); len(page.Find(".option")) != 3 || options[0].Attr("name") != "slot" {
			t.Errorf("it offers no other times: %s", page.First("#book").Words())
		}
		fields = page.First("#book").Fields()
		fields.Set("slot", page.First(".option").First("input").Attr("value"))
		fields.Set("form", again.Get("form"))
		fields.Set("email", stranger)
		w.post(action, fields).Is(http.StatusSeeOther)
		if n := w.bookings(); n != 2 {
			t.Errorf("%d bookings", n)
		}
	})
}
