package public

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

// hostile has texts that must not become anything but text.
var hostile = map[string]string{
	"script":     `</script></title></textarea><script>alert(1)</script>`,
	"image":      `"><img src=x onerror=alert(1)>`,
	"attribute":  `' onmouseover='alert(1)' " onfocus="alert(1)" autofocus x="`,
	"backticks":  "`${alert(1)}`",
	"template":   `{{.}}{{template "form" .}}{{define "content"}}`,
	"comment":    `<!--<script>--!><![CDATA[`,
	"entities":   `&lt;img src=x onerror=alert(1)&gt;&#60;b&#62;&quot;`,
	"separators": "a\u2028b\u2029c",
	"bidi":       "\u202egnp.exe\u2066 \u2067x",
	"null":       "a\x00b<\x00script>",
	"long":       strings.Repeat("a<", 5000),
	"invalid":    "a\xff\xfe<\xc3(\xed\xa0\x80b",
	"javascript": "javascript:alert(1)",
	"JavaScript": " \x01JaVa\tScRiPt\n:alert(1)",
	"data":       "data:text/html,<script>alert(1)</script>",
	"vbscript":   "vbscript:msgbox(1)",
	"lines":      "x\r\nSet-Cookie: evil=1\r\n\r\n<script>alert(1)</script>",
	"policy":     "https://evil.example; script-src * 'unsafe-inline'; report-uri https://evil.example",
	"style":      "red;}*{background:url(https://evil.example)}",
	"format":     "%s%n%00%0d%0a../../../etc/passwd",
}

// harmless is used in place of a hostile text, for comparison. It is no place, time or zone either.
const harmless = "qqzzx"

// tour visits every page in every state.
type tour struct {
	*world
	text  string // written into every field of owner and guest, bypassing validation
	odd   []string
	pages map[string]answer
}

func newTour(t *testing.T, text string) *tour {
	c := &tour{world: newSQLiteWorld(t), text: text, pages: map[string]answer{},
		odd: []string{"Cookie", "slotd_zone=" + text, "Accept-Language", text}}
	c.applyText(text)
	live, canceled := c.booked(at("02-02 09:00")), c.booked(at("02-02 09:30"))
	_, err := c.Booking.Cancel(background, c.actor(), canceled.ID, text)
	c.Must(err)
	c.seeBookingPages()
	c.seeNowhere()
	c.seeOwnPages("live", live)
	c.seeOwnPages("canceled", canceled)
	c.sendForms()
	c.seePayments()
	c.changeBooking(live)
	return c
}

func (c *tour) actor() booking.Actor {
	c.T.Helper()
	p, err := c.Site.Cache.Workspace(background, "acme")
	c.Must(err)
	return booking.Token(p.WorkspaceID, "test", "")
}

func (c *tour) booked(slot string) *slotd.Booking {
	c.T.Helper()
	start, _ := slotd.ParseInstant(slot)
	b, err := c.Booking.Create(background, c.actor(), booking.Request{
		EventType: "intro", StartsAt: start, Notes: c.text,
		Attendee: slotd.Attendee{Name: c.text, Email: c.text, TimeZone: c.text, Phone: c.text},
	})
	c.Must(err)
	return b
}

// fill replaces TEXT in the target by the text, escaped for the path or the query.
func (c *tour) fill(target string) string {
	path, query, _ := strings.Cut(target, "?")
	return strings.ReplaceAll(path, "TEXT", url.PathEscape(c.text)) + "?" + strings.ReplaceAll(query, "TEXT",
		url.QueryEscape(c.text))
}

const (
	openSlot, takenSlot = "2027-02-02T10:00:00.000Z", "2027-02-02T09:00:00.000Z"
	guestQuery          = "name=TEXT&email=TEXT&phone=TEXT&notes=TEXT"
)

func (c *tour) see(target string) { c.pages[target] = c.get(c.fill(target), c.odd...) }

func (c *tour) seeBookingPages() {
	for _, prefix := range []string{"", "/embed"} {
		for _, page := range []string{
			"/acme", "/acme/intro", "/acme/paid", "/acme/ask?slot=" + openSlot, "/acme/intro?" + guestQuery,
			"/acme/intro?slot=" + openSlot + "&" + guestQuery,
			"/acme/ask?slot=" + openSlot + "&" + guestQuery, "/acme/intro?slot=" + takenSlot + "&" + guestQuery,
			"/acme/intro?slot=TEXT&date=TEXT&month=TEXT",
			"/acme/intro?tz=TEXT", "/acme/intro?slot=" + openSlot + "&tz=TEXT",
			"/acme/intro?tz=springfield&month=2027-03&" + guestQuery,
		} {
			c.see(prefix + page)
		}
	}
}

