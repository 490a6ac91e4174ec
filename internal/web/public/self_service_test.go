package public

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/mail"
)

// key returns the database key of a booking.
func (w *world) key(b object) (workspaceID int64, id uuid.UUID) {
	w.T.Helper()
	p, err := w.Site.Cache.Workspace(background, "acme")
	w.Must(err)
	return p.WorkspaceID, uuid.MustParse(b["booking_id"].(string))
}

// link returns one of the booking's links.
func (w *world) link(b object, purpose links.Purpose) string {
	w.T.Helper()
	workspaceID, id := w.key(b)
	return w.Site.Links.Path(purpose, workspaceID, id)
}

func (w *world) stored(b object) *slotd.Booking {
	w.T.Helper()
	workspaceID, id := w.key(b)
	found, err := booking.Load(background, w.DB.Read(), workspaceID, id)
	w.Must(err)
	return found
}

// countMails counts the queued mails of a kind.
func (w *world) countMails(what mail.Kind) (n int) {
	w.T.Helper()
	w.Must(w.Raw.QueryRow(`SELECT COUNT(*) FROM jobs WHERE kind = 'tell' AND detail LIKE $1`,
		`%"what":"`+string(what)+`"%`).Scan(&n))
	return n
}

func TestCancel_WithAReason(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		page := w.get(w.link(b, links.Cancel)).OK()
		if form := page.First("#cancel"); form.Attr("method") != "post" ||
			page.First("h1").Words() != "Cancel this booking?" {
			t.Fatal(page.First("main").Words())
		}
		got := w.post(w.link(b, links.Cancel), url.Values{"reason": {" I am ill,\r\nsorry. "}}).Is(http.StatusSeeOther)
		if to := got.Header.Get("Location"); to != w.link(b, links.Cancel) {
			t.Errorf("it leads to %s", to)
		}
		page = w.get(w.link(b, links.Cancel)).OK()
		if page.First("h1").Words() != "This booking was canceled" ||
			!strings.Contains(page.Words(), "I am ill, sorry.") || page.Has("form") {
			t.Error(page.First("main").Words())
		}
		kept := w.stored(b)
		if kept.State != slotd.Canceled || kept.CancelReason != "I am ill,\nsorry." ||
			w.countMails(mail.Canceled) != 2 {
			t.Errorf("%s %q, %d mails", kept.State, kept.CancelReason, w.countMails(mail.Canceled))
		}
		p, err := w.Site.Cache.Workspace(background, "acme")
		w.Must(err)
		if n := w.Booking.Notice(p, kept, mail.Canceled, mail.ToHost); n.Reason != kept.CancelReason {
			t.Errorf("the host reads %q", n.Reason)
		}
		mustBe(t, w.get("/acme/intro?slot="+at("02-02 09:00")).OK().First("#book"), "form") // the time is free again
	})
}

func mustBe(t *testing.T, n *node, tag string) {
	t.Helper()
	if n.Tag != tag {
		t.Errorf("there is no <%s>", tag)
	}
}

func TestCancel_TwiceIsOnce(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		var first string
		for i, reason := range []string{"", "another one", ""} {
			w.post(w.link(b, links.Cancel), url.Values{"reason": {reason}}).Is(http.StatusSeeOther)
			body := w.get(w.link(b, links.Cancel)).Is(http.StatusOK).Body
			if i == 0 {
				first = body
			} else if body != first {
				t.Error("the second time shows another page")
			}
		}
		if kept := w.stored(b); kept.CancelReason != "" || kept.Sequence != 1 || w.countMails(mail.Canceled) != 2 {
			t.Errorf("%q, sequence %d, %d mails", kept.CancelReason, kept.Sequence, w.countMails(mail.Canceled))
		}
	})
}

