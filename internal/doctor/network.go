package doctor

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"slotd/internal/lib/say"
	"slotd/internal/mail/delivery"
)

// networkResult holds the checks that contact other machines.
type networkResult struct {
	base, mail Check
	at         time.Time
}

// networkCacheTime is how long a network result is reused. Somebody who presses the button repeatedly must not make the
// mail server block us.
const networkCacheTime = 10 * time.Second

// checkNetwork contacts all other machines concurrently. Concurrent callers share the result.
func (s *Server) checkNetwork(ctx context.Context) *networkResult {
	s.networkMu.Lock()
	defer s.networkMu.Unlock()
	now := s.Now()
	if s.lastNetwork != nil && now.Sub(s.lastNetwork.at).Abs() < networkCacheTime {
		copied := *s.lastNetwork
		return &copied
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(s.Timeout, networkTimeout))
	defer cancel()
	result := &networkResult{at: now}
	var wg sync.WaitGroup
	wg.Go(func() { s.checkBaseURL(ctx, result) })
	wg.Go(func() { result.mail = s.checkMail(ctx) })
	wg.Wait()
	s.lastNetwork = result
	copied := *result
	return &copied
}

// selfTimeout limits the request to our own base URL, which has a small response.
const selfTimeout = 3 * time.Second

const behindNAT say.Sentence = "If guests can reach it, you don't need to do anything: a server behind a router " +
	"often can't reach itself. Otherwise, check the host name, the proxy and the firewall."

func (s *Server) checkBaseURL(ctx context.Context, result *networkResult) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.Timeout, selfTimeout))
	defer cancel()
	result.base = Check{"base URL", Warn, "", behindNAT.String()}
	if s.BaseURL == "" {
		result.base.Found, result.base.Do = say.T("The base URL isn't known: no server has run yet."),
			say.T("Start slotd serve with --base-url.")
		return
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.BaseURL+"/healthz", nil)
	if err != nil {
		result.base = Check{"base URL", Fail, say.T("The base URL isn't a valid address."),
			say.T("Start slotd serve with --base-url, such as https://book.example.")}
		return
	}
	response, err := s.client().Do(request)
	if err != nil {
		result.base.Found = say.T("%s (checked from this server).", delivery.NetworkProblem(err).With(s.BaseURL))
		return
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, 100))
	if response.StatusCode != http.StatusOK || string(body) != "ok\n" {
		result.base = Check{"base URL", Fail, say.T("Something other than slotd answers at %s.", s.BaseURL),
			say.T("Make the proxy pass all requests to slotd, or correct --base-url.")}
		return
	}
	result.base = Check{"base URL", OK, say.T("%s can be reached.", s.BaseURL), ""}
}

func (s *Server) client() *http.Client {
	if s.Client != nil {
		return s.Client
	}
	// Do not use the proxy from the environment: guests do not go through it either.
	return &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// checkMail connects to the mail server and logs in, but sends nothing.
func (s *Server) checkMail(ctx context.Context) Check {
	server, ok := s.Sender.(interface{ Probe(context.Context) error })
	if !ok {
		return Check{"mail", Unknown, say.T("There is no mail server to check."), ""}
	}
	if err := server.Probe(ctx); err != nil {
		s.Log.Warn("the mail server does not let us in", "error", err)
		return Check{"mail", Fail, say.T("Emails can't be sent: %s.", delivery.ServerAnswer(err)),
			say.T("Check --smtp; slotd mail test sends a test email.")}
	}
	return Check{"mail", OK, say.T("The mail server accepts the login."), ""}
}
