package owner

import (
	"strings"
	"testing"

	"slotd/internal/web/owner/eventtypes"
)

// everyField changes every field of the form. wholeFile is the resulting workspace file.
var everyField = []string{
	"title", "Déjà vu: <b>café</b>", "description", "One\r\n\r\n\ttwo # three", "duration", "45", "schedule", "default",
	"place", "in_person", "text", "Main St 1\r\n2nd floor", "amount", "1 250,50", "currency", "EUR", "refund", "0",
	"before", "10", "after", "1h", "notice", "1 day 2 hours", "window", "90", "interval", "15", "max_per_day", "4",
	"reminders", "2 days, 90, 15 min", "hidden", "on",
}

var wholeFile = []string{
	"slug: deja-vu", `title: "Déjà vu: <b>café</b>"`, "duration_minutes: 45",
	`location: {type: in_person, text: "Main St 1\n2nd floor"}`, "price: {amount_cents: 125050, currency: eur}",
	"full_until_hours_before: 0", "buffer_before_minutes: 10", "buffer_after_minutes: 60",
	"minimum_notice_minutes: 1560", "booking_window_days: 90",
	"slot_interval_minutes: 15", "max_per_day: 4", "reminders_minutes_before: [2880, 90, 15]", "hidden: true",
}

func TestEventType_EveryFieldOfTheFile(t *testing.T) {
	w := lite(t)
	b := w.ada()
	b.submit(eventtypes.EventTypesPath+"/new",
		append(everyField, "slug", "deja-vu")...).leads(eventtypes.EventTypesPath + "?saved=1#type-deja-vu")
	made := w.export("acme")
	for _, want := range wholeFile {
		if !strings.Contains(made, want) {
			t.Errorf("no %s in\n%s", want, made)
		}
	}
	w.offers("acme", "intro", "paid", "deja-vu")
	if list := b.get(eventtypes.EventTypesPath).says(200,
		"Déjà vu: <b>café</b> hidden paid"); strings.Contains(list.Body, "<b>") {
		t.Error("a title stands in the list as it is")
	}
	b.submitRaw(eventtypes.EventTypePath("deja-vu")).leads(eventtypes.EventTypePath("deja-vu") + "?saved=1")
	if again := w.export("acme"); again != made {
		t.Errorf("saving what the form shows makes of\n%s\n%s", made, again)
	}
	b.submit(eventtypes.EventTypePath("intro"), everyField...).leads(eventtypes.EventTypePath("intro") + "?saved=1")
	if n := strings.Count(w.export("acme"), "reminders_minutes_before: [2880, 90, 15]"); n != 2 {
		t.Errorf("an edit took in not all: %s", w.export("acme"))
	}
	w.offers("acme", "intro", "paid", "deja-vu")
}

func TestEventType_EmptyFieldsMeanWhatTheFormSays(t *testing.T) {
	w := lite(t)
	b := w.ada()
	b.submit(eventtypes.EventTypePath("paid"), "amount", "", "before", "", "after", "", "notice", "", "window", "",
		"interval", "",
		"max_per_day", "", "reminders", "", "refund", "24")
	file := w.export("acme")
	_, paid, _ := strings.Cut(file, "slug: paid")
	if !strings.Contains(paid, "reminders_minutes_before: []") || strings.Contains(paid, "price") ||
		strings.Contains(paid, "refund") || strings.Contains(paid, "window") {
		t.Error(paid)
	}
	w.offers("acme", "intro", "paid")
	b.submit(eventtypes.EventTypesPath+"/new", "title",
		"Ünïted Größe").leads(eventtypes.EventTypesPath + "?saved=1#type-united-grosse")
}

func TestEventType_PlacesHaveTheirOwnFieldsOnly(t *testing.T) {
	for place, want := range map[string]string{
		"video": `{type: video, url: "https://room.example/1"}`, eventtypes.PhoneAsk: "{type: phone, ask: true}",
		"phone":     "{type: phone, text: Call 112}",
		"in_person": "{type: in_person, text: Call 112}", "custom": "{type: custom, text: Call 112}",
	} {
		w := lite(t)
		b := w.ada()
		b.submit(eventtypes.EventTypePath("intro"), "place", place, "url", "https://room.example/1", "text",
			"Call 112").leads(eventtypes.EventTypePath("intro") + "?saved=1")
		if !strings.Contains(w.export("acme"), "location: "+want) {
			t.Errorf("%s: %s", place, w.export("acme"))
		}
		b.submitRaw(eventtypes.EventTypePath("intro"))
		w.offers("acme", "intro", "paid")
	}
}

