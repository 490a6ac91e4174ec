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

// ClientID and ClientSecret are the operator's credentials at both services.
const (
	ClientID     = "slotd-client"
	ClientSecret = "s3cret-of-the-client"
)

const accessLifetime = time.Hour

// grants holds the tokens that were issued.
type grants struct {
	rotates      bool // each refresh issues a new refresh token and invalidates the old one
	serial       int
	codes        map[string]consent
	refresh      map[string]bool
	access       map[string]time.Time
	refuseCode   string // the error of all further requests for a token
	failStatuses []int  // the statuses of the next requests for a token
	requests     int
}

type consent struct{ redirect, challenge string }

func newGrants() grants {
	return grants{codes: map[string]consent{}, refresh: map[string]bool{}, access: map[string]time.Time{}}
}

// Grant returns the tokens of a permission that the owner gave earlier.
func (s *service) Grant() *oauth2.Token {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &oauth2.Token{
		AccessToken: s.grants.newAccess(s.now()), RefreshToken: s.grants.newRefresh(), TokenType: "Bearer",
		Expiry: s.now().Add(accessLifetime),
	}
}

// ExpireAccessToken ends all access tokens early.
func (s *service) ExpireAccessToken() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.grants.access)
}

// RevokeGrant withdraws the permission, as the owner can.
func (s *service) RevokeGrant() {
	s.ExpireAccessToken()
	s.RefuseTokens("invalid_grant")
}

// RefuseTokens answers every request for a token with the error code. An empty code ends that.
func (s *service) RefuseTokens(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants.refuseCode = code
}

// FailTokens answers the next request for a token with the status.
func (s *service) FailTokens(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants.failStatuses = append(s.grants.failStatuses, status)
}

// TokenRequests returns the number of requests for tokens.
func (s *service) TokenRequests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grants.requests
}

func (g *grants) accepts(r *http.Request, now time.Time) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && now.Before(g.access[token])
}

func (g *grants) newAccess(now time.Time) string {
	g.serial++
	token := fmt.Sprintf("access-%d", g.serial)
	g.access[token] = now.Add(accessLifetime)
	return token
}

func (g *grants) newRefresh() string {
	g.serial++
	token := fmt.Sprintf("refresh-%d", g.serial)
	g.refresh[token] = true
	return token
}

// authorize is the consent page of an owner who agrees at once.
func (s *service) authorize(isOffline func(url.Values) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		q := r.URL.Query()
		to, err := url.Parse(q.Get("redirect_uri"))
		if err != nil || to.Host == "" || q.Get("client_id") != ClientID || q.Get("response_type") != "code" ||
			q.Get("code_challenge_method") != "S256" || q.Get("scope") == "" || q.Get("prompt") != "consent" ||
			!isOffline(q) {
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
	g.requests++
	if len(g.failStatuses) > 0 {
		status := g.failStatuses[0]
		g.failStatuses = g.failStatuses[1:]
		respond(w, status, Event{"error": "temporarily_unavailable"})
		return
	}
	out, code := g.issue(r, s.now())
	if code != "" {
		// The real services repeat what they were sent in such texts.
		respond(w, http.StatusBadRequest,
			Event{"error": code, "error_description": "bad request: " + r.PostForm.Encode()})
		return
	}
	respond(w, http.StatusOK, out)
}

func (g *grants) issue(r *http.Request, now time.Time) (_ Event, code string) {
	r.ParseForm()
	switch {
	case r.PostForm.Get("client_id") != ClientID || r.PostForm.Get("client_secret") != ClientSecret:
		return nil, "invalid_client"
	case g.refuseCode != "":
		return nil, g.refuseCode
	case r.PostForm.Get("grant_type") == "authorization_code":
		return g.redeem(r.PostForm, now)
	case r.PostForm.Get("grant_type") == "refresh_token":
		return g.renew(r.PostForm.Get("refresh_token"), now)
	}
	return nil, "unsupported_grant_type"
}

func (g *grants) redeem(form url.Values, now time.Time) (Event, string) {
	c, ok := g.codes[form.Get("code")]
	delete(g.codes, form.Get("code"))
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	if !ok || c.redirect != form.Get("redirect_uri") ||
		c.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		return nil, "invalid_grant"
	}
	out := g.newTokens(now)
	out["refresh_token"] = g.newRefresh()
	return out, ""
}

func (g *grants) renew(old string, now time.Time) (Event, string) {
	if !g.refresh[old] {
		return nil, "invalid_grant"
	}
	out := g.newTokens(now)
	if g.rotates {
		delete(g.refresh, old)
		out["refresh_token"] = g.newRefresh()
	}
	return out, ""
}

func (g *grants) newTokens(now time.Time) Event {
	return Event{"access_token": g.newAccess(now), "token_type": "Bearer", "expires_in": int(accessLifetime.Seconds())}
}
