package browser

import (
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"slotd/internal/store/testdb"
)

// followLabel clicks the link or button with the label and waits for the page that it loads.
func followLabel(t *testing.T, p *rod.Page, selector, label string) {
	t.Helper()
	awaitLoad(t, p, func() { press(t, p.MustElementR(selector, label)) })
}

// A new owner without any documentation: an empty database, four screens, a page that can be booked, the first booking,
// its cancellation.
func TestNewOwner_FromAnEmptyDatabaseToTheFirstBooking(t *testing.T) {
	t.Parallel()
	s, setup := startEmpty(t, monday, testdb.FreeAddr(t))
	p := open(t, options{zone: "Europe/Berlin", locale: "en-GB"})
	at := func(name string) {
		t.Helper()
		wantOwnerPage(t, p, "new-owner-"+name)
	}
	visit(t, p, setup)
	at("1-you")
	enter(t, p.MustElement("#name"), "Ada Park")
	enter(t, p.MustElement("#email"), "ada@acme.example")
	enter(t, p.MustElement("#password"), "correct horse battery")
	follow(t, p, "main button")
	if got := p.MustElement("#zone").MustProperty("value").Str(); got != "Europe/Berlin" {
		t.Errorf("the zone is %q, not the browser's", got)
	}
	at("2-workspace")
	enter(t, p.MustElement("#name"), "Acme & Söhne")
	if got := p.MustElement("#slug").MustProperty("value").Str(); got != "acme-sohne" {
		t.Errorf("the address follows the name as %q", got)
	}
	enter(t, p.MustElement("#slug"), "acme")
	follow(t, p, "main button")
	at("3-hours")
	follow(t, p, "main button")
	at("4-event-type")
	follow(t, p, "main button")
	if got := address(p); got != s.URL+"/acme" {
		t.Fatalf("the setup ends at %s", got)
	}
	wantText(t, p, ".events h2", "Intro call")

	g := open(t, options{zone: "America/New_York", locale: "en-US"})
	visit(t, g, s.URL+"/acme/intro-call")
	g.MustWait(`() => document.querySelector(".zone strong").textContent.startsWith("America/New_York")`)
	choose(t, g, ".times a")
	grace.fillIn(t, g)
	follow(t, g, "#book button")
	wantText(t, g, "h1", "Your booking is confirmed")

	followLabel(t, p, "footer a", "Settings")
	if got := text(p, "main"); !strings.Contains(got, grace.name) || !strings.Contains(got, "Intro call") {
		t.Fatalf("the booking is not among the bookings: %s", got)
	}
	at("5-bookings")
	followLabel(t, p, "main a", grace.name)
	at("6-booking")
	followLabel(t, p, "main a", "Cancel")
	at("7-cancel")
	enter(t, p.MustElement("main textarea"), "I am ill.")
	followLabel(t, p, "main button", "Cancel")
	if got := text(p, "main"); !strings.Contains(got, "anceled") || !strings.Contains(got, "I am ill.") {
		t.Errorf("it does not say that it is canceled, and why: %s", got)
	}
	at("8-canceled")
	visit(t, g, address(g))
	wantText(t, g, "h1", "This booking was canceled")
}

// wantOwnerPage checks a page in both color schemes and widths. Colors are the same on a phone, so axe runs on the
// wide page only.
func wantOwnerPage(t *testing.T, p *rod.Page, name string) {
	t.Helper()
	for _, l := range []screenStyle{{1200, false}, {1200, true}, {390, true}, {390, false}} {
		l.apply(t, p)
		if l.width == 1200 {
			wantAccessible(t, p, l)
		}
		wantFits(t, p, l.width)
		screenshot(t, p, name+"-"+l.String())
	}
	screenStyle{1280, false}.apply(t, p)
}

// Chromium has a virtual authenticator that confirms by itself.
func TestOwner_SignsInWithAPasskey(t *testing.T) {
	t.Parallel()
	addr := testdb.FreeAddr(t)
	local := strings.NewReplacer("127.0.0.1", "localhost") // browsers allow no passkeys for IP addresses
	s, setup := startEmpty(t, monday, addr, "--base-url", "http://"+local.Replace(addr))
	s.URL, setup = local.Replace(s.URL), local.Replace(setup)
	p := open(t, options{})
	must(t, proto.WebAuthnEnable{}.Call(p))
	_, err := proto.WebAuthnAddVirtualAuthenticator{Options: &proto.WebAuthnVirtualAuthenticatorOptions{
		Protocol: proto.WebAuthnAuthenticatorProtocolCtap2, Transport: proto.WebAuthnAuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true,
		IsUserVerified: true, AutomaticPresenceSimulation: true,
	}}.Call(p)
	must(t, err)
	visit(t, p, setup)
	enter(t, p.MustElement("#name"), "Ada Park")
	enter(t, p.MustElement("#email"), "ada@acme.example")
	enter(t, p.MustElement("#password"), "correct horse battery")
	follow(t, p, "main button")
	visit(t, p, s.URL+"/settings/account")
	followLabel(t, p, "main button", "Add passkey")
	if got := text(p, "main"); !strings.Contains(got, "passkey") {
		t.Fatal(got)
	}
	followLabel(t, p, "button", "Sign out")
	followLabel(t, p, "main button", "Sign in with a passkey")
	if got := address(p); !strings.HasPrefix(got, s.URL+"/setup") {
		t.Errorf("signing in leads to %s: %s", got, text(p, "main"))
	}
}
