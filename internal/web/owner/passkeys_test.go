package owner

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/internal/identity"
	"slotd/internal/identity/passkeytest"
)

func newDevice(t testing.TB) *passkeytest.Device { return passkeytest.New(t, baseURL) }

// asked is a challenge from the server.
type asked struct {
	Ticket  string
	Options struct {
		PublicKey struct {
			Challenge, RPID, UserVerification string
			RP                                struct{ ID string }
			User                              struct{ ID, Name, DisplayName string }
			Attestation                       string
			AuthenticatorSelection            struct{ ResidentKey, UserVerification string }
			ExcludeCredentials                []struct{ ID string }
		}
	}
}

func (b *window) ask(path string) (q asked) {
	b.w.T.Helper()
	p := b.post(path)
	if p.Status != http.StatusOK || p.Header.Get("Content-Type") != "application/json" ||
		p.Header.Get("Cache-Control") != "no-store" {
		b.w.T.Fatalf("%s: %d %v %s", path, p.Status, p.Header, p.Body)
	}
	b.w.Must(json.Unmarshal([]byte(p.Body), &q))
	return q
}

// adds creates a passkey of the window's owner.
func (b *window) adds(d *passkeytest.Device, name string) *response {
	b.w.T.Helper()
	q := b.ask("/settings/account/passkey/begin")
	return b.post("/settings/account/passkey", "ticket", q.Ticket, "answer", d.Create(q.Options), "name", name)
}

// signsIn signs in on the login page with the device.
func (b *window) signsIn(d *passkeytest.Device) *response {
	b.w.T.Helper()
	q := b.ask("/login/passkey/begin")
	return b.post("/login/passkey", "ticket", q.Ticket, "answer", d.Sign(q.Options), "to", "/settings/account")
}

func TestPasskey_IsAddedSignsInAndIsRemoved(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, d := w.ada(), newDevice(t)
		d.Counter = 1
		ada.adds(d, "laptop <b>&</b>").leads("/settings/account?done=passkey")
		ada.get("/settings/account").says(200, "laptop <b>&</b>", "Never used.")
		b := w.stranger()
		w.Clock.Advance(time.Hour)
		d.Counter = 5
		b.signsIn(d).leads("/settings/account")
		b.get("/settings/account").isOf("ada@acme.example").says(200, "Last used Mon 1 Feb 2027, 09:00")
		// One server creates the challenge, and another one receives the answer.
		second := &window{w, routed(w.newSite(w.NewCache(w.DB))), map[string]string{}}
		q := second.ask("/login/passkey/begin")
		d.Counter = 6
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", d.Sign(q.Options)).leads("/settings")
		b.post("/settings/account/passkey/remove", "passkey", passkeytest.Encode(d.ID)).leads("/settings/account?done=passkey-removed")
		d.Counter = 7
		w.stranger().signsIn(d).says(403, "isn't registered here")
		for _, kind := range []string{"passkey.added", "passkey.removed", "signed.in.refused"} {
			if !slices.Contains(w.kinds("acme"), kind) {
				t.Errorf("no %s in the activity %v", kind, w.kinds("acme"))
			}
		}
	})
}

func TestPasskey_SignInRotatesThePlantedCookie(t *testing.T) {
	w := lite(t)
	d := newDevice(t)
	w.ada().adds(d, "").leads("/settings/account?done=passkey")
	mallory := w.bo()
	planted := mallory.cookies[w.cookieName()]
	victim := w.stranger()
	victim.cookies[w.cookieName()] = planted
	victim.signsIn(d).leads("/settings/account")
	if victim.cookies[w.cookieName()] == planted {
		t.Error("the planted cookie is the session")
	}
	mallory.get("/settings/account").leads("/login?to=%2Fsettings%2Faccount")
	victim.get("/settings/account").isOf("ada@acme.example").says(200, "A browser") // the default name
}

