package limit

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are the networks whose X-Forwarded-For header is trusted.
type Proxies []netip.Prefix

// ParseProxies parses networks and single addresses. An entry may contain several, separated by commas or spaces.
func ParseProxies(cidrs []string) (Proxies, error) {
	var proxies Proxies
	for _, entry := range cidrs {
		for _, text := range strings.FieldsFunc(entry, isSeparator) {
			network, err := parseNetwork(text)
			if err != nil {
				return nil, fmt.Errorf("%q is neither a network nor an address: write it like 10.0.0.0/8 or 192.0.2.7",
					text)
			}
			proxies = append(proxies, network)
		}
	}
	return proxies, nil
}

func isSeparator(r rune) bool {
	return strings.ContainsRune(", \t\r\n", r)
}

func parseNetwork(text string) (netip.Prefix, error) {
	network, err := netip.ParsePrefix(text)
	if err != nil {
		address, err := netip.ParseAddr(text)
		if err != nil {
			return netip.Prefix{}, err
		}
		return clean(address).Prefix(clean(address).BitLen())
	}
	// Client addresses are unmapped before they are compared, so ::ffff:10.0.0.0/104 would never match.
	if address := network.Addr(); address.Is4In6() {
		return address.Unmap().Prefix(network.Bits() - 96)
	}
	return network.Masked(), nil
}

// Client returns the address that the request comes from. Each trusted proxy vouches only for the entry to its left in
// X-Forwarded-For, so entries that a client wrote itself are never used. The zero Addr means that the address is
// unknown.
func (p Proxies) Client(r *http.Request) netip.Addr {
	client, ok := parseHop(r.RemoteAddr)
	if !ok || !p.trusts(client) {
		return client
	}
	lines := r.Header.Values("X-Forwarded-For")
	for i := len(lines) - 1; i >= 0; i-- {
		var done bool
		if client, done = p.walk(client, lines[i]); done {
			break
		}
	}
	return client
}

// walk reads one header line from the right. It is done at the first address that is not a trusted proxy, and at an
// entry that is not an address: whoever wrote that vouches for nothing.
func (p Proxies) walk(client netip.Addr, line string) (_ netip.Addr, done bool) {
	for more := true; more; {
		var entry string
		if comma := strings.LastIndexByte(line, ','); comma >= 0 {
			line, entry = line[:comma], line[comma+1:]
		} else {
			entry, more = line, false
		}
		hop, ok := parseHop(strings.TrimSpace(entry))
		if !ok {
			return client, true
		}
		if client = hop; !p.trusts(client) {
			return client, true
		}
	}
	return client, false
}

func (p Proxies) trusts(a netip.Addr) bool {
	for _, network := range p {
		if network.Contains(a) {
			return true
		}
	}
	return false
}

// parseHop parses an address with or without a port: RemoteAddr has one, and some proxies (Azure's Application Gateway)
// forward one.
func parseHop(text string) (netip.Addr, bool) {
	if address, err := netip.ParseAddr(text); err == nil {
		return clean(address), true
	}
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return clean(withPort.Addr()), true
	}
	return netip.Addr{}, false
}

// Key returns the address by which limits count: the /64 network for IPv6, because a home or a rented machine has a
// whole /64 and could otherwise be a new client with every request.
func Key(a netip.Addr) netip.Addr {
	a = clean(a)
	if a.Is6() {
		network, _ := a.Prefix(64)
		return network.Addr()
	}
	return a
}

// clean normalizes an address. A zone names one of the server's own interfaces and says nothing about the client.
func clean(a netip.Addr) netip.Addr {
	return a.Unmap().WithZone("")
}
