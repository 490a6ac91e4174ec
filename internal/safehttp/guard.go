package safehttp

import (
	"context"
	"fmt"
	"net/netip"
	"syscall"
)

// guard holds the networks that may be reached although they are not public.
type guard []netip.Prefix

// Refused is an address that no request may go to.
type Refused struct{ Addr netip.Addr }

func (r *Refused) Error() string {
	return fmt.Sprintf("%s is an address of a private network, which is not reached from here unless --allow-networks names it", r.Addr)
}

// notPublic are the networks that lie on the operator's side, or lead there.
var notPublic = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16",
	"fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// control runs after the name was looked up, for each address that is tried, so that a name cannot
// change its answer in between.
func (g guard) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%q is no address", address)
	}
	if addr := target.Addr().Unmap().WithZone(""); !g.allows(addr) {
		return &Refused{addr}
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
