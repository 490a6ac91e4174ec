// Command mutate measures how much the tests notice. It changes one small thing in a package's source, such as a
// comparison, a constant or a statement that is left out, runs the package's tests, and reports the changes with
// which they still pass. `make mutate` runs it.
//
// The tree itself is never touched: the changed file is given to `go test` as an overlay. The changes are a sample
// that a seed picks, so the same tree and the same seed give the same changes. Survivors that nobody could notice
// from outside are explained in equivalent.txt; any other makes the command fail.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"syscall"
)

// packages are mutated if the command line names none.
var packages = []string{"internal/availability/slots", "internal/booking", "internal/jobs", "internal/money/ledger",
	"internal/mcp", "internal/identity"}

//go:embed equivalent.txt
var equivalents string

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutate: ")
	r := &run{}
	flag.IntVar(&r.perPackage, "n", 40, "mutations per package")
	flag.BoolVar(&r.all, "all", false, "try every mutation")
	flag.Uint64Var(&r.seed, "seed", 1, "picks the sample")
	at := flag.String("at", "", "try every mutation whose FILE:LINE matches this regular expression")
	flag.IntVar(&r.parallel, "j", 1, "mutations tried at the same time")
	flag.StringVar(&r.tests, "run", "", "run only the tests that match, to see quickly whether a new one kills")
	flag.BoolVar(&r.listOnly, "list", false, "print the mutations without trying them")
	flag.Parse()
	if flag.NArg() > 0 {
		packages = flag.Args()
	}
	var err error
	if r.known, err = parseKnown(equivalents); err != nil {
		log.Fatal(err)
	}
	if r.at, err = regexp.Compile(*at); err != nil {
		log.Fatal(err)
	}
	if r.parallel < 1 {
		log.Fatal("-j must be at least 1")
	}
	r.all = r.all || *at != ""
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed := false
	for _, name := range packages {
		ok, err := r.mutate(ctx, strings.TrimPrefix(strings.TrimSuffix(name, "/"), "./"))
		if err != nil {
			log.Fatal(err)
		}
		failed = failed || !ok
	}
	if failed {
		os.Exit(1)
	}
}

// run is one run of the command.
type run struct {
	perPackage int
	all        bool
	seed       uint64
	at         *regexp.Regexp
	parallel   int
	tests      string
	listOnly   bool
	known      []known
}

// mutate tries the mutations of one package, prints what became of each, and reports whether all is as expected.
func (r *run) mutate(ctx context.Context, name string) (ok bool, err error) {
	p, err := load(name)
	if err != nil {
		return false, err
	}
	p.tests = r.tests
	found := p.mutations()
	chosen := r.choose(p, found)
	if len(chosen) == 0 {
		return false, fmt.Errorf("%s: nothing to try", name)
	}
	if r.listOnly {
		for _, m := range chosen {
			fmt.Printf("%-8s %s\n", m.kind, m)
		}
		return true, nil
	}
	timeout, err := timeTests(ctx, p)
	if err != nil {
		return false, err
	}
	counts, err := r.tryAll(ctx, p, chosen, timeout)
	if err != nil {
		return false, err
	}
	stale := unmatched(r.known, name, found)
	for _, k := range stale {
		fmt.Printf("stale: no mutation matches this entry of equivalent.txt any more: %s\n", k.change)
	}
	fmt.Printf("%s: %d of %d mutations tried, %d killed, %d endless, %d known, %d survived\n\n", name, len(chosen),
		len(found), counts[killed], counts[timedOut], counts[survivedKnown], counts[survived])
	return counts[survived]+len(stale) == 0, nil
}

// choose returns the mutations to try, all of which compile.
func (r *run) choose(p *pkg, found []mutation) []mutation {
	n := r.perPackage
	if r.all {
		n = len(found)
	}
	var candidates []mutation
	for _, m := range found {
		if r.at.MatchString(m.position()) {
			candidates = append(candidates, m)
		}
	}
	return sample(candidates, n, r.seed, p.compiles)
}

// tryAll tries the mutations, as many at a time as the command line allows, and counts the outcomes.
func (r *run) tryAll(ctx context.Context, p *pkg, chosen []mutation, timeout string) (map[outcome]int, error) {
	var (
		wait   sync.WaitGroup
		mu     sync.Mutex
		failed error
		counts = map[outcome]int{}
		places = make(chan struct{}, r.parallel)
	)
	for _, m := range chosen {
		places <- struct{}{}
		wait.Go(func() {
			defer func() { <-places }()
			result, by, err := try(ctx, p, m, timeout)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
				return
			}
			if result == survived && isKnown(r.known, m) {
				result = survivedKnown
			}
			counts[result]++
			fmt.Printf("%-8s %s%s\n", result, m, by)
		})
	}
	wait.Wait()
	return counts, failed
}