func (c *tour) seeNowhere() {
	for _, page := range []string{
		"/TEXT", "/TEXT/intro", "/acme/TEXT", "/embed/TEXT", "/embed/acme/TEXT", "/b/cancel/TEXT", "/b/TEXT/x",
		"/static/x/TEXT", "/static/x/accent-TEXT.css", "/a/b/c/TEXT?" + guestQuery,
		"/TEXT/?" + guestQuery, "/a/TEXT/",
	} {
		c.see(page)
	}
}

func (c *tour) link(purpose links.Purpose, b *slotd.Booking) string {
	return c.Site.Links.Path(purpose, c.actor().WorkspaceID, b.ID)
}

func (c *tour) seeOwnPages(state string, b *slotd.Booking) {
	for _, purpose := range []links.Purpose{links.Booking, links.Cancel, links.Reschedule} {
		for _, query := range []string{"", "?slot=" + openSlot + "&tz=TEXT", "?tz=TEXT&" + guestQuery,
			"?slot=TEXT&date=TEXT"} {
			c.pages[state+" "+string(purpose)+query] = c.get(c.fill(c.link(purpose, b)+query), c.odd...)
		}
	}
	c.pages[state+" embedded"] = c.get("/embed" + c.link(links.Booking, b))
}

func (c *tour) sendForms() {
	action, fields := c.form("/acme/ask", openSlot)
	for state, changes := range map[string]url.Values{
		"trapped":   {"leave_empty": {c.text}},
		"untimely":  {"form": {c.text}},
		"elsewhere": {"leave_empty": {c.text}, "tz": {c.text}},
		"wrong":     {"name": {c.text + "://"}, "phone": {c.text + "\x00-"}, "notes": {c.text + "\x00-"}},
		"lost": {"slot": {takenSlot}, "email": {"grace@example.com"}, "name": {"Grace"}, "notes": {""},
			"phone": {"1"}},
		"slot": {"slot": {c.text}},
	} {
		form := clone(fields)
		for _, name := range []string{"name", "email", "phone", "notes"} {
			form.Set(name, c.text)
		}
		maps.Copy(form, changes)
		c.pages["POST "+state] = c.post(action, form, c.odd...)
	}
}

// seePayments visits the pages of payments with every outcome. It bypasses the form, which would reject the texts.
func (c *tour) seePayments() {
	c.takesPayments()
	for _, page := range []string{"/acme/paid", "/acme/paid?slot=" + at("02-03 09:00") + "&" + guestQuery,
		"/embed/acme/paid?slot=" + at("02-03 09:00") + "&" + guestQuery} {
		c.see(page)
	}
	waits, released, late := c.held(at("02-03 09:00")), c.held(at("02-03 10:00")), c.held(at("02-03 11:00"))
	c.pages["POST unpaid"] = c.post(c.link(links.Unpaid, released), nil, c.odd...)
	c.pages["POST unpaid again"] = c.post(c.link(links.Unpaid, released), nil, c.odd...)
	for state, b := range map[string]*slotd.Booking{"waits": waits, "released": released} {
		for _, purpose := range []links.Purpose{links.Booking, links.Pay, links.Unpaid} {
			c.pages[state+" "+string(purpose)] = c.get(c.fill(c.link(purpose, b)+"?tz=TEXT&"+guestQuery), c.odd...)
		}
	}
	c.pages["POST checkout"] = c.send("/acme/paid", at("02-03 12:00"))
	c.stripe.AddFault(stripetest.Fault{Request: "POST", Status: http.StatusInternalServerError, Times: 1})
	c.pages["POST no checkout"] = c.send("/acme/paid", at("02-03 13:00"))
	paid := ledger.Statement{Entries: []ledger.Entry{{Kind: ledger.Paid, Amount: 5000, Currency: "usd",
		Reference: "pi_1"}}}
	c.Must(c.Booking.Release(background, c.actor(), late.ID))
	c.booked(at("02-03 11:00"))
	c.Must(c.Booking.ApplyPayment(background, c.actor().WorkspaceID, late.ID, paid))
	c.Must(c.Booking.ApplyPayment(background, c.actor().WorkspaceID, waits.ID, paid))
	c.seeOwnPages("paid", waits)
	c.seeOwnPages("late", late)
}

