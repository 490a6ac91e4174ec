package limit

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

func mustParse(t *testing.T, cidrs ...string) Proxies {
	t.Helper()
	p, err := ParseProxies(cidrs)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParseProxies_TakesListsNetworksAndAddresses(t *testing.T) {
	p := mustParse(t, "10.0.0.0/8, 192.0.2.7", "", "2001:db8::/32\n::ffff:172.16.0.0/108", "10.9.8.7/16")
	want := "10.0.0.0/8 192.0.2.7/32 2001:db8::/32 172.16.0.0/12 10.9.0.0/16"
	var got []string
	for _, network := range p {
		got = append(got, network.String())
	}
	if strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestParseProxies_NamesWhatIsWrong(t *testing.T) {
	for _, bad := range []string{"10.0.0.0/33", "proxy.example", "10.0.0", "::ffff:10.0.0.0/90", "10.0.0.1:80", "*"} {
		_, err := ParseProxies([]string{"10.0.0.0/8", bad})
		if err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}

func TestClient(t *testing.T) {
	const trusted = "10.0.0.0/8, 2001:db8:ffff::/48"
	for _, c := range []struct {
		name, proxies, remote string
		forwarded             []string // header lines
		want                  string
	}{
		{"no proxy", "", "198.51.100.1:4000", nil, "198.51.100.1"},
		{"header without any trusted proxy", "", "198.51.100.1:4000", []string{"203.0.113.9"}, "198.51.100.1"},
		{"header from a stranger", trusted, "198.51.100.1:4000", []string{"203.0.113.9"}, "198.51.100.1"},
		{"one proxy", trusted, "10.0.0.1:4000", []string{"203.0.113.9"}, "203.0.113.9"},
		{"spoofed in front", trusted, "10.0.0.1:4000", []string{"1.1.1.1, 10.0.0.3, 203.0.113.9"}, "203.0.113.9"},
		{"two proxies", trusted, "10.0.0.1:4000", []string{"1.1.1.1, 203.0.113.9, 10.0.0.2"}, "203.0.113.9"},
		{"several header lines are one list", trusted, "10.0.0.1:4000", []string{"1.1.1.1", "203.0.113.9,10.0.0.2"},
			"203.0.113.9"},
		{"a line of proxies only", trusted, "10.0.0.1:4000", []string{"203.0.113.9", "10.0.0.3, 10.0.0.2"},
			"203.0.113.9"},
		{"all trusted", trusted, "10.0.0.1:4000", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"no header", trusted, "10.0.0.1:4000", nil, "10.0.0.1"},
		{"empty header", trusted, "10.0.0.1:4000", []string{""}, "10.0.0.1"},
		{"garbage stops at the last good one", trusted, "10.0.0.1:4000", []string{"203.0.113.9, unknown, 10.0.0.2"},
			"10.0.0.2"},
		{"an empty entry is garbage", trusted, "10.0.0.1:4000", []string{"203.0.113.9,, 10.0.0.2"}, "10.0.0.2"},
		{"garbage in a later line", trusted, "10.0.0.1:4000", []string{"203.0.113.9", "_hidden"}, "10.0.0.1"},
		{"garbage behind the client is not reached", trusted, "10.0.0.1:4000", []string{"<script>, 203.0.113.9"},
			"203.0.113.9"},
		{"with ports", trusted, "10.0.0.1:4000", []string{"203.0.113.9:1234, [2001:db8:ffff::2]:443"}, "203.0.113.9"},
		{"IPv6", trusted, "[2001:db8:ffff::1]:4000", []string{"2001:db8:1::9"}, "2001:db8:1::9"},
		{"mapped remote is trusted as IPv4", trusted, "[::ffff:10.0.0.1]:4000", []string{"::ffff:203.0.113.9"},
			"203.0.113.9"},
		{"mapped proxy in the header", trusted, "10.0.0.1:4000", []string{"203.0.113.9, ::ffff:10.0.0.2"},
			"203.0.113.9"},
		{"zone", "fe80::/10", "[fe80::1%eth0]:4000", []string{"203.0.113.9"}, "203.0.113.9"},
		{"remote without a port", trusted, "198.51.100.1", nil, "198.51.100.1"},
		{"no address at all", trusted, "@", []string{"203.0.113.9"}, "invalid IP"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.forwarded}}
			if got := mustParse(t, c.proxies).Client(r); got.String() != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestKey_CountsIPv6ByNetworkAndIPv4Whole(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7":              "192.0.2.7",
		"::ffff:192.0.2.7":       "192.0.2.7",
		"2001:db8:1:2:3:4:5:6":   "2001:db8:1:2::",
		"2001:db8:1:2:ffff::":    "2001:db8:1:2::",
		"2001:db8:1:3:3:4:5:6":   "2001:db8:1:3::",
		"fe80::1%eth0":           "fe80::",
		"fe80::2%eth1":           "fe80::",
		"::":                     "::",
		"::1":                    "::",
		"2001:db8:1:2:3:4:5:6%x": "2001:db8:1:2::",
	} {
		if got := Key(netip.MustParseAddr(address)); got.String() != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	if got := Key(netip.Addr{}); got.IsValid() {
		t.Errorf("the unknown address became %s", got)
	}
}

func FuzzClient(f *testing.F) {
	f.Add("10.0.0.1:1", "1.2.3.4, 10.0.0.2")
	f.Add("[::1%a]:1", ",,,\x00")
	proxies := Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::/0")}
	f.Fuzz(func(t *testing.T, remote, forwarded string) {
		r := &http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": {forwarded}}}
		client := proxies.Client(r)
		if client.Zone() != "" || client.Is4In6() {
			t.Errorf("%s is not in its one spelling", client)
		}
		if again := Key(Key(client)); again != Key(client) {
			t.Errorf("%s has two keys", client)
		}
	})
}
