package cloudtest

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// ClientID and ClientSecret are the operator's, as both services know them.
const (
	ClientID     = "slotd-client"
	ClientSecret = "s3cret-of-the-client"
)

const accessFor = time.Hour

// grants are the tokens that were given out.
type grants struct {
	rotates bool // each refresh gives a new refresh token and ends the old one
	serial  int
	codes   map[string]consent
	refresh map[string]bool
	access  map[string]time.Time
	refuse  string // the error of every further request for a token
	fail    []int  // statuses of the next ones
	asked   int
}

type consent struct{ redirect, challenge string }

func newGrants() grants {
	return grants{codes: map[string]consent{}, refresh: map[string]bool{}, access: map[string]time.Time{}}
}

// Grant is a permission that the owner gave earlier.
func (s *service) Grant() *oauth2.Token {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &oauth2.Token{
		AccessToken: s.grants.newAccess(s.now()), RefreshToken: s.grants.newRefresh(), TokenType: "Bearer",
		Expiry: s.now().Add(accessFor),
	}
}

// ExpireAccessToken ends all access tokens before their time.
func (s *service) ExpireAccessToken() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.grants.access)
}

// RevokeGrant is the owner who takes the permission back.
func (s *service) RevokeGrant() {
	s.ExpireAccessToken()
	s.RefuseTokens("invalid_grant")
}

// RefuseTokens answers every request for a token with the error code; an empty one ends that.
func (s *service) RefuseTokens(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants.refuse = code
}

// FailTokens answers the next request for a token with the status.
func (s *service) FailTokens(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants.fail = append(s.grants.fail, status)
}

// TokenRequests is how many there were.
func (s *service) TokenRequests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grants.asked
}

func (g *grants) accepts(r *http.Request, now time.Time) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && now.Before(g.access[token])
}

func (g *grants) newAccess(now time.Time) string {
	g.serial++
	token := fmt.Sprintf("access-%d", g.serial)
	g.access[token] = now.Add(accessFor)
	return token
}

func (g *grants) newRefresh() string {
	g.serial++
	token := fmt.Sprintf("refresh-%d", g.serial)
	g.refresh[token] = true
	return token
}

// authorize is the consent page of an owner who agrees at once.
func (s *service) authorize(lasting func(url.Values) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		q := r.URL.Query()
		to, err := url.Parse(q.Get("redirect_uri"))
		if err != nil || to.Host == "" || q.Get("client_id") != ClientID || q.Get("response_type") != "code" ||
			q.Get("code_challenge_method") != "S256" || q.Get("scope") == "" || q.Get("prompt") != "consent" ||
			!lasting(q) {
			http.Error(w, "the request is not valid", http.StatusBadRequest)
			return
		}
		s.grants.serial++
		code := fmt.Sprintf("code-%d", s.grants.serial)
		s.grants.codes[code] = consent{to.String(), q.Get("code_challenge")}
		to.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
		http.Redirect(w, r, to.String(), http.StatusFound)
	}
}

func (s *service) token(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &s.grants
	g.asked++
	if len(g.fail) > 0 {
		status := g.fail[0]
		g.fail = g.fail[1:]
		answer(w, status, Event{"error": "temporarily_unavailable"})
		return
	}
	out, code := g.give(r, s.now())
	if code != "" {
		// The real ones repeat what was sent in such texts.
		answer(w, http.StatusBadRequest,
			Event{"error": code, "error_description": "bad request: " + r.PostForm.Encode()})
		return
	}
	answer(w, http.StatusOK, out)
}

func (g *grants) give(r *http.Request, now time.Time) (_ Event, code string) {
	r.ParseForm()
	switch {
	case r.PostForm.Get("client_id") != ClientID || r.PostForm.Get("client_secret") != ClientSecret:
		return nil, "invalid_client"
	case g.refuse != "":
		return nil, g.refuse
	case r.PostForm.Get("grant_type") == "authorization_code":
		return g.redeem(r.PostForm, now)
	case r.PostForm.Get("grant_type") == "refresh_token":
		return g.renew(r.PostForm.Get("refresh_token"), now)
	}
	return nil, "unsupported_grant_type"
}

func (g *grants) redeem(form url.Values, now time.Time) (Event, string) {
	given, ok := g.codes[form.Get("code")]
	delete(g.codes, form.Get("code"))
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	if !ok || given.redirect != form.Get("redirect_uri") ||
		given.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		return nil, "invalid_grant"
	}
	out := g.fresh(now)
	out["refresh_token"] = g.newRefresh()
	return out, ""
}

func (g *grants) renew(old string, now time.Time) (Event, string) {
	if !g.refresh[old] {
		return nil, "invalid_grant"
	}
	out := g.fresh(now)
	if g.rotates {
		delete(g.refresh, old)
		out["refresh_token"] = g.newRefresh()
	}
	return out, ""
}

func (g *grants) fresh(now time.Time) Event {
	return Event{"access_token": g.newAccess(now), "token_type": "Bearer", "expires_in": int(accessFor.Seconds())}
}
