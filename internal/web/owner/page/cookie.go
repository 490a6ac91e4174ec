package page

import (
	"net/http"
	"strings"
	"time"

	"slotd/internal/identity"
)

const cookieLives = 30 * 24 * time.Hour

// The second cookie holds no secret: the booking pages' script sees by it that an owner is here, and shows the way to
// the settings.
const HintCookie = "slotd_owner"

// cookieName: a browser lets nobody but this very host set a cookie with the prefix, and only over https.
func (s *Site) CookieName() string {
	if s.secure() {
		return "__Host-slotd_session"
	}
	return "slotd_session"
}

func (s *Site) secure() bool { return strings.HasPrefix(s.BaseURL, "https://") }

func (v *Visit) Cookie() string {
	c, err := v.R.Cookie(v.CookieName())
	if err != nil {
		return ""
	}
	return c.Value
}

// welcome gives the browser its session.
func (v *Visit) SetSession(a *identity.SignedIn) {
	v.setCookie(v.CookieName(), a.Cookie, true, int(cookieLives.Seconds()))
	v.setCookie(HintCookie, "1", false, int(cookieLives.Seconds()))
}

// forget takes it away.
func (v *Visit) ClearSession() {
	v.setCookie(v.CookieName(), "", true, -1)
	v.setCookie(HintCookie, "", false, -1)
}

func (v *Visit) setCookie(name, value string, secret bool, age int) {
	http.SetCookie(v.W, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: age, Secure: v.secure(),
		HttpOnly: secret, SameSite: http.SameSiteLaxMode})
}

// browser says in a few words what a User-Agent header means: enough to know one's own devices in a list.
func Browser(agent string) string {
	name, system := "A browser", ""
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
			system = " on " + known[1]
			break
		}
	}
	return name + system
}