func TestCancel_AReasonThatIsNoneIsKept(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-02 09:00"))
	before := w.Dump()
	for reason, kept := range map[string]string{strings.Repeat("é", 1001): strings.Repeat("é", 1001),
		"a\x00b": "a\ufffdb", "a\x1b[31mb": "a\x1b[31mb", "a\rb": "a\rb", strings.Repeat("b",
			50_000): strings.Repeat("b", 1001)} {
		page := w.post(w.link(b, links.Cancel),
			url.Values{"reason": {reason}}).Is(http.StatusUnprocessableEntity).Page()
		if got := page.First("#reason"); got.Content() != kept || got.Attr("aria-invalid") != "true" ||
			!page.Has(".alert") {
			t.Errorf("%.20q became %.40q: %s", reason, got.Content(), page.First(".alert").Words())
		}
	}
	if w.Dump() != before {
		t.Error("something was written")
	}
	w.post(w.link(b, links.Cancel), url.Values{"reason": {strings.Repeat("😀", 1000)}}).Is(http.StatusSeeOther)
}

func TestOwnPages_AfterTheEndOnlyShow(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		w.Clock.Set(time.Date(2027, 2, 2, 9, 29, 59, 0, time.UTC))
		mustBe(t, w.get(w.link(b, links.Cancel)).OK().First("#cancel"), "form")
		w.Clock.Advance(time.Second)
		before := w.Counts()
		for _, purpose := range []links.Purpose{links.Booking, links.Cancel, links.Reschedule} {
			page := w.get(w.link(b, purpose)).OK()
			if page.First("h1").Words() != "This booking is over" || page.Has("form") ||
				strings.Contains(page.Content(), "Cancel booking") {
				t.Errorf("%s: %s", purpose, page.First("main").Words())
			}
		}
		for purpose, form := range map[links.Purpose]url.Values{links.Cancel: {"reason": {"x"}},
			links.Reschedule: {"slot": {at("02-02 12:00")}}} {
			page := w.post(w.link(b, purpose), form).Is(http.StatusConflict).Page()
			if page.First("h1").Words() != "This booking is over" || !page.Has("dl.booking") {
				t.Errorf("%s: %s", purpose, page.First("main").Words())
			}
		}
		if kept := w.stored(b); kept.State != slotd.Confirmed || kept.Sequence != 0 || w.Counts() != before {
			t.Errorf("%+v", kept)
		}
	})
}

var allPurposes = []links.Purpose{links.Booking, links.Cancel, links.Reschedule, links.Calendar, links.HostCalendar,
	links.Pay, links.Unpaid}

// withButton are the purposes whose pages have a button that changes something.
var withButton = []links.Purpose{links.Cancel, links.Reschedule, links.Unpaid}

func TestLinks_ThatAreNoneSaySoKindly(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-02 09:00"))
	gone := object{"booking_id": uuid.NewString()}
	before := w.Dump()
	for _, purpose := range allPurposes {
		_, token, _ := strings.Cut(w.link(b, purpose), "/"+string(purpose)+"/")
		paths := []string{w.link(gone, purpose), w.link(b, purpose) + "A", w.link(b, purpose)[:40],
			"/b/" + string(purpose) + "/x", "/b/" + string(purpose) + "/" + token[:63] + string(token[63]^1)}
		for _, other := range append(allPurposes, links.Form) {
			if other != purpose {
				_, wrong, _ := strings.Cut(w.link(b, other), "/"+string(other)+"/")
				paths = append(paths, "/b/"+string(purpose)+"/"+wrong)
			}
		}
		for _, path := range paths {
			answers := []answer{w.get(path).Is(http.StatusNotFound)}
			if slices.Contains(withButton, purpose) {
				answers = append(answers, w.post(path, url.Values{"slot": {at("02-02 12:00")}}).Is(http.StatusNotFound))
			}
			for _, got := range answers {
				if h := got.Page().First("h1").Words(); h != "Booking not found" ||
					strings.Contains(got.Body, "Grace") {
					t.Errorf("%s: %s", path, h)
				}
			}
		}
	}
	if w.Dump() != before {
		t.Error("something was written")
	}
}

