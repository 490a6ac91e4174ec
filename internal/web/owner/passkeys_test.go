package owner

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/internal/identity"
)

// adds creates a passkey of the window's owner.
func (b *window) adds(d *device, name string) *response {
	b.w.T.Helper()
	q := b.ask("/settings/account/passkey/begin")
	return b.post("/settings/account/passkey", "ticket", q.Ticket, "answer", d.makes(q), "name", name)
}

// signsIn signs in on the login page with the device.
func (b *window) signsIn(d *device) *response {
	b.w.T.Helper()
	q := b.ask("/login/passkey/begin")
	return b.post("/login/passkey", "ticket", q.Ticket, "answer", d.signs(q), "to", "/settings/account")
}

func TestPasskey_IsAddedSignsInAndIsRemoved(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, d := w.ada(), newDevice(t)
		d.counter = 1
		ada.adds(d, "laptop <b>&</b>").leads("/settings/account?done=passkey")
		ada.get("/settings/account").says(200, "laptop <b>&</b>", "Never used yet")
		b := w.stranger()
		w.Clock.Advance(time.Hour)
		d.counter = 5
		b.signsIn(d).leads("/settings/account")
		b.get("/settings/account").isOf("ada@acme.example").says(200, "Last used Mon 1 Feb 2027, 09:00")
		// One server creates the challenge, and another one receives the answer.
		second := &window{w, routed(w.newSite(w.NewCache(w.DB))), map[string]string{}}
		q := second.ask("/login/passkey/begin")
		d.counter = 6
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", d.signs(q)).leads("/settings")
		b.post("/settings/account/passkey/remove", "passkey", b64(d.id)).leads("/settings/account?done=passkey-removed")
		d.counter = 7
		w.stranger().signsIn(d).says(403, "does not sign anybody in here")
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
	if len(make.ExcludeCredentials) != 1 || make.ExcludeCredentials[0].ID != b64(d.id) {
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
	good.counter = 5
	w.ada().adds(good, "laptop").leads("/settings/account?done=passkey")
	for name, wrong := range map[string]func(d *device){
		"another challenge":      func(d *device) { d.lie = func(says map[string]any) { says["challenge"] = b64(make([]byte, 32)) } },
		"no challenge":           func(d *device) { d.lie = func(says map[string]any) { delete(says, "challenge") } },
		"another origin":         func(d *device) { d.origin = "https://book.example.evil.example" },
		"plain http":             func(d *device) { d.origin = "http://book.example" },
		"another port":           func(d *device) { d.origin = "https://book.example:8443" },
		"another host":           func(d *device) { d.host = "evil.example" },
		"in a foreign frame":     func(d *device) { d.lie = func(says map[string]any) { says["crossOrigin"] = true } },
		"made, not signed":       func(d *device) { d.lie = func(says map[string]any) { says["type"] = "webauthn.create" } },
		"nobody verified":        func(d *device) { d.flags = userPresent },
		"nobody there":           func(d *device) { d.flags = userVerified },
		"another key":            func(d *device) { d.key = newDevice(t).key },
		"another passkey's name": func(d *device) { d.id = []byte("unknown") },
		"another user":           func(d *device) { d.handle = []byte{0, 0, 0, 0, 0, 0, 0, 1} },
		"no user":                func(d *device) { d.handle = nil },
		"a long user":            func(d *device) { d.handle = make([]byte, 64) },
		"the counter stays":      func(d *device) { d.counter = 5 },
		"the counter goes back":  func(d *device) { d.counter = 1 },
		"the counter is gone":    func(d *device) { d.counter = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			w.Owners.Limits = identity.NewLimits()
			bad := *good
			bad.counter = 6
			wrong(&bad)
			w.Log.Reset()
			b := w.stranger()
			b.signsIn(&bad).says(403, "does not sign anybody in here")
			if len(b.cookies) != 0 || !strings.Contains(w.Log.String(), "a sign-in was refused") ||
				strings.Contains(w.Log.String(), "acme.example") {
				t.Errorf("cookies %v, log:\n%s", b.cookies, w.Log)
			}
		})
	}
	good.counter = 6
	w.stranger().signsIn(good).leads("/settings/account")
}

