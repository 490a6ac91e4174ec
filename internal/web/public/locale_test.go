package public

import "testing"

func TestLocale_IsWhatPagesAreWrittenIn(t *testing.T) {
	w := newSQLiteWorld(t)
	for language, want := range map[string][2]string{"en-US": {"9:00 am", "Tuesday 2 February 2027, 2:30 pm–3:00 pm"},
		"en-GB": {"09:00", "Tuesday 2 February 2027, 14:30–15:00"}} {
		page := w.get("/acme/intro?tz=UTC&date=2027-02-02", "Accept-Language", language).OK()
		if got := page.First(".times").First("a"); got.Words() != want[0] ||
			got.Attr("aria-label") != "Tuesday 2 February, "+want[0] {
			t.Errorf("%s: the first time is %q, %q", language, got.Words(), got.Attr("aria-label"))
		}
		form := w.get("/acme/intro?tz=UTC&slot="+at("02-02 14:30"), "Accept-Language", language).OK()
		if got := form.First(".picked").First("h2").Words(); got != want[1] {
			t.Errorf("%s: the form is for %q", language, got)
		}
	}
}
