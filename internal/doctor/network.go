package doctor

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"slotd/internal/mail/delivery"
)

// outside is what other machines answered.
type outside struct {
	base, mail Check
	at         time.Time
}

// keptFor: somebody who presses the button again and again must not make the mail server lock us out.
const keptFor = 10 * time.Second

// askOutside asks everybody at once. Those who come meanwhile share the answers.
func (s *Server) askOutside(ctx context.Context) *outside {
	s.asking.Lock()
	defer s.asking.Unlock()
	now := s.Now()
	if s.asked != nil && now.Sub(s.asked.at).Abs() < keptFor {
		copied := *s.asked
		return &copied
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	out := &outside{at: now}
	var all sync.WaitGroup
	all.Go(func() { s.askBase(ctx, out) })
	all.Go(func() { out.mail = s.askMail(ctx) })
	all.Wait()
	s.asked = out
	copied := *out
	return &copied
}

// selfWithin is for one small answer.
const selfWithin = 3 * time.Second

const behindNAT = "If people reach it, nothing has to be done: a server behind a router often cannot reach itself. " +
	"Else look at the name, the proxy and the firewall."

func (s *Server) askBase(ctx context.Context, out *outside) {
	ctx, cancel := context.WithTimeout(ctx, selfWithin)
	defer cancel()
	out.base = Check{"base URL", Warn, "", behindNAT}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.BaseURL+"/healthz", nil)
	if err != nil {
		out.base = Check{"base URL", Fail, "It cannot be read as an address.",
			"Start slotd serve with --base-url, such as https://book.example."}
		return
	}
	answer, err := s.client().Do(r)
	if err != nil {
		out.base.Found = s.BaseURL + " " + delivery.Trouble(err) + " from this server."
		return
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(answer.Body, 100))
	if answer.StatusCode != http.StatusOK || string(body) != "ok\n" {
		out.base = Check{"base URL", Fail, "Something else than slotd answers at " + s.BaseURL + ".",
			"Let the proxy pass everything on to slotd, or correct --base-url."}
		return
	}
	out.base = Check{"base URL", OK, s.BaseURL + " can be reached.", ""}
}

func (s *Server) client() *http.Client {
	if s.Client != nil {
		return s.Client
	}
	// Without the proxy of the environment: guests do not go through it either.
	return &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// askMail goes as far as the login.
func (s *Server) askMail(ctx context.Context) Check {
	server, ok := s.Sender.(interface{ Probe(context.Context) error })
	if !ok {
		return Check{"mail", Unknown, "There is no mail server to ask.", ""}
	}
	if err := server.Probe(ctx); err != nil {
		s.Log.Warn("the mail server does not let us in", "error", err)
		return Check{"mail", Fail, "No mail can be sent: " + delivery.ServerAnswer(err) + ".",
			"Look at --smtp; slotd mail test tries it with a mail."}
	}
	return Check{"mail", OK, "The mail server lets us in.", ""}
}
