package server

import (
	"net/http"
	"net/netip"
	"time"

	"slotd/internal/lib/limit"
	"slotd/internal/mcp"
	"slotd/internal/web/hooks"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner"
	"slotd/internal/web/public"
	"slotd/internal/workspace"
)

// These limit how much one client address can book on the pages. A busy office does not notice them; a program that
// fills a host's week does.
const (
	pageBookingsEvery  = 20 * time.Second
	pageBookingsAtOnce = 30
	holdsEvery         = 3 * time.Minute
	holdsAtOnce        = 10
	refusalsEvery      = time.Second // lines in the log
	refusalsAtOnce     = 100
)

// prepareRoutes creates the handlers and the limiters that they share.
func (s *Server) prepareRoutes() {
	handler := &mcp.Handler{Booking: s.Booking, Cache: s.Cache, Tokens: s.Tokens, Origins: s.Origins,
		Proxies: s.Proxies, Now: s.Now, Log: s.Log}
	s.stripe = &hooks.Stripe{Booking: s.Booking, Cache: s.Cache, Accounts: s.Accounts, Proxies: s.Proxies, Now: s.Now,
		Log: s.Log}
	guard := kit.Guard{Proxies: s.Proxies, Log: s.Log}
	s.Public = &public.Site{
		Booking: s.Booking, Cache: s.Cache, Links: s.Links, Calendars: s.Calendars, Accounts: s.Accounts,
		BaseURL: s.BaseURL, Guard: guard, Now: s.Now, Wait: time.Sleep, Unowned: s.Owners.IsEmpty,
	}
	s.Owner = &owner.Site{
		Booking: s.Booking, Records: s.Records, Calendars: s.Calendars, Owners: s.Owners, Tokens: s.Tokens,
		Accounts: s.Accounts, Workspaces: &workspace.Store{DB: s.DB, Keys: s.Keys}, Cache: s.Cache, Doctor: s.Doctor,
		BaseURL: s.BaseURL,
		Sender:  s.Sender, MailFrom: s.MailFrom, ToFiles: s.ToFiles,
		Guard: guard, Now: s.Now, Wait: time.Sleep, Wake: s.wake,
	}
	if s.RateLimits {
		reads := limit.New[netip.Addr](s.RateReads)
		handler.Reads, s.stripe.Reads, s.Public.Reads, s.Owner.Reads = reads, reads, reads, reads
		handler.Guesses = limit.New[netip.Addr](s.RateReads)
		handler.Writes = limit.New[[32]byte](s.RateWrites)
		s.Public.Writes = limit.New[netip.Addr](s.RateWrites)
		s.Owner.Writes = s.Public.Writes
		s.Public.Bookings = limit.NewWithInterval[netip.Addr](pageBookingsEvery, pageBookingsAtOnce*pageBookingsEvery)
		s.Public.Holds = limit.NewWithInterval[netip.Addr](holdsEvery, holdsAtOnce*holdsEvery)
		s.stripe.LogLimit = limit.NewWithInterval[string](refusalsEvery, refusalsAtOnce*refusalsEvery)
	}
	s.mcp = mcp.New(handler, s.Version)
	s.Owner.Endpoint = s.mcp
}

// Router is a mux that Routes adds to.
type Router interface {
	http.Handler
	Handle(pattern string, handler http.Handler)
}

// Routes adds every route of the server to the mux and returns it.
func (s *Server) Routes(mux Router) http.Handler {
	mux.Handle("/api/mcp", s.mcp)
	mux.Handle(hooks.Path, s.stripe)
	s.Public.Routes(mux)
	s.Owner.Routes(mux)
	mux.Handle("GET /healthz", http.HandlerFunc(s.healthz))
	mux.Handle("GET /readyz", http.HandlerFunc(s.readyz))
	return mux
}