func TestEventType_WrongValuesAreShownAtTheirFieldAndKept(t *testing.T) {
	w := lite(t)
	b, before := w.ada(), w.export("acme")
	for _, c := range []struct{ field, typed, problem string }{
		{"title", "", "title"}, {"title", "a\x00b", "title"}, {"title", strings.Repeat("ü", 201), "title"},
		{"title", "a\u0085b", "title"},
		{"description", strings.Repeat("x", 5001), "description"}, {"description", "a\x1bb", "description"},
		{"duration", "", "duration"}, {"duration", "0", "duration"}, {"duration", "-5", "duration"},
		{"duration", "1441", "duration"}, {"duration", "2 fortnights", "duration"},
		{"duration", "99999999999999999999", "duration"}, {"duration", "30.5", "duration"},
		{"duration", "9999999 weeks 9999999 weeks", "duration"}, {"duration", "<script>alert(1)</script>", "duration"},
		{"schedule", "no-such", "schedule"}, {"schedule", `"><img src=x>`, "schedule"}, {"schedule", "", "schedule"},
		{"place", "moon", "place"}, {"place", "", "place"}, {"url", "javascript:alert(1)", "url"},
		{"url", "https://a b", "url"}, {"url", "https://u:p@x.example/", "url"},
		{"url", "https://x.example/" + strings.Repeat("a", 2000), "url"},
		{"amount", "free", "amount"}, {"amount", "-5", "amount"}, {"amount", "0.49", "amount"},
		{"amount", "1,000", "amount"}, {"amount", "1000000", "amount"}, {"amount", "5e3", "amount"},
		{"amount", "5.001", "amount"},
		{"currency", "", "currency"}, {"currency", "xxx", "currency"}, {"currency", "€", "currency"},
		{"refund", "-1", "refund"}, {"refund", "8761", "refund"}, {"refund", "soon", "refund"},
		{"before", "-1", "before"}, {"before", "1441", "before"}, {"after", "x", "after"},
		{"notice", "525601", "notice"}, {"notice", "soon", "notice"},
		{"window", "0", "window"}, {"window", "731", "window"}, {"interval", "0", "interval"},
		{"interval", "1441", "interval"}, {"max_per_day", "0", "max_per_day"}, {"max_per_day", "1001", "max_per_day"},
		{"reminders", "0", "reminders"}, {"reminders", "40321", "reminders"}, {"reminders", "60, 1 hour", "reminders"},
		{"reminders", "1,2,3,4,5,6,7,8,9,10,11", "reminders"}, {"reminders", "a,b", "reminders"},
	} {
		for _, path := range []string{eventtypes.EventTypePath("paid"), eventtypes.EventTypesPath + "/new"} {
			fields := []string{"title", "Fine", "amount", "50", "currency", "usd", "place", "video", c.field, c.typed}
			p := b.submitRaw(path, fields...)
			if p.Status != 422 || !strings.Contains(p.Body, `<li><a href="#`+c.problem+`">`) ||
				!strings.Contains(p.Body, `id="`+c.problem+`"`) {
				t.Errorf("%s %.40q: %d, no problem at %s: %s", c.field, c.typed, p.Status, c.problem, p.Text())
			}
			if c.field != "place" && c.field != "title" && p.typed(c.field) != strings.TrimSpace(c.typed) {
				t.Errorf("%s %.40q became %.40q", c.field, c.typed, p.typed(c.field))
			}
			if strings.Contains(p.Body, "<script>alert") || strings.Contains(p.Body, "<img") {
				t.Errorf("%s %.40q stands in the page as it is", c.field, c.typed)
			}
		}
	}
	if w.export("acme") != before {
		t.Error("something was changed")
	}
}

// submitRaw is like submit, but sends empty values, and the last value of a field counts.
func (b *window) submitRaw(path string, fields ...string) *response {
	b.w.T.Helper()
	f := b.get(path).formWith("title")
	for i := 0; i < len(fields); i += 2 {
		f.Values.Set(fields[i], fields[i+1])
	}
	return b.postForm(f.Action, f.Values)
}

func TestEventType_TheSecondOfTwoEditorsSeesTheConflict(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b, other := w.ada(), w.owner("acme", "eve@acme.example")
		mine := b.get(eventtypes.EventTypePath("intro"))
		other.submit(eventtypes.EventTypePath("intro"), "title", "Theirs", "before",
			"25").leads(eventtypes.EventTypePath("intro") + "?saved=1")
		before := w.export("acme")
		p := b.fill(mine, "", "title", "Mine <i>", "duration", "50").says(409, "Someone else changed this",
			"Title is now “Theirs”.", "Buffer before is now “25” (changed by someone else).")
		if w.export("acme") != before || p.typed("title") != "Mine <i>" || p.typed("duration") != "50" ||
			p.typed("before") != "25" || strings.Contains(p.Text(), "Minimum notice is now") {
			t.Errorf("the form holds %q: %s", p.typed("title"), p.Text())
		}
		b.fill(p, "", "title", "Mine <i>").leads(eventtypes.EventTypePath("intro") + "?saved=1")
		if file := w.export("acme"); !strings.Contains(file, "Mine <i>") ||
			!strings.Contains(file, "buffer_before_minutes: 25") || !strings.Contains(file, "duration_minutes: 50") {
			t.Error(file)
		}
	})
}

