package bridge

import (
	"net/http"
	"strings"
)

var secretHeaders = []string{"Authorization", "Proxy-Authorization", "Cookie"}

// hasSecret reports whether the headers need confidentiality: they authenticate somebody, or contain the token under
// any name.
func hasSecret(h http.Header, token string) bool {
	for _, name := range secretHeaders {
		if strings.Join(h[name], "") != "" {
			return true
		}
	}
	token = strings.TrimSpace(token)
	for _, values := range h {
		if token != "" && strings.Contains(strings.Join(values, "\n"), token) {
			return true
		}
	}
	return false
}

// secretsOf returns the secret values and the last word of each, because a server that quotes a header may omit
// "Bearer".
func secretsOf(h http.Header, token string) []string {
	candidates := []string{strings.TrimSpace(token)}
	for _, name := range secretHeaders {
		for _, v := range h[name] {
			candidates = append(candidates, v, v[strings.LastIndex(v, " ")+1:])
		}
	}
	var secrets []string
	for _, c := range candidates {
		// Shorter values are not secrets, and blanking them would garble the sentence around them.
		if len(c) >= 8 {
			secrets = append(secrets, c)
		}
	}
	return secrets
}

// scrub replaces secrets in a text that may quote what a server sent.
func (b *bridge) scrub(text string) string {
	for _, s := range b.secrets {
		text = strings.ReplaceAll(text, s, "[secret]")
	}
	return text
}