func TestPasskey_QuestionsSayWhatIsWanted(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	d := newDevice(t)
	ada.adds(d, "one").leads("/settings/account?done=passkey")
	make := ada.ask("/settings/account/passkey/begin").Options.PublicKey
	if make.RP.ID != "book.example" || make.Attestation != "none" ||
		make.AuthenticatorSelection.ResidentKey != "required" ||
		make.AuthenticatorSelection.UserVerification != "required" {
		t.Errorf("asks for %+v", make)
	}
	if len(make.ExcludeCredentials) != 1 || make.ExcludeCredentials[0].ID != passkeytest.Encode(d.ID) {
		t.Errorf("would make a second one on the same device: %v", make.ExcludeCredentials)
	}
	handle, err := base64.RawURLEncoding.DecodeString(make.User.ID)
	if err != nil || len(handle) != 8 || strings.Contains(string(handle), "ada") {
		t.Errorf("the user handle is %q %v", handle, err)
	}
	get := w.stranger().ask("/login/passkey/begin").Options.PublicKey
	if get.RPID != "book.example" || get.UserVerification != "required" || len(get.Challenge) < 22 {
		t.Errorf("asks for %+v", get)
	}
}

// In each case a device, or somebody in between, does one thing wrong.
func TestPasskey_SignInRefused(t *testing.T) {
	w := lite(t)
	good := newDevice(t)
	good.Counter = 5
	w.ada().adds(good, "laptop").leads("/settings/account?done=passkey")
	for name, wrong := range map[string]func(d *passkeytest.Device){
		"another challenge": func(d *passkeytest.Device) {
			d.Lie = func(says map[string]any) { says["challenge"] = passkeytest.Encode(make([]byte, 32)) }
		},
		"no challenge":           func(d *passkeytest.Device) { d.Lie = func(says map[string]any) { delete(says, "challenge") } },
		"another origin":         func(d *passkeytest.Device) { d.Origin = "https://book.example.evil.example" },
		"plain http":             func(d *passkeytest.Device) { d.Origin = "http://book.example" },
		"another port":           func(d *passkeytest.Device) { d.Origin = "https://book.example:8443" },
		"another host":           func(d *passkeytest.Device) { d.Host = "evil.example" },
		"in a foreign frame":     func(d *passkeytest.Device) { d.Lie = func(says map[string]any) { says["crossOrigin"] = true } },
		"made, not signed":       func(d *passkeytest.Device) { d.Lie = func(says map[string]any) { says["type"] = "webauthn.create" } },
		"nobody verified":        func(d *passkeytest.Device) { d.Flags = passkeytest.UserPresent },
		"nobody there":           func(d *passkeytest.Device) { d.Flags = passkeytest.UserVerified },
		"another key":            func(d *passkeytest.Device) { d.Key = newDevice(t).Key },
		"another passkey's name": func(d *passkeytest.Device) { d.ID = []byte("unknown") },
		"another user":           func(d *passkeytest.Device) { d.User = []byte{0, 0, 0, 0, 0, 0, 0, 1} },
		"no user":                func(d *passkeytest.Device) { d.User = nil },
		"a long user":            func(d *passkeytest.Device) { d.User = make([]byte, 64) },
		"the counter stays":      func(d *passkeytest.Device) { d.Counter = 5 },
		"the counter goes back":  func(d *passkeytest.Device) { d.Counter = 1 },
		"the counter is gone":    func(d *passkeytest.Device) { d.Counter = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			w.Owners.Limits = identity.NewLimits()
			bad := *good
			bad.Counter = 6
			wrong(&bad)
			w.Log.Reset()
			b := w.stranger()
			b.signsIn(&bad).says(403, "isn't registered here")
			if len(b.cookies) != 0 || !strings.Contains(w.Log.String(), "a sign-in was refused") ||
				strings.Contains(w.Log.String(), "acme.example") {
				t.Errorf("cookies %v, log:\n%s", b.cookies, w.Log)
			}
		})
	}
	good.Counter = 6
	w.stranger().signsIn(good).leads("/settings/account")
}

