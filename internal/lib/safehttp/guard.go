package safehttp

import (
	"context"
	"fmt"
	"net/netip"
	"syscall"

	"slotd/internal/lib/say"
)

// guard holds the networks that may be reached although they are not public.
type guard []netip.Prefix

// Refused is the error for a server that must not be reached. Its text names the requested host but never its
// address: otherwise an owner could look up the operator's internal names.
type Refused struct {
	Host string
	Addr netip.Addr
}

func (r *Refused) Error() string { return notAllowed.With(r.Host) }

const notAllowed say.Sentence = "%s is in a private network, or leads to one, that --allow-networks doesn't include."

// notPublic are the networks that may belong to the operator or lead to the operator's network: those in the IANA
// special-purpose registries, and all of IPv6 outside global unicast, 2000::/3.
var notPublic = prefixes(
	"0.0.0.0/8",        // this host
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // carrier-grade NAT; Alibaba's metadata service
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // Azure's service for its own machines; only the number looks public
	"169.254.0.0/16",   // link-local; the metadata service of most clouds
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // IETF protocols; Oracle's metadata service
	"192.0.2.0/24",     // documentation
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved; broadcast

	"::/3",          // unspecified, loopback, all forms that embed an IPv4 address, NAT64 (64:ff9b), discard (100::)
	"2001::/23",     // IETF protocols; Teredo, which embeds an IPv4 address
	"2001:db8::/32", // documentation
	"2002::/16",     // 6to4, which embeds an IPv4 address
	"3ffe::/16",     // the former 6bone
	"3fff::/20",     // documentation
	"4000::/2",      // not assigned; segment routing (5f00)
	"8000::/1",      // not assigned; private (fc00), link-local (fe80), site-local (fec0), multicast (ff00)
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// control checks an address before the dialer connects to it. It runs after the name lookup, for each address that is
// tried, so the name cannot resolve to something else in between.
func (g guard) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%q is no address", address)
	}
	if addr := target.Addr().Unmap().WithZone(""); !g.allows(addr) {
		return &Refused{Addr: addr} // SanitizeError adds the host
	}
	return nil
}

func (g guard) allows(addr netip.Addr) bool {
	return contains(g, addr) || !contains(notPublic, addr)
}

func contains(networks []netip.Prefix, addr netip.Addr) bool {
	for _, n := range networks {
		if n.Contains(addr) {
			return true
		}
	}
	return false
}
