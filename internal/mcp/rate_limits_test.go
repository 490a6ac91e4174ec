package mcp

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/lib/limit"
)

// limited returns a world that allows one read and one write per second, with bursts of ten.
func limited(t *testing.T) *world {
	w := lite(t)
	w.Reads, w.Writes = limit.New[netip.Addr](1), limit.New[[32]byte](1)
	return w
}

func TestReads_AreLimitedPerAddress(t *testing.T) {
	w := limited(t)
	for range 10 {
		w.availability("intro", "").OK()
	}
	e := w.availability("intro", "").Fails(slotd.RateLimited, "retry_after_seconds")
	if e["retry_after_seconds"] != 1.0 {
		t.Errorf("%v", e)
	}
	// The rate is checked before the arguments.
	w.availability("Intro!", "").Fails(slotd.RateLimited, "retry_after_seconds")
	w.create("intro", at("02-02 10:00")).OK() // writes have their own limit
	w.Clock.Advance(time.Second)
	w.availability("intro", "").OK()
	w.availability("intro", "").Fails(slotd.RateLimited, "retry_after_seconds")
}

func TestEverythingButToolCalls_Answers429(t *testing.T) {
	w := limited(t)
	for range 10 {
		w.post(listTools).wantResult(t)
	}
	modern, header := modernRequest("server/discover", "")
	for name, a := range map[string]answer{
		"tools/list": w.post(listTools), "ping": w.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`),
		"discover":   w.post(modern, header...),
		"initialize": w.post(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`),
		"unknown":    w.post(`{"jsonrpc":"2.0","id":1,"method":"x"}`),
	} {
		if a.Status != 429 || a.Header.Get("Retry-After") != "1" {
			t.Errorf("%s: status %d, Retry-After %q", name, a.Status, a.Header.Get("Retry-After"))
		}
		if !strings.HasPrefix(a.Body, `{"jsonrpc":"2.0","id":1,"error":`) {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
	for name, a := range map[string]answer{"bad JSON": w.post(`{`), "GET": w.send("GET", nil),
		"notification": w.post(`{"jsonrpc":"2.0","method":"x"}`)} {
		if a.Status != 429 || a.Header.Get("Retry-After") != "1" {
			t.Errorf("%s: status %d, Retry-After %q", name, a.Status, a.Header.Get("Retry-After"))
		}
	}
	w.availability("intro", "").Fails(slotd.RateLimited, "retry_after_seconds")
}

func TestWrites_AreLimitedPerToken(t *testing.T) {
	w := limited(t)
	for range 10 {
		w.cancel(nowhere).Fails(slotd.BookingNotFound)
	}
	e := w.cancel("nonsense").Fails(slotd.RateLimited, "retry_after_seconds")
	if e["retry_after_seconds"] != 1.0 {
		t.Errorf("%v", e)
	}
	w.availability("intro", "").OK()
	w.cancel(nowhere, "Authorization", "Bearer "+w.services.Token("acme")).Fails(slotd.BookingNotFound)
	w.Clock.Advance(time.Second)
	w.cancel(nowhere).Fails(slotd.BookingNotFound)
}

// Somebody who tries out tokens is stopped at their address. Those who hold a real one there are not.
func TestGuesses_CountOnlyTokensThatDoNotExist(t *testing.T) {
	w := lite(t)
	w.Guesses = limit.New[netip.Addr](1)
	for range 20 {
		w.cancel(nowhere).Fails(slotd.BookingNotFound)
		w.cancel(nowhere, "Authorization", "Bearer x").Fails(slotd.Unauthorized) // not even a token
	}
	for range 10 {
		w.cancel(nowhere, "Authorization", "Bearer "+unknownToken(t, w)).Fails(slotd.Unauthorized)
	}
	w.cancel(nowhere, "Authorization", "Bearer "+unknownToken(t, w)).Fails(slotd.RateLimited, "retry_after_seconds")
	w.cancel(nowhere).Fails(slotd.BookingNotFound)
}

func TestRate_ComesBeforeTheToken(t *testing.T) {
	w := limited(t)
	unknown := "Bearer " + unknownToken(t, w)
	for range 10 {
		w.cancel(nowhere, "Authorization", unknown).Fails(slotd.Unauthorized)
	}
	w.cancel(nowhere, "Authorization", unknown).Fails(slotd.RateLimited, "retry_after_seconds")
	for range 10 {
		w.cancel(nowhere, "Authorization", "-").Fails(slotd.Unauthorized)
	}
	w.cancel(nowhere, "Authorization", "Bearer x").Fails(slotd.RateLimited, "retry_after_seconds")
}

// TestToolCalls_NeverAnswer429 checks calls that name an unknown tool. They also count.
func TestToolCalls_NeverAnswer429(t *testing.T) {
	w := limited(t)
	for i := range 25 {
		a := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}`)
		if a.Status == 429 {
			t.Fatalf("call %d: %+v", i, a)
		}
	}
}

func TestLimitedRequests_AreNotAllowedAnythingForFree(t *testing.T) {
	w := limited(t)
	body, _ := modernRequest("tools/call", `"name":"list_public_event_types","arguments":{"workspace":"acme"}`)
	for range 40 {
		if a := w.post(body); a.Status == 429 || strings.Contains(a.Body, "rate_limited") {
			return
		}
	}
	t.Error("40 modern tool calls with wrong headers were all answered at a limit of one a second")
}