func TestPasskey_AnAnswerWorksOnceAndInTime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := newDevice(t)
		ada := w.ada()
		ada.adds(d, "laptop").leads("/settings/account?done=passkey")
		q := w.stranger().ask("/login/passkey/begin")
		answer := d.Sign(q.Options)
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", answer).leads("/settings")
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", answer).says(403,
			"isn't registered here")

		q = w.stranger().ask("/login/passkey/begin")
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", "{}").says(403)
		// A wrong answer uses up the ticket too.
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", d.Sign(q.Options)).says(403)

		q = w.stranger().ask("/login/passkey/begin")
		w.Clock.Advance(5 * time.Minute)
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", d.Sign(q.Options)).says(403)

		q = ada.ask("/settings/account/passkey/begin") // not a challenge for a sign-in
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", d.Sign(q.Options)).says(403)
	})
}

func TestPasskey_AddingRefused(t *testing.T) {
	w := lite(t)
	ada, bo := w.ada(), w.bo()
	bos := newDevice(t)
	bo.adds(bos, "bo's").leads("/settings/account?done=passkey")
	for name, try := range map[string]func(q asked, d *passkeytest.Device) (ticket, answer string){
		"no answer":  func(q asked, d *passkeytest.Device) (string, string) { return q.Ticket, "" },
		"no JSON":    func(q asked, d *passkeytest.Device) (string, string) { return q.Ticket, "<script>" },
		"a huge one": func(q asked, d *passkeytest.Device) (string, string) { return q.Ticket, strings.Repeat("x", 100_000) },
		"no ticket":  func(q asked, d *passkeytest.Device) (string, string) { return "", d.Create(q.Options) },
		"a made-up ticket": func(q asked, d *passkeytest.Device) (string, string) {
			return "00000000-0000-4000-8000-000000000000",
				d.Create(q.Options)
		},
		"bo's ticket": func(q asked, d *passkeytest.Device) (string, string) {
			q = bo.ask("/settings/account/passkey/begin")
			return q.Ticket, d.Create(q.Options)
		},
		"a ticket to sign in": func(q asked, d *passkeytest.Device) (string, string) {
			q.Ticket = bo.ask("/login/passkey/begin").Ticket
			return q.Ticket, d.Create(q.Options)
		},
		"another origin": func(q asked, d *passkeytest.Device) (string, string) {
			d.Origin = "https://evil.example"
			return q.Ticket, d.Create(q.Options)
		},
		"nobody verified": func(q asked, d *passkeytest.Device) (string, string) {
			d.Flags = passkeytest.UserPresent
			return q.Ticket,
				d.Create(q.Options)
		},
		"a sign-in": func(q asked, d *passkeytest.Device) (string, string) { return q.Ticket, d.Sign(q.Options) },
		"bo's passkey's name": func(q asked, d *passkeytest.Device) (string, string) {
			d.ID = bos.ID
			return q.Ticket,
				d.Create(q.Options)
		},
		"a name without limit": func(q asked, d *passkeytest.Device) (string, string) {
			d.ID = make([]byte, 2000)
			return q.Ticket,
				d.Create(q.Options)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.Owners.Limits = identity.NewLimits()
			ticket, answer := try(ada.ask("/settings/account/passkey/begin"), newDevice(t))
			ada.post("/settings/account/passkey", "ticket", ticket, "answer", answer, "name", "x").says(409, "passkey")
		})
	}
	ada.get("/settings/account").says(200, "You have no passkeys yet")
	bo.adds(newDevice(t), "bell\a").says(422, "The passkey's name")
	w.stranger().signsIn(bos).leads("/settings/account") // nothing was taken from bo
}