// held returns a booking that awaits its payment.
func (c *tour) held(slot string) *slotd.Booking {
	c.T.Helper()
	start, _ := slotd.ParseInstant(slot)
	b, err := c.Booking.Hold(background, c.actor(), booking.Request{
		EventType: "paid", StartsAt: start, Notes: c.text,
		Attendee: slotd.Attendee{Name: c.text, Email: c.text, TimeZone: c.text, Phone: c.text},
	}, accounts.Operator)
	c.Must(err)
	c.Must(c.Booking.SaveCheckout(background, c.actor().WorkspaceID, b.ID, "cs_"+slot, c.stripe.URL+"/c/pay/cs_"+slot))
	return b
}

func (c *tour) changeBooking(b *slotd.Booking) {
	c.pages["POST reason"] = c.post(c.link(links.Cancel, b), url.Values{"reason": {c.text + "\x00-"}}, c.odd...)
	c.pages["POST move"] = c.post(c.link(links.Reschedule, b), url.Values{"slot": {at("02-02 03:00")}, "tz": {c.text}},
		c.odd...)
	c.pages["POST moved"] = c.post(c.link(links.Reschedule, b), url.Values{"slot": {openSlot}, "tz": {c.text}},
		c.odd...)
	c.seeOwnPages("moved", b)
	c.Clock.Set(monday.AddDate(0, 0, 10))
	c.seeOwnPages("over", b)
}

// applyText writes the text into every field of an owner, bypassing the checks of the workspace file.
func (w *world) applyText(text string) {
	w.T.Helper()
	file, err := file.Read([]byte(acme))
	w.Must(err)
	f := file.Workspace
	f.Name, f.Host.Name, f.Look, f.Embed.AllowedSites = text, text, slotd.Look{Accent: text, Logo: text}, []string{text}
	for i := range f.EventTypes {
		e := &f.EventTypes[i]
		e.Title, e.Description, e.Location.Text = text, text, text
		if e.Location.Type == slotd.Video {
			e.Location.URL = text
		}
	}
	_, err = workspace.Put(background, w.DB, workspace.Change{Desired: &f, Now: w.Clock.Now()})
	w.Must(err)
	w.Clock.Advance(time.Second) // so that the pages see the change
}

// shape returns the page's elements and attributes, without texts.
func shape(n *node) (all []string) {
	if n.Tag != "" {
		all = append(all, n.Tag+" "+strings.Join(slices.Sorted(maps.Keys(n.Attrs)), " "))
	}
	for _, c := range n.Children {
		all = append(all, shape(c)...)
	}
	return all
}

func TestHostileTexts_StayTextsOnEveryPage(t *testing.T) {
	plain, long := newTour(t, harmless).pages, newTour(t, strings.Repeat("q,", 5000)).pages
	for kind, text := range hostile {
		t.Run(kind, func(t *testing.T) {
			pages, plain := newTour(t, text).pages, plain
			if len(text) > maxParams/2 { // links omit long values
				plain = long
			}
			if !slices.Contains(altered, kind) {
				checkShown(t, pages, text)
			}
			for name, got := range pages {
				want := plain[name]
				if got.Status != want.Status {
					t.Errorf("%s: status %d, want %d", name, got.Status, want.Status)
					continue
				}
				checkHeaders(t, name, got)
				if got.Status/100 == 3 {
					continue
				}
				page := got.Page()
				checkAttributes(t, name, page)
				if a, b := shape(page), shape(want.Page()); !slices.Equal(a, b) {
					t.Errorf("%s: the page has another shape: %s", name, difference(a, b))
				}
			}
		})
	}
}

func difference(a, b []string) string {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("at %d of %d and %d: %q, %q", i, len(a), len(b), a[i:min(i+3, len(a))],
				b[min(i, len(b)):min(i+3, len(b))])
		}
	}
	return fmt.Sprintf("%q is missing", b[len(a):])
}

