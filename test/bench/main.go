// Command bench measures the built server against a bare net/http handler that returns the same bytes. The two are
// loaded in turn within the same run, and bench prints ratios: on a noisy machine only those mean something.
// `make bench` runs it.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	binary := flag.String("slotd", "bin/slotd", "the built server")
	bare := flag.String("bare", "", "internal: be the bare handler that answers with this file")
	round := flag.Duration("round", 1500*time.Millisecond, "how long each side runs before the other has its turn")
	rounds := flag.Int("rounds", 4, "how many turns each side has")
	only := flag.String("only", "", "run one part: reads, pages, growth, writes, postgres, calendar or footprint")
	largest := flag.Int("many", 1_000_000, "bookings of the largest workspace")
	flag.Parse()
	if *bare != "" {
		serveBare(*bare)
		return
	}
	b := &bench{binary: *binary, round: *round, rounds: *rounds, largest: *largest, only: *only, out: os.Stdout}
	current = b
	defer b.cleanUp()
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	go func() { fatal(<-interrupted) }()
	if err := b.run(); err != nil {
		fatal(err)
	}
}

// bench is one run of all measurements.
type bench struct {
	binary   string
	round    time.Duration
	rounds   int
	largest  int
	only     string
	out      io.Writer
	cleanups []func()
}

func (b *bench) cleanUp() {
	for i := len(b.cleanups) - 1; i >= 0; i-- {
		b.cleanups[i]()
	}
	b.cleanups = nil
}

func (b *bench) run() error {
	fmt.Fprintf(b.out, "Each row: %d rounds of %v for each side in turn, %d connections. CPU is the server process's "+
		"own.\n\n", b.rounds, b.round, connections)
	parts := []struct {
		name string
		run  func() error
	}{{"reads", b.reads}, {"pages", b.pages}, {"growth", b.growth}, {"writes", b.writes}, {"postgres",
		b.writesPostgres}, {"calendar", b.calendar}, {"footprint", b.footprint}}
	for _, part := range parts {
		if b.only != "" && b.only != part.name {
			continue
		}
		if err := part.run(); err != nil {
			return err
		}
		b.cleanUp()
	}
	return nil
}

// compare loads the two sides in turn and prints a row for each.
func (b *bench) compare(name string, server, bare *side) {
	for range b.rounds {
		server.runFor(b.round)
		bare.runFor(b.round)
	}
	b.row(name, server)
	b.row("  bare handler, same bytes", bare)
	fmt.Fprintf(b.out, "  ratio: %.2f by CPU per request, %.2f by requests/s\n\n",
		bare.cpuPerRequest()/server.cpuPerRequest(), server.perSecond()/bare.perSecond())
}

func (b *bench) row(name string, s *side) {
	fmt.Fprintf(b.out, "%-46s %9.0f req/s  %7.1f µs CPU/req\n", name, s.perSecond(), s.cpuPerRequest()*1e6)
}

// current is the run that fatal cleans up, so that no started server is left behind.
var current *bench

func fatalf(format string, args ...any) { fatal(fmt.Sprintf(format, args...)) }

func fatal(args ...any) {
	if current != nil {
		current.cleanUp()
	}
	log.Fatal(args...)
}
