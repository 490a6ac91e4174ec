package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// pages measures an event type's page against get_availability on the same server: same workspaces, same dates, same
// bookings in between. A page shows a month and one of its days.
func (b *bench) pages() error {
	dir := b.tempDir()
	shops := b.shops(workspaces, "--data", dir)
	p := b.slotd(dir)
	one := slices.Clone(dial(p.addr).roundTrip(page(p.addr, shops[0].slug, 0)))
	if err := isPage(one); err != nil {
		return err
	}
	warmPages := &side{process: p, request: mixedReads(shops, p.addr, 30, page), check: isPage}
	warmTool := &side{process: p, request: mixed(shops, p.addr), check: isResult}
	for _, s := range []*side{warmPages, warmTool} { // the first request for each workspace is not measured
		s.runFor(b.round)
		s.requests.Store(0)
		s.cpu, s.wall = 0, 0
	}
	b.comparePages(fmt.Sprintf("page, 64×30, 1 booking/100 reads (%d bytes)", len(one)), warmPages, warmTool)
	b.comparePages("page, cold (each one made)",
		&side{process: p, request: coldPages(shops, p.addr), check: isPage},
		&side{process: p, request: cold(shops, p.addr), check: isResult})
	return nil
}

// comparePages prints the cost of a page relative to a get_availability call.
func (b *bench) comparePages(name string, pages, tool *side) {
	for range b.rounds {
		pages.runFor(b.round)
		tool.runFor(b.round)
	}
	b.row(name, pages)
	b.row("  get_availability, the same way", tool)
	fmt.Fprintf(b.out, "  the page costs %.2f × by CPU per request, %.2f × by time\n\n",
		pages.cpuPerRequest()/tool.cpuPerRequest(), tool.perSecond()/pages.perSecond())
}

func page(addr, slug string, day int) []byte {
	return pageIn(addr, slug, day, "Europe/Berlin")
}

// pageIn returns a request like a browser's: it accepts gzip and has the guest's own zone.
func pageIn(addr, slug string, day int, zone string) []byte {
	return fmt.Appendf(nil, "GET /%s/intro?date=%s HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: gzip\r\nAccept-Language: "+
		"en-GB\r\nCookie: slotd_zone=%s\r\n\r\n",
		slug, firstDay().AddDate(0, 0, day).Format(time.DateOnly), addr, zone)
}

var zones = []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "America/Sao_Paulo",
	"Asia/Kolkata", "Europe/London", "America/Los_Angeles"}

// coldPages never repeats a request.
func coldPages(shops []*shop, addr string) func() []byte {
	var n atomic.Int64
	return func() []byte {
		i := int(n.Add(1))
		return pageIn(addr, shops[i%len(shops)].slug, 31+i/len(shops)%600, zones[i/len(shops)/600%len(zones)])
	}
}

// isPage recognizes a compressed body by its first bytes. It also accepts the responses to the bookings in between.
func isPage(body []byte) error {
	if isResult(body) == nil {
		return nil
	}
	if len(body) < 1500 || !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) && !bytes.Contains(body, []byte("<main")) {
		return errors.New("not a page")
	}
	return nil
}
