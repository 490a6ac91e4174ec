package page

import (
	"net/http"
	"strings"
	"time"

	"slotd/internal/identity"
	"slotd/internal/lib/say"
)

const sessionLifetime = 30 * 24 * time.Hour

// HintCookie is the name of a second cookie. It holds no secret: the booking pages' script reads it to learn that an
// owner is signed in, and then shows a link to the settings.
const HintCookie = "slotd_owner"

// CookieName returns the name of the session cookie. Browsers accept a name with the prefix __Host- only from this very
// host and only over https.
func (s *Site) CookieName() string {
	if s.secure() {
		return "__Host-slotd_session"
	}
	return "slotd_session"
}

func (s *Site) secure() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// Cookie returns the value of the session cookie, or an empty string.
func (v *Visit) Cookie() string {
	c, err := v.R.Cookie(v.CookieName())
	if err != nil {
		return ""
	}
	return c.Value
}

// SetSession sets the session cookies in the browser.
func (v *Visit) SetSession(a *identity.SignedIn) {
	v.setCookie(v.CookieName(), a.Cookie, true, int(sessionLifetime.Seconds()))
	v.setCookie(HintCookie, "1", false, int(sessionLifetime.Seconds()))
}

// ClearSession deletes the session cookies from the browser.
func (v *Visit) ClearSession() {
	v.setCookie(v.CookieName(), "", true, -1)
	v.setCookie(HintCookie, "", false, -1)
}

func (v *Visit) setCookie(name, value string, secret bool, age int) {
	http.SetCookie(v.W, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: age, Secure: v.secure(),
		HttpOnly: secret, SameSite: http.SameSiteLaxMode})
}

// Browser describes a User-Agent header in a few words, enough for owners to recognize their own devices in a list.
func Browser(agent string) string {
	name := say.T("A browser")
	for _, known := range [][2]string{{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"},
		{"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"}} {
		if strings.Contains(agent, known[0]) {
			name = known[1]
			break
		}
	}
	for _, known := range [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"},
		{"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"}} {
		if strings.Contains(agent, known[0]) {
			return say.T("%s on %s", name, known[1])
		}
	}
	return name
}