func TestEventType_DeletedMeanwhileIsShownAndSavingOffersItAgain(t *testing.T) {
	w := lite(t)
	b, other := w.ada(), w.ada()
	mine := b.get(eventtypes.EventTypePath("intro"))
	other.press(other.get(eventtypes.EventTypesPath), "intro", "delete")
	p := b.fill(mine, "", "title", "Mine").says(409, "They deleted this event type")
	w.offers("acme", "paid")
	b.fill(p, "", "title", "Mine").leads(eventtypes.EventTypePath("intro") + "?saved=1")
	w.offers("acme", "paid", "intro")
}

func TestEventType_ASlugInUseIsRefusedAndARetiredOneRevived(t *testing.T) {
	w := lite(t)
	b := w.ada()
	id := w.typeID("intro")
	before := w.export("acme")
	b.submit(eventtypes.EventTypesPath+"/new", "title", "Again", "slug", "intro").says(422,
		"“Intro call” already has this address")
	for _, slug := range []string{"Intro", "a b", "-a", strings.Repeat("a", 65), "ä", "../x", "a/b"} {
		b.submit(eventtypes.EventTypesPath+"/new", "title", "Again", "slug", slug).says(422,
			"Address must be lowercase letters")
	}
	if w.export("acme") != before {
		t.Error("something changed")
	}
	b.press(b.get(eventtypes.EventTypesPath), "intro", "delete")
	b.submit(eventtypes.EventTypesPath+"/new", "title", "Again", "slug",
		"intro").leads(eventtypes.EventTypesPath + "?saved=1&revived=1#type-intro")
	b.get(eventtypes.EventTypesPath+"?saved=1&revived=1").says(200, "You used this address before",
		"Again")
	if w.typeID("intro") != id {
		t.Error("it is another one")
	}
	w.offers("acme", "paid", "intro")
}

func (w *world) typeID(slug string) int64 {
	p, err := w.Site.Cache.Latest(background, w.id("acme"))
	w.Must(err)
	return p.EventTypeBySlug(slug).ID
}

func TestEventType_ACopyHasEverythingButNameAndAddress(t *testing.T) {
	w := lite(t)
	b := w.ada()
	b.submit(eventtypes.EventTypePath("intro"), everyField...)
	b.submitRaw(eventtypes.EventTypesPath + "/new?copy=intro").leads(eventtypes.EventTypesPath +
		"?saved=1#type-intro-copy")
	b.submitRaw(eventtypes.EventTypesPath + "/new?copy=intro").leads(eventtypes.EventTypesPath +
		"?saved=1#type-intro-copy-2")
	file := w.export("acme")
	if strings.Count(file, "Copy of Déjà vu") != 2 ||
		strings.Count(file, "reminders_minutes_before: [2880, 90, 15]") != 3 ||
		strings.Count(file, "amount_cents: 125050") != 3 {
		t.Error(file)
	}
	long := strings.Repeat("a", 63) + "b"
	b.submit(eventtypes.EventTypesPath+"/new", "title", strings.Repeat("ü", 200), "slug", long)
	b.submitRaw(eventtypes.EventTypesPath + "/new?copy=" + long).leads(eventtypes.EventTypesPath + "?saved=1#type-" +
		strings.Repeat("a",
			59) + "-copy")
	b.get(eventtypes.EventTypesPath + "/new?copy=no-such").says(404)
}

func TestEventType_SlugsThatArePagesCanBeEdited(t *testing.T) {
	w := lite(t)
	b := w.ada()
	for _, slug := range []string{"new", "preview"} {
		b.submit(eventtypes.EventTypesPath+"/new", "title", "T "+slug, "slug", slug)
		b.submit(eventtypes.EventTypePath(slug), "title",
			"Changed "+slug).leads(eventtypes.EventTypePath(slug) + "?saved=1")
		if !strings.Contains(b.get(eventtypes.EventTypesPath).Body, `href="`+eventtypes.EventTypePath(slug)+`"`) ||
			!strings.Contains(w.export("acme"), "title: Changed "+slug) {
			t.Errorf("%s: %s", slug, w.export("acme"))
		}
	}
}

func TestEventType_WarnsOfAPriceThatNobodyCanPay(t *testing.T) {
	w := lite(t)
	b := w.ada()
	b.get(eventtypes.EventTypePath("paid")).says(200, "Guests can't book it at this price yet")
	// a warning only
	b.submit(eventtypes.EventTypePath("paid"), "amount", "70").leads(eventtypes.EventTypePath("paid") + "?saved=1")
	w.Accounts.OperatorKeys.Secret = "sk_test_1"
	for _, path := range []string{eventtypes.EventTypePath("paid"), eventtypes.EventTypesPath} {
		if strings.Contains(b.get(path).Text(), "payments aren't set up") {
			t.Errorf("%s warns although payments are set up", path)
		}
	}
}

func TestEventType_MoreThanTheMostAreRefused(t *testing.T) {
	w := lite(t)
	file := acme
	for i := range 198 {
		file += "  - {slug: s" + strings.Repeat("x", i/10) + string(rune('0'+i%10)) +
			", title: T, duration_minutes: 30, location: {type: video}}\n"
	}
	w.Apply(file)
	w.ada().submit(eventtypes.EventTypesPath+"/new", "title", "One more").says(422, "at most 200 event types")
}