func TestPasskey_TwentyAreEnough(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	q := ada.ask("/settings/account/passkey/begin") // begun in time, finished when there are too many
	for i := range 20 {
		w.Owners.Limits = identity.NewLimits()
		ada.adds(newDevice(t), fmt.Sprint("key ", i)).leads("/settings/account?done=passkey")
	}
	ada.post("/settings/account/passkey", "ticket", q.Ticket, "answer", newDevice(t).Create(q.Options), "name", "x").says(409,
		"20 passkeys")
	ada.post("/settings/account/passkey/begin").says(400, "20 passkeys")
}

func TestPasskey_ForeignOnesAreOutOfReach(t *testing.T) {
	w := lite(t)
	ada, bo, d := w.ada(), w.bo(), newDevice(t)
	ada.adds(d, "laptop").leads("/settings/account?done=passkey")
	bo.post("/settings/account/passkey/remove", "passkey", passkeytest.Encode(d.ID)).says(404, "has already been removed")
	bo.post("/settings/account/passkey/remove", "passkey", "no name!").says(400, "isn't one of your passkeys")
	w.stranger().signsIn(d).leads("/settings/account")
}

func TestPasskey_NeedsAFreshSignIn(t *testing.T) {
	w := lite(t)
	ada, d := w.ada(), newDevice(t)
	ada.adds(d, "laptop").leads("/settings/account?done=passkey")
	w.Clock.Advance(2 * identity.FreshFor)
	for _, path := range []string{"/settings/account/passkey/begin", "/settings/account/passkey",
		"/settings/account/passkey/remove"} {
		ada.post(path, "passkey", passkeytest.Encode(d.ID)).leads("/login/again?to=%2Fsettings%2Faccount")
	}
	ada.get("/settings/account").says(200, "You have 1 passkey.", "Sign in again")
}

func TestPasskey_TriesAreCounted(t *testing.T) {
	w := lite(t)
	b := w.stranger()
	var last *response
	for range 40 {
		if last = b.post("/login/passkey", "ticket", "x", "answer", "y"); last.Status == 429 {
			break
		}
	}
	if last.says(429); last.Header.Get("Retry-After") == "" {
		t.Error("nobody is told how long to wait")
	}
	b.post("/login/passkey/begin").says(429)
}

func TestPasskey_NoneWhereTheHostIsAnAddress(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for base, works := range map[string]bool{
		"https://192.0.2.1": false, "http://127.0.0.1:8080": false, "https://[2001:db8::1]:8443": false,
		"https://intranet":      false,
		"http://localhost:8080": true, "https://book.example:8443": true,
	} {
		w.BaseURL = base
		page := w.stranger().get("/login")
		if got := strings.Contains(page.Body, `data-passkey="get"`) &&
			strings.Contains(page.Body, "passkeys.js"); got != works {
			t.Errorf("%s: the login page offers passkeys: %t", base, got)
		}
		if status := w.stranger().post("/login/passkey/begin").Status; (status == 200) != works {
			t.Errorf("%s: %d", base, status)
		}
	}
	w.BaseURL = baseURL
	ada.get("/settings/account").says(200, "Passkeys")
}

// The script has no sentences of its own: the page gives it one for each way that a passkey can fail.
func TestPasskey_ThePageHasTheScriptsSentences(t *testing.T) {
	script, err := os.ReadFile("access/passkeys.js")
	if err != nil {
		t.Fatal(err)
	}
	_, words, _ := strings.Cut(string(script), "const words = {")
	words, _, found := strings.Cut(words, "}")
	names := regexp.MustCompile(`: "(\w+)"`).FindAllStringSubmatch(words, -1)
	if !found || len(names) == 0 {
		t.Fatal("the script has no list of errors")
	}
	names = append(names, []string{"", "waiting"}, []string{"", "failed"})
	w := lite(t)
	ada := w.ada()
	for path, body := range map[string]string{"/login": w.stranger().get("/login").Body,
		"/settings/account": ada.get("/settings/account").Body} {
		for _, name := range names {
			if !regexp.MustCompile(`data-` + name[1] + `="[^"]`).MatchString(body) {
				t.Errorf("%s has no sentence for %q", path, name[1])
			}
		}
	}
}
