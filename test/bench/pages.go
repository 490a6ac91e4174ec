package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// pages measures an event type's page beside get_availability on the same server: same workspaces,
// same dates, same bookings in between. A page shows a month and one of its days.
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
	for _, s := range []*side{warmPages, warmTool} { // the first look at each is not what is measured
		s.runFor(b.round)
		s.requests.Store(0)
		s.cpu, s.wall = 0, 0
	}
	b.beside(fmt.Sprintf("page, 64×30, 1 booking/100 reads (%d bytes)", len(one)), warmPages, warmTool)
	b.beside("page, cold (each one made)",
		&side{process: p, request: coldPages(shops, p.addr), check: isPage},
		&side{process: p, request: cold(shops, p.addr), check: isResult})
	return nil
}

// beside prints what a page costs in get_availability calls.
func (b *bench) beside(name string, pages, tool *side) {
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

// pageIn asks as browsers do: compressed, in the guest's own zone.
func pageIn(addr, slug string, day int, zone string) []byte {
	return fmt.Appendf(nil, "GET /%s/intro?date=%s HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: gzip\r\nAccept-Language: "+
		"en-GB\r\nCookie: slotd_zone=%s\r\n\r\n",
		slug, firstDay().AddDate(0, 0, day).Format(time.DateOnly), addr, zone)
}

var zones = []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "America/Sao_Paulo",
	"Asia/Kolkata", "Europe/London", "America/Los_Angeles"}

// coldPages never asks the same twice.
func coldPages(shops []*shop, addr string) func() []byte {
	var n atomic.Int64
	return func() []byte {
		i := int(n.Add(1))
		return pageIn(addr, shops[i%len(shops)].slug, 31+i/len(shops)%600, zones[i/len(shops)/600%len(zones)])
	}
}

// isPage knows a compressed body by its first bytes. Between pages there are answers to bookings.
func isPage(body []byte) error {
	if isResult(body) == nil {
		return nil
	}
	if len(body) < 1500 || !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) && !bytes.Contains(body, []byte("<main")) {
		return errors.New("not a page")
	}
	return nil
}
