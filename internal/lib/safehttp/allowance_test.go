package safehttp

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

func kilobyte(w http.ResponseWriter, _ *http.Request) { _, _ = io.CopyN(w, zeros{}, 1<<10) }

func TestAllowance_HoldsForAllAnswersTogether(t *testing.T) {
	r := request(t, serve(t, kilobyte).URL)
	ctx := WithBodyLimit(t.Context(), 3<<10)
	for i := range 3 {
		if n, err := bodyOf(t, New(loopback), r.WithContext(ctx)); err != nil || n != 1<<10 {
			t.Errorf("answer %d: %d, %v", i, n, err)
		}
	}
	if n, err := bodyOf(t, New(loopback), r.WithContext(ctx)); !errors.Is(err, ErrTooLarge) || n != 0 {
		t.Errorf("a byte more: %d, %v", n, err)
	}
	if _, err := bodyOf(t, New(loopback), r); err != nil {
		t.Errorf("another context: %v", err)
	}
}

func TestRace_RequestsShareTheirAllowance(t *testing.T) {
	r := request(t, serve(t, kilobyte).URL)
	ctx := WithBodyLimit(t.Context(), 4<<10)
	var read atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			resp, err := New(loopback).Do(r.WithContext(ctx))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			n, _ := io.Copy(io.Discard, resp.Body)
			read.Add(n)
		})
	}
	all.Wait()
	if read.Load() > 4<<10 {
		t.Errorf("%d bytes were read", read.Load())
	}
}

// It must also hold within a library, after decompression, and inside another allowance.
func TestAllowance_HoldsEverywhere(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		_, _ = io.CopyN(packed, zeros{}, 1<<20)
		packed.Close()
	})
	for name, ctx := range map[string]context.Context{
		"one":         WithBodyLimit(t.Context(), 1<<16),
		"the wider":   WithBodyLimit(WithBodyLimit(t.Context(), 1<<16), 1<<30),
		"the tighter": WithBodyLimit(WithBodyLimit(t.Context(), 1<<30), 1<<16),
	} {
		resp, err := New(loopback).HTTP().Do(request(t, s.URL).WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, resp.Body); !errors.Is(err, ErrTooLarge) || n > 1<<16 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		resp.Body.Close()
	}
}