func checkHeaders(t *testing.T, name string, got answer) {
	t.Helper()
	for header, values := range got.Header {
		for _, value := range values {
			if strings.ContainsAny(value, "\r\n\x00") || strings.Contains(value, "evil") && header != "Location" {
				t.Errorf("%s: %s: %q", name, header, value)
			}
		}
	}
	if to := got.Header.Get("Location"); to != "" && !isCheckout(to) &&
		(to[0] != '/' || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`)) {
		t.Errorf("%s leads to %q", name, to)
	}
	if got.Header.Get("Set-Cookie") != "" {
		t.Errorf("%s sets a cookie", name)
	}
}

// isCheckout reports whether the URL is a checkout, the only foreign page to which guests are sent.
func isCheckout(address string) bool {
	return regexp.MustCompile(`^http://127\.0\.0\.1:\d+/c/pay/cs_[\w.:-]+$`).MatchString(address)
}

// addresses are the attributes whose URLs a browser follows or loads.
var addresses = []string{"href", "src", "action", "formaction", "srcset", "data-places", "poster", "data"}

func checkAttributes(t *testing.T, name string, n *node) {
	t.Helper()
	for attribute, value := range n.Attrs {
		followed := slices.Contains(addresses, attribute) || attribute == "content" &&
			(n.Attrs["property"] == "og:url" || n.Attrs["property"] == "og:image")
		if scheme, _, ok := strings.Cut(value, ":"); followed && ok && scheme != "https" && !isCheckout(value) &&
			!strings.ContainsAny(scheme, "/?#") {
			t.Errorf("%s: <%s %s=%.80q>", name, n.Tag, attribute, value)
		}
		if strings.HasPrefix(attribute, "on") || attribute == "style" || attribute == "srcdoc" {
			t.Errorf("%s: <%s %s>", name, n.Tag, attribute)
		}
	}
	for _, c := range n.Children {
		checkAttributes(t, name, c)
	}
}

// altered are the texts that no page can show unchanged.
var altered = []string{"null", "invalid", "JavaScript", "lines"}

// checkShown checks that the pages show the text completely.
func checkShown(t *testing.T, pages map[string]answer, text string) {
	t.Helper()
	event, form := pages["/acme/intro"].OK(), pages["/acme/intro?slot="+openSlot+"&"+guestQuery].OK()
	var linked struct{ Name, Description string }
	for _, script := range event.Find("script") {
		if script.Attr("type") == "application/ld+json" {
			if err := json.Unmarshal([]byte(script.Content()), &linked); err != nil {
				t.Error(err)
			}
		}
	}
	for what, got := range map[string]string{
		"title": event.First("h1").Content(), "host": event.First(".host").Content(),
		"description": event.First("p.foreign").Content(), "workspace": event.First("a.name").Content(),
		"name":              form.First("#name").Attr("value") + cut(text, workspace.MaxName),
		"notes":             form.First("#notes").Content() + cut(text, workspace.MaxNotes),
		"name for machines": linked.Name,
		"description for machines": strings.TrimSuffix(linked.Description, "…") + strings.TrimPrefix(text,
			strings.TrimSuffix(linked.Description, "…")),
	} {
		if got != text {
			t.Errorf("the %s is %.80q", what, got)
		}
	}
}

// cut returns what formField cuts off: everything after one character more than allowed.
func cut(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[limit+1:])
	}
	return ""
}

func TestRedirects_StayOnTheServer(t *testing.T) {
	w := newSQLiteWorld(t)
	for _, path := range []string{"/%2Fevil.example/", "/%2F%2Fevil.example/", "/%5Cevil.example/",
		"/%5C%5Cevil.example/", "/https:%2F%2Fevil.example/", "/a%0d%0aSet-Cookie:%20a=b/", "/.%2F%2Fevil.example/", "/%09/evil.example/", "/acme/"} {
		got := w.get(path)
		if got.Status != http.StatusPermanentRedirect && got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.Status)
		}
		checkHeaders(t, path, got)
	}
}

// The payment service's error contains the key; no page and no log may.
func TestEveryPage_HoldsNoKey(t *testing.T) {
	c := newTour(t, harmless)
	pages := c.pages
	for _, secret := range []string{c.stripe.Key, c.stripe.Secret} {
		for name, got := range pages {
			if strings.Contains(got.Body+fmt.Sprint(got.Header), secret) {
				t.Errorf("%s holds %s", name, secret)
			}
		}
		if strings.Contains(c.Log.String(), secret) {
			t.Errorf("the log holds %s:\n%s", secret, c.Log)
		}
	}
	if !strings.Contains(c.Log.String(), "a checkout cannot be opened") {
		t.Error("nothing has failed")
	}
}
