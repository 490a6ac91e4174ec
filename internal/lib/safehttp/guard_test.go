package safehttp

import (
	"context"
	"errors"
	"net/netip"
	"testing"
)

// refusedAddrs are written out, and not derived from the guard's own list, because they test it.
var refusedAddrs = map[string][]string{
	"unspecified": {"0.0.0.0", "0.255.255.255", "::"},
	"loopback":    {"127.0.0.1", "127.255.255.255", "::1"},
	"private": {"10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255",
		"fc00::", "fd00:ec2::254", "fdff::1"},
	"link-local":     {"169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::", "fe80::a9fe:a9fe", "febf::1"},
	"site-local":     {"fec0::", "feff:ffff::1"},
	"CGNAT":          {"100.64.0.0", "100.100.100.200", "100.127.255.255"},
	"cloud services": {"168.63.129.16", "192.0.0.192"},
	"multicast":      {"224.0.0.0", "239.255.255.255", "ff00::", "ff02::1", "ffff::1"},
	"reserved": {"192.88.99.1", "198.18.0.0", "198.19.255.255", "240.0.0.0", "255.255.255.255", "100::1",
		"5f00::1", "4000::1", "9fff::1", "3ffe::1"},
	"documentation": {"192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff:fff::1"},
	"IPv4-mapped":   {"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0.0.0.0"},
	"IPv4-like":     {"::127.0.0.1", "::10.0.0.1", "::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"},
	"NAT64": {"64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b::8.8.8.8", "64:ff9b:1::10.0.0.1",
		"64:ff9b:1:ffff::1"},
	"6to4":        {"2002::", "2002:7f00:1::1", "2002:a9fe:a9fe::", "2002:808:808::1"},
	"Teredo":      {"2001::", "2001:0:4136:e378:8000:63bf:3fff:fdd2"},
	"ORCHID":      {"2001:10::1", "2001:20::1", "2001:1ff::1"},
	"with a zone": {"fe80::1%eth0", "::1%lo", "ff02::1%2", "::ffff:127.0.0.1%lo"},
}

var publicAddrs = []string{
	"1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
	"128.0.0.0",
	"168.63.129.15", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
	"223.255.255.255",
	"2001:200::1", "2001:4860:4860::8888", "2003::1", "2606:4700:4700::1111", "2a00::1", "::ffff:8.8.8.8",
}

// controlled returns what the guard tells the dialer about an address.
func controlled(g guard, addr string) error {
	return g.control(context.Background(), "tcp", netip.AddrPortFrom(netip.MustParseAddr(addr), 443).String(), nil)
}

func TestGuard_RefusesWhatIsNotPublic(t *testing.T) {
	for name, addrs := range refusedAddrs {
		for _, addr := range addrs {
			var refused *Refused
			if err := controlled(nil, addr); !errors.As(err, &refused) {
				t.Errorf("%s: %s: %v", name, addr, err)
			}
		}
	}
}

func TestGuard_LetsPublicAddressesThrough(t *testing.T) {
	for _, addr := range publicAddrs {
		if err := controlled(nil, addr); err != nil {
			t.Error(err)
		}
	}
}

func TestGuard_RefusesWhatIsNoAddress(t *testing.T) {
	for _, address := range []string{"", "localhost:80", "127.0.0.1", "2130706433:80", "0x7f.1:80"} {
		if err := (guard{}).control(t.Context(), "tcp", address, nil); err == nil {
			t.Errorf("%q is let through", address)
		}
	}
}

func TestGuard_AllowsWhatTheOperatorNamesAndNoMore(t *testing.T) {
	g := guard(prefixes("10.1.0.0/16", "fd12::/16"))
	for addr, allowed := range map[string]bool{
		"10.1.0.0": true, "10.1.255.255": true, "::ffff:10.1.2.3": true, "fd12::1": true, "1.1.1.1": true,
		"10.2.0.0": false, "10.0.255.255": false, "127.0.0.1": false, "fd13::1": false, "64:ff9b::10.1.2.3": false,
		"2002:a01:203::": false,
		"::10.1.2.3":     false,
	} {
		if err := controlled(g, addr); (err == nil) != allowed {
			t.Errorf("%s: %v", addr, err)
		}
	}
}
