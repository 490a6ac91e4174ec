package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"

	"slotd/test/await"
)

func TestPay_FromTheMonthToTheBookingAndItsRefund(t *testing.T) {
	t.Parallel()
	s := startPayServer(t, office{})
	s.stripe.Silence()
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme/paid")
	choose(t, p, "#next")
	choose(t, p, `[aria-label="Tuesday 17 December"]`)
	choose(t, p, `[aria-label="Tuesday 17 December, 14:00"]`)
	grace.fillIn(t, p)
	wantText(t, p, "#book button", "Continue to payment")
	follow(t, p, "#book button")
	s.wantCheckout(t, p)
	follow(t, p, "#pay")
	wantText(t, p, "h1", "Waiting for your payment")
	if got := len(s.mails(t)); got != 0 {
		t.Errorf("%d mails before anybody has heard of the payment", got)
	}
	awaitSwap(p, func() { s.deliver(t) })
	wantText(t, p, "h1", "Your booking is confirmed")
	wantText(t, p, "#status", "Your booking is confirmed")
	wantText(t, p, "dd strong", "Tuesday 17 December 2030, 14:00–15:00")
	wantFact(t, p, "50.00 USD, paid")
	wantInvites(t, s.program, "20301217T140000Z")
	s.wantRefund(t, p)
}

// wantFact fails the test if the booking's details do not contain want.
func wantFact(t *testing.T, p *rod.Page, want string) {
	t.Helper()
	if got := text(p, ".booking"); !strings.Contains(got, want) {
		t.Errorf("no %q in %s", want, got)
	}
}

// wantRefund cancels the booking from its page and checks the refund.
func (s *payServer) wantRefund(t *testing.T, p *rod.Page) {
	t.Helper()
	follow(t, p, `a[href*="/b/cancel/"]`)
	if got := text(p, "main"); !strings.Contains(got,
		"You'll get 50.00 USD back if you cancel before Monday 16 December 2030, 14:00") {
		t.Errorf("the page says %s", got)
	}
	follow(t, p, "#cancel button")
	wantText(t, p, "h1", "This booking was canceled")
	wantFact(t, p, "50.00 USD will be refunded to your original payment method; this can take up to ten days")
	for _, to := range []string{grace.email, "ada@acme.example"} {
		s.awaitMail(t, to, "anceled")
	}
	await.True(t, "a refund", func() bool { return s.stripe.Balance() == 0 })
	if all := s.stripe.Refunds(); len(all) != 1 || all[0].Amount != 5000 || all[0].Currency != "usd" {
		t.Errorf("refunds: %+v", all)
	}
}

// On a phone, where people are most likely to change their minds.
func TestPay_BackFromTheCheckoutAllIsKeptAndTheTimeIsFree(t *testing.T) {
	t.Parallel()
	s := startPayServer(t, office{})
	p := open(t, options{width: 360, height: 640, locale: "en-GB"})
	visit(t, p, s.URL+"/acme/paid?slot="+freeSlot)
	grace.fillIn(t, p)
	follow(t, p, "#book button")
	s.wantCheckout(t, p)
	if s.isOpen(t, freeSlot) {
		t.Error("the time is not held")
	}
	press(t, p.MustElement("#back"))
	awaitSelector(t, p, "#book")
	wantText(t, p, "[role=alert]",
		"You haven't paid, so nothing is booked, and we're no longer holding this time for you. What you typed is still "+
			"here.")
	wantTyped(t, p, grace)
	wantFits(t, p, 360)
	choose(t, p, ".picked a")
	choose(t, p, `[aria-label="Tuesday 5 November, 11:00"]`)
	wantTyped(t, p, grace)
	s.pay(t, s.hold(t, guest{"Somebody Else", "else@example.com", ""}, freeSlot))
	follow(t, p, "#book button")
	follow(t, p, "#pay")
	p.MustElementR("h1", "Your booking is confirmed")
	wantText(t, p, "dd strong", "Tuesday 5 November 2030, 11:00–12:00")
}

// awaitSelector waits until a page with the selector has loaded. Redirecting pages before it may go away during a call.
func awaitSelector(t *testing.T, p *rod.Page, selector string) {
	t.Helper()
	await.True(t, selector, func() bool {
		answer, err := p.Eval(`selector => document.readyState === "complete" && document.querySelector(selector) !== null`, selector)
		return err == nil && answer.Value.Bool()
	})
}

func TestPay_TheBrowsersOwnWayBackLeadsToTheSameCheckout(t *testing.T) {
	t.Parallel()
	s := startPayServer(t, office{})
	p := open(t, options{})
	visit(t, p, s.URL+"/acme/paid?slot="+freeSlot)
	grace.fillIn(t, p)
	follow(t, p, "#book button")
	at := address(p)
	p.MustEval(`() => { history.back() }`)
	awaitSelector(t, p, "#book")
	wantTyped(t, p, grace)
	follow(t, p, "#book button")
	if now := address(p); now != at || len(s.stripe.Sessions()) != 1 {
		t.Errorf("at %s and then at %s", at, now)
	}
}

