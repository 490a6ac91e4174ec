package bridge

import (
	"net/http"
	"strings"
)

var secretHeaders = []string{"Authorization", "Proxy-Authorization", "Cookie"}

// confidential says that the header must not be read on the way: it signs somebody in, or holds the token under any
// name.
func confidential(h http.Header, token string) bool {
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

// secretsOf lists the values themselves and their last words: a server that quotes a header may leave out "Bearer".
func secretsOf(h http.Header, token string) []string {
	candidates := []string{strings.TrimSpace(token)}
	for _, name := range secretHeaders {
		for _, v := range h[name] {
			candidates = append(candidates, v, v[strings.LastIndex(v, " ")+1:])
		}
	}
	var secrets []string
	for _, c := range candidates {
		// Shorter ones are no secrets, and blanking them would garble the sentence around them.
		if len(c) >= 8 {
			secrets = append(secrets, c)
		}
	}
	return secrets
}

// scrub blanks secrets in a text that may quote what a server sent.
func (b *bridge) scrub(text string) string {
	for _, s := range b.secrets {
		text = strings.ReplaceAll(text, s, "[secret]")
	}
	return text
}