func TestPasskey_AnAnswerWorksOnceAndInTime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := newDevice(t)
		ada := w.ada()
		ada.adds(d, "laptop").leads("/settings/account?done=passkey")
		q := w.stranger().ask("/login/passkey/begin")
		answer := d.signs(q)
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", answer).leads("/settings")
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", answer).says(403,
			"does not sign anybody in here")

		q = w.stranger().ask("/login/passkey/begin")
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", "{}").says(403)
		// A wrong answer uses up the ticket too.
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", d.signs(q)).says(403)

		q = w.stranger().ask("/login/passkey/begin")
		w.Clock.Advance(5 * time.Minute)
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", d.signs(q)).says(403)

		q = ada.ask("/settings/account/passkey/begin") // not a challenge for a sign-in
		w.stranger().post("/login/passkey", "ticket", q.Ticket, "answer", d.signs(q)).says(403)
	})
}

func TestPasskey_AddingRefused(t *testing.T) {
	w := lite(t)
	ada, bo := w.ada(), w.bo()
	bos := newDevice(t)
	bo.adds(bos, "bo's").leads("/settings/account?done=passkey")
	for name, try := range map[string]func(q asked, d *device) (ticket, answer string){
		"no answer":  func(q asked, d *device) (string, string) { return q.Ticket, "" },
		"no JSON":    func(q asked, d *device) (string, string) { return q.Ticket, "<script>" },
		"a huge one": func(q asked, d *device) (string, string) { return q.Ticket, strings.Repeat("x", 100_000) },
		"no ticket":  func(q asked, d *device) (string, string) { return "", d.makes(q) },
		"a made-up ticket": func(q asked, d *device) (string, string) {
			return "00000000-0000-4000-8000-000000000000",
				d.makes(q)
		},
		"bo's ticket": func(q asked, d *device) (string, string) {
			q = bo.ask("/settings/account/passkey/begin")
			return q.Ticket, d.makes(q)
		},
		"a ticket to sign in": func(q asked, d *device) (string, string) {
			q.Ticket = bo.ask("/login/passkey/begin").Ticket
			return q.Ticket, d.makes(q)
		},
		"another origin": func(q asked, d *device) (string, string) {
			d.origin = "https://evil.example"
			return q.Ticket, d.makes(q)
		},
		"nobody verified": func(q asked, d *device) (string, string) {
			d.flags = userPresent
			return q.Ticket,
				d.makes(q)
		},
		"a sign-in": func(q asked, d *device) (string, string) { return q.Ticket, d.signs(q) },
		"bo's passkey's name": func(q asked, d *device) (string, string) {
			d.id = bos.id
			return q.Ticket,
				d.makes(q)
		},
		"a name without limit": func(q asked, d *device) (string, string) {
			d.id = make([]byte, 2000)
			return q.Ticket,
				d.makes(q)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.Owners.Limits = identity.NewLimits()
			ticket, answer := try(ada.ask("/settings/account/passkey/begin"), newDevice(t))
			ada.post("/settings/account/passkey", "ticket", ticket, "answer", answer, "name", "x").says(409, "passkey")
		})
	}
	ada.get("/settings/account").says(200, "You have none yet")
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
	ada.post("/settings/account/passkey", "ticket", q.Ticket, "answer", newDevice(t).makes(q), "name", "x").says(409,
		"20 passkeys")
	ada.post("/settings/account/passkey/begin").says(400, "20 passkeys")
}

func TestPasskey_ForeignOnesAreOutOfReach(t *testing.T) {
	w := lite(t)
	ada, bo, d := w.ada(), w.bo(), newDevice(t)
	ada.adds(d, "laptop").leads("/settings/account?done=passkey")
	bo.post("/settings/account/passkey/remove", "passkey", b64(d.id)).says(404, "removed already")
	bo.post("/settings/account/passkey/remove", "passkey", "no name!").says(400, "no passkey of yours")
	w.stranger().signsIn(d).leads("/settings/account")
}

func TestPasskey_NeedsAFreshSignIn(t *testing.T) {
	w := lite(t)
	ada, d := w.ada(), newDevice(t)
	ada.adds(d, "laptop").leads("/settings/account?done=passkey")
	w.Clock.Advance(2 * identity.FreshFor)
	for _, path := range []string{"/settings/account/passkey/begin", "/settings/account/passkey",
		"/settings/account/passkey/remove"} {
		ada.post(path, "passkey", b64(d.id)).leads("/login/again?to=%2Fsettings%2Faccount")
	}
	ada.get("/settings/account").says(200, "one passkey", "Sign in once more")
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