// With a script the second click is not sent; without one the server prevents a second checkout.
func TestPay_DoubleClickOpensOneCheckout(t *testing.T) {
	t.Parallel()
	s := startPayServer(t, office{})
	p := open(t, options{noJavaScript: true})
	visit(t, p, s.URL+"/acme/paid?slot="+freeSlot)
	grace.fillIn(t, p)
	at := pointInside(t, p.MustElement("#book button"))
	answers := holdBooked(t, p)
	awaitLoad(t, p, func() {
		pressAt(t, p, at)
		answers.next(t) // the guest does not see it before the second click
		pressAt(t, p, at)
		answers.release(t, answers.next(t))
	})
	s.wantCheckout(t, p)
	if all := s.stripe.Sessions(); len(all) != 1 {
		t.Errorf("%d checkouts", len(all))
	}
}

func TestPay_InAFrameTheWholeTabGoesToTheCheckout(t *testing.T) {
	t.Parallel()
	site := site(t, "")
	s := startPayServer(t, office{site: site.URL})
	site.show(strings.ReplaceAll(strictHead+`<main><h1>Site</h1><div data-slotd="/acme/paid"></div></main>`, "BOOK",
		s.URL))
	p := open(t, options{locale: "en-GB"})
	visit(t, p, site.URL)
	frame := loadedFrame(t, p, "div > iframe")
	awaitSwap(frame, func() { clickInFrame(frame, `[aria-label="Tuesday 5 November"]`) })
	awaitSwap(frame, func() { clickInFrame(frame, `[aria-label="Tuesday 5 November, 15:00"]`) })
	grace.fillIn(t, frame)
	axe(t, frame)
	screenshot(t, p, "embedded-form-paid")
	awaitLoad(t, p, func() {
		_, err := frame.MustElement("#book button").Evaluate(rod.Eval(`() => this.click()`).ByUser())
		must(t, err)
	})
	s.wantCheckout(t, p)
	follow(t, p, "#pay")
	p.MustElementR("h1", "Your booking is confirmed")
}

func TestPay_WithoutScript(t *testing.T) {
	t.Parallel()
	s := startPayServer(t, office{})
	s.stripe.Silence()
	p := open(t, options{noJavaScript: true, locale: "en-GB"})
	visit(t, p, s.URL+"/acme/paid?slot="+freeSlot)
	grace.fillIn(t, p)
	follow(t, p, "#book button")
	follow(t, p, "#back")
	wantText(t, p, "h1", "You haven't paid")
	if s.isOpen(t, freeSlot) {
		t.Error("opening the page gave the time back")
	}
	follow(t, p, "form button")
	wantTyped(t, p, grace)
	follow(t, p, "#book button")
	follow(t, p, "#pay")
	wantText(t, p, "h1", "Waiting for your payment")
	follow(t, p, ".actions .button")
	wantText(t, p, "h1", "Waiting for your payment")
	s.deliver(t)
	await.True(t, "the mail", func() bool { return len(s.mails(t)) == 2 })
	follow(t, p, ".actions .button")
	wantText(t, p, "h1", "Your booking is confirmed")
}

func TestPay_ByKeysAlone(t *testing.T) {
	t.Parallel()
	s := startPayServer(t, office{})
	s.stripe.Silence()
	p := open(t, options{locale: "en-GB"})
	visit(t, p, s.URL+"/acme/paid?slot="+freeSlot)
	tabTo(t, p, "#name")
	typeKeys(t, p, grace.name)
	tabTo(t, p, "#email")
	typeKeys(t, p, grace.email)
	tabTo(t, p, "#book button")
	awaitLoad(t, p, func() { pressKey(t, p, input.Enter) })
	s.wantCheckout(t, p)
	pressKey(t, p, input.Tab)
	wantFocus(t, p, "#pay")
	awaitLoad(t, p, func() { pressKey(t, p, input.Enter) })
	wantText(t, p, "h1", "Waiting for your payment")
	tabTo(t, p, ".actions .button")
	awaitSwap(p, func() { s.deliver(t) })
	wantText(t, p, "h1", "Your booking is confirmed")
	wantFocus(t, p, "main") // not at the top of the page
	tabTo(t, p, `a[href*="/b/cancel/"]`)
}

func TestPay_ACheckoutUnderANameOfItsOwn(t *testing.T) {
	t.Parallel()
	s := startCustomDomain(t, office{})
	p := open(t, options{})
	visit(t, p, s.URL+"/acme/paid?slot="+freeSlot)
	grace.fillIn(t, p)
	press(t, p.MustElement("#book button"))
	awaitSelector(t, p, "#amount")
	s.wantCheckout(t, p)
}

// The page polls by itself and changes nothing while there is nothing new.
func TestPay_WaitingIsQuiet(t *testing.T) {
	t.Parallel()
	s := startPayServer(t, office{})
	s.stripe.DropEvents()
	h := s.hold(t, grace, freeSlot)
	p := open(t, options{})
	visit(t, p, s.URL+h.page)
	p.MustEval(`() => { window.shown = document.getElementById("main") }`)
	g := holdFetches(t, p)
	for range 2 {
		g.release(t, g.next(t))
	}
	g.next(t) // the previous two have been answered
	if same := p.MustEval(`() => window.shown === document.getElementById("main") && document.getElementById("status").textContent === ""`).Bool(); !same || p.MustHas(".busy") {
		t.Error("it changes the page although nothing has changed")
	}
}