func TestReschedule_ToAnOpenTime(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		link := w.link(b, links.Reschedule)
		page := w.get(link + "?slot=" + at("02-03 10:00")).OK()
		form := page.First("#move")
		if page.First("h1").Words() != "Reschedule this booking?" || form.Attr("action") != link ||
			form.Attr("method") != "post" {
			t.Fatal(page.First("main").Words())
		}
		to := w.post(link, form.Fields()).Is(http.StatusSeeOther).Header.Get("Location")
		if to != w.link(b, links.Booking) || w.get(to).OK().First("h1").Words() != "Your booking was rescheduled" {
			t.Errorf("it leads to %s", to)
		}
		kept := w.stored(b)
		if slotd.Instant(kept.StartsAt) != at("02-03 10:00") || kept.Sequence != 1 ||
			w.countMails(mail.Rescheduled) != 2 {
			t.Errorf("%v, sequence %d, %d mails", kept.StartsAt, kept.Sequence, w.countMails(mail.Rescheduled))
		}
		w.post(link, form.Fields()).Is(http.StatusSeeOther) // to the time that it already has
		if kept = w.stored(b); kept.Sequence != 1 || w.countMails(mail.Rescheduled) != 2 {
			t.Errorf("moving it to where it is: sequence %d, %d mails", kept.Sequence, w.countMails(mail.Rescheduled))
		}
	})
}

func TestReschedule_ToATakenTimeOffersTheNearest(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		w.create("intro", at("02-03 10:00"))
		before := w.Counts()
		for _, slot := range []string{at("02-03 10:00"), at("02-03 03:00"), at("02-07 10:00"), at("01-05 10:00")} {
			page := w.post(w.link(b, links.Reschedule), url.Values{"slot": {slot}}).Is(http.StatusConflict).Page()
			near := page.First(".alert").Find("a")
			if !strings.Contains(page.First(".alert").Words(), "no longer available") || len(near) != 3 {
				t.Errorf("%s: %s", slot, page.First("main").Words())
			}
			for _, n := range near {
				mustBe(t, w.get(n.Attr("href")).OK().First("#move"), "form")
			}
		}
		if kept := w.stored(b); slotd.Instant(kept.StartsAt) != at("02-02 09:00") || w.Counts() != before {
			t.Errorf("%v", kept.StartsAt)
		}
	})
}

func TestReschedule_OfACanceledOneSaysSo(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-02 09:00"))
	w.post(w.link(b, links.Cancel), nil).Is(http.StatusSeeOther)
	before := w.Dump()
	for _, got := range []answer{
		w.get(w.link(b, links.Reschedule)).Is(http.StatusOK),
		w.get(w.link(b, links.Reschedule) + "?slot=" + at("02-02 12:00")).Is(http.StatusOK),
		w.post(w.link(b, links.Reschedule), url.Values{"slot": {at("02-02 12:00")}}).Is(http.StatusConflict),
	} {
		if page := got.Page(); page.First("h1").Words() != "This booking was canceled" || page.Has("form") {
			t.Error(page.First("main").Words())
		}
	}
	if w.Dump() != before {
		t.Error("something was written")
	}
}

func TestReschedule_OfWhatIsNoLongerOffered(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"hidden": func(file string) string {
			return strings.Replace(file, "{slug: fresh,", "{slug: fresh, hidden: true,", 1)
		},
		"retired": func(file string) string {
			return regexp.MustCompile(`(?m)^  - \{slug: fresh,.*\n`).ReplaceAllString(file, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t)
			b := w.create("fresh", at("02-02 09:00"))
			w.Apply(change(acme))
			w.Clock.Advance(time.Second)
			w.get("/acme/fresh").Is(http.StatusNotFound)
			if page := w.get(w.link(b, links.Reschedule)).OK(); !page.Has(".month") {
				t.Fatal(page.First("main").Words())
			}
			w.post(w.link(b, links.Reschedule), url.Values{"slot": {at("02-03 10:00")}}).Is(http.StatusSeeOther)
			if kept := w.stored(b); slotd.Instant(kept.StartsAt) != at("02-03 10:00") {
				t.Error(kept.StartsAt)
			}
			w.post(w.link(b, links.Cancel), nil).Is(http.StatusSeeOther)
			if page := w.get(w.link(b, links.Booking)).OK(); strings.Contains(page.Content(), "Book another time") {
				t.Error("it offers what is not offered")
			}
		})
	}
}

