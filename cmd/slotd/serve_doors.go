package main

import (
	"net/http"
	"net/netip"
	"time"

	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/lib/limit"
	"slotd/internal/mcp"
	"slotd/internal/web/hooks"
	"slotd/internal/web/owner"
	"slotd/internal/web/public"
)

// openDoors makes what requests come in by, and counts who comes.
func (s *server) openDoors(bookings *booking.Service) {
	f := s.flags
	tokens := &identity.Tokens{DB: s.db, Now: s.now}
	handler := &mcp.Handler{
		Booking: bookings,
		Tokens:  tokens,
		Origins: f.origins, Proxies: f.proxyNetworks, Now: s.now, Log: s.log,
	}
	s.stripe = &hooks.Stripe{Booking: bookings, Till: s.till, Proxies: f.proxyNetworks, Log: s.log}
	s.site = &public.Site{Booking: bookings, Accounts: s.till, Proxies: f.proxyNetworks, Wait: time.Sleep, Log: s.log,
		Unowned: s.owners.IsEmpty}
	s.owner = &owner.Site{
		Booking: bookings, Owners: s.owners, Tokens: tokens, Accounts: s.till, Keys: s.keys, Sender: s.sender,
		MailFrom: bookings.MailFrom,
		ToFiles:  f.smtp == "", Proxies: f.proxyNetworks, Wait: time.Sleep, Log: s.log,
	}
	if f.rateLimit == "on" {
		reads := limit.New[netip.Addr](f.rateReads)
		handler.Reads, s.stripe.Reads, s.site.Reads, s.owner.Reads = reads, reads, reads, reads
		handler.Guesses = limit.New[netip.Addr](f.rateReads)
		handler.Writes = limit.New[[32]byte](f.rateWrites)
		s.site.Writes = limit.New[netip.Addr](f.rateWrites)
		s.owner.Writes = s.site.Writes
		s.site.Bookings = limit.NewSlow[netip.Addr](pageBookingsEvery, pageBookingsAtOnce*pageBookingsEvery)
		s.site.Holds = limit.NewSlow[netip.Addr](holdsEvery, holdsAtOnce*holdsEvery)
		s.stripe.Refusals = limit.NewSlow[string](refusalsEvery, refusalsAtOnce*refusalsEvery)
	}
	s.mcp = mcp.New(handler, version)
	s.owner.Endpoint = s.mcp
	s.owner.Doctor = s.flags.doctor(s.db, s.keys, s.till, bookings.Calendars, s.sender, s.now, s.log)
}

// router is what requests are routed by. Its routes add themselves.
type router interface {
	http.Handler
	Handle(pattern string, handler http.Handler)
}

func (s *server) routes(mux router) http.Handler {
	mux.Handle("/api/mcp", s.mcp)
	mux.Handle(hooks.Path, s.stripe)
	s.site.Routes(mux)
	s.owner.Routes(mux)
	mux.Handle("GET /healthz", http.HandlerFunc(s.healthz))
	mux.Handle("GET /readyz", http.HandlerFunc(s.readyz))
	return mux
}
