package main

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	idle    = 10 * time.Second // after which the memory is read
	kills   = 50
	killing = 100 * time.Millisecond // how long a server is loaded before it is killed
)

// footprint measures the program's size, the memory of an idle demo, and how soon a server is ready after kill -9.
func (b *bench) footprint() error {
	info, err := os.Stat(b.binary)
	if err != nil {
		return err
	}
	demo := b.slotd(b.tempDir(), "--demo")
	time.Sleep(idle)
	memory, err := residentKB(demo.cmd.Process.Pid)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%-46s %9d MB\n%-46s %9d MB\n", "binary", info.Size()>>20,
		fmt.Sprintf("memory of the demo, idle for %v", idle), memory>>10)
	starts := b.startsAfterKill()
	fmt.Fprintf(b.out, "%-46s %9v in the median of %d, %v at worst\n\n", "ready after kill -9 under load, SQLite",
		starts[kills/2].Round(time.Millisecond), kills, starts[kills-1].Round(time.Millisecond))
	return nil
}

// startsAfterKill kills loaded servers and returns how long the next one took to be ready each time, in order.
func (b *bench) startsAfterKill() (starts []time.Duration) {
	dir := b.tempDir()
	shops := b.shops(1, "--data", dir)
	for range kills {
		began := time.Now()
		p := b.slotd(dir)
		for !isReady(p.addr) {
			time.Sleep(time.Millisecond)
		}
		starts = append(starts, time.Since(began))
		(&side{process: p, request: bookings(shops, p.addr), check: isResult}).runFor(killing)
		p.cmd.Process.Kill()
		p.cmd.Wait()
	}
	slices.Sort(starts)
	return starts
}

func isReady(addr string) bool {
	response, err := http.Get("http://" + addr + "/readyz")
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func residentKB(pid int) (kb int, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	_, err = fmt.Sscan(rest, &kb)
	return kb, err
}