func TestReschedule_WithoutAScheduleSaysSo(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("fresh", at("02-02 09:00"))
	_, err := w.Raw.Exec("DELETE FROM schedules")
	w.Must(err)
	_, err = w.Raw.Exec("UPDATE workspace_versions SET version = version + 1, config_version = config_version + 1, " +
		"changed_seq = changed_seq + 1")
	w.Must(err)
	w.Clock.Advance(time.Second)
	for _, got := range []answer{
		w.get(w.link(b, links.Reschedule)).Is(http.StatusOK),
		w.get(w.link(b, links.Reschedule) + "?slot=" + at("02-03 10:00")).Is(http.StatusOK),
		w.post(w.link(b, links.Reschedule), url.Values{"slot": {at("02-03 10:00")}}).Is(http.StatusConflict),
	} {
		if text := got.Page().First("main").Words(); !strings.Contains(text,
			"This booking can no longer be rescheduled. Please contact Ada Park.") {
			t.Error(text)
		}
	}
}

func TestOwnPages_ThirtyDaysAfterTheEndAreGone(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		b := w.create("intro", at("02-02 09:00"))
		last := time.Date(2027, 2, 2, 9, 30, 0, 0, time.UTC).AddDate(0, 0, 30)
		w.Clock.Set(last)
		if page := w.get(w.link(b, links.Booking)).OK(); !strings.Contains(page.Content(), "grace@example.com") {
			t.Error(page.First("main").Words())
		}
		w.Clock.Set(last.Add(time.Millisecond))
		for _, purpose := range allPurposes {
			answers := []answer{w.get(w.link(b, purpose)).Is(http.StatusNotFound)}
			if slices.Contains(withButton, purpose) {
				answers = append(answers, w.post(w.link(b, purpose),
					url.Values{"slot": {at("03-10 10:00")}}).Is(http.StatusNotFound))
			}
			for _, got := range answers {
				for _, secret := range []string{"Grace", "Okafor", "grace@", "Ada", "Intro", "Acme",
					b["booking_id"].(string)} {
					if strings.Contains(got.Body, secret) {
						t.Errorf("%s: the page holds %s", purpose, secret)
					}
				}
			}
		}
	})
}

func TestLogs_HoldNoTokenNoAddressAndNoName(t *testing.T) {
	w := newSQLiteWorld(t)
	log := w.captureLog()
	action, fields := w.filled("/acme/intro", at("02-02 09:00"))
	w.post(action, fields)
	w.post(action, url.Values{"name": {"Grace Okafor"}, "slot": {"x"}})
	b := w.create("intro", at("02-02 10:00"))
	for _, purpose := range allPurposes {
		w.get(w.link(b, purpose))
		w.get(w.link(b, purpose) + "x")
	}
	w.get("/acme/intro?email=grace@example.com&name=Grace+Okafor&slot=" + at("02-02 10:00"))
	w.post(w.link(b, links.Reschedule), url.Values{"slot": {at("02-02 11:00")}})
	w.post(w.link(b, links.Cancel), url.Values{"reason": {"private words"}})
	if log.String() != "" {
		t.Errorf("what goes well is no news: %s", log)
	}
	own := w.link(b, links.Booking)
	w.Must(w.DB.Close()) // from now on everything fails
	for _, purpose := range allPurposes {
		w.get("/b/" + string(purpose) + own[len("/b/booking"):])
	}
	w.get(own)
	w.post(action, fields)
	if !strings.Contains(log.String(), "a page broke") {
		t.Fatal("nothing went wrong")
	}
	for _, secret := range []string{own[len("/b/booking/"):], fields.Get("form"), "grace", "Grace", "Okafor",
		"example.com", "private words", "two\\nlines"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, log)
		}
	}
}
