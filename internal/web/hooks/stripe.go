// Package hooks receives webhooks from other services. It verifies the sender, stores the event and leaves the rest to
// a job.
package hooks

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/say"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
)

// Path is where Stripe sends its events. Events of a workspace's own account come with ?workspace=SLUG.
const Path = "/api/stripe/webhook"

// maxEvent is several times the size of the largest event.
const maxEvent = 128 << 10

// Stripe handles the events that Stripe sends.
type Stripe struct {
	Booking  *booking.Service
	Cache    *snapshot.Cache
	Now      func() time.Time
	Accounts *accounts.Service
	Reads    *limit.Limiter[netip.Addr] // nil means no limit
	Proxies  limit.Proxies
	Log      *slog.Logger

	LogLimit *limit.Limiter[string] // limits log lines that anybody can cause; nil means no limit
}

func (s *Stripe) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, say.T("Send events with POST."), http.StatusMethodNotAllowed)
		return
	}
	if wait := s.Reads.Take(limit.Key(s.Proxies.Client(r)), s.Now()); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(wait)))
		http.Error(w, say.T("Too many requests."), http.StatusTooManyRequests)
		return
	}
	status, message := s.handle(w, r)
	w.WriteHeader(status)
	io.WriteString(w, message+"\n")
}

func (s *Stripe) handle(w http.ResponseWriter, r *http.Request) (status int, message string) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEvent))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return s.refuse(http.StatusRequestEntityTooLarge, errors.New("it is too long"),
			say.T("The event is too long."))
	} else if err != nil {
		return s.refuse(http.StatusBadRequest, errors.New("it ends too early"),
			say.T("The event can't be read."))
	}
	return s.receive(r, body)
}

// receive returns a 2xx status for events that Stripe need not send again.
func (s *Stripe) receive(r *http.Request, body []byte) (status int, message string) {
	account, secret, err := s.account(r)
	if slotd.Is(err, slotd.WorkspaceNotFound) {
		return s.refuse(http.StatusNotFound, errors.New("there is no such workspace"),
			say.T("There is no such workspace."))
	} else if err != nil {
		s.Log.Error("an event of Stripe cannot be checked", "error", err)
		return http.StatusInternalServerError, say.T("The event can't be checked right now.")
	}
	if secret == "" {
		return s.refuse(http.StatusBadRequest, errors.New("no webhook secret is set"),
			say.T("No webhook secret is set here."))
	}
	event, err := stripe.ReadEvent(body, r.Header.Get("Stripe-Signature"), secret)
	if errors.Is(err, stripe.ErrForeign) {
		s.Log.Warn("an event of Stripe is ignored", "reason", err)
		return http.StatusOK, say.T("Ignored: %s.", err)
	} else if err != nil {
		return s.refuse(http.StatusBadRequest, err,
			say.T("The event is rejected: its signature, time or format is invalid."))
	}
	ignored, err := s.Booking.ReceiveEvent(r.Context(), account, event)
	if err != nil {
		s.Log.Error("an event of Stripe cannot be kept", "event", event.ID, "kind", event.Kind, "error", err)
		return http.StatusInternalServerError, say.T("The event can't be saved right now.")
	}
	if ignored != "" {
		s.Log.Info("an event of Stripe is ignored", "event", event.ID, "kind", event.Kind, "reason", ignored)
		return http.StatusOK, say.T("Ignored: %s.", ignored)
	}
	return http.StatusOK, say.T("Received.")
}

// refuse logs the reason and returns the response.
func (s *Stripe) refuse(status int, reason error, message string) (int, string) {
	if s.LogLimit.Take("", s.Now()) == 0 {
		s.Log.Warn("an event of Stripe is refused", "reason", reason)
	}
	return status, message
}

// account returns the workspace whose account the request names, 0 for the operator's, and the webhook secret.
func (s *Stripe) account(r *http.Request) (workspaceID int64, secret string, err error) {
	if slug := r.URL.Query().Get("workspace"); slug != "" {
		var p *snapshot.Snapshot
		if p, err = s.Cache.Workspace(r.Context(), slug); err != nil {
			return 0, "", err
		}
		workspaceID = p.WorkspaceID
	}
	secret, err = s.Accounts.WebhookSecret(r.Context(), workspaceID)
	return workspaceID, secret, err
}
