package owner

import (
	"net/netip"
	"net/url"
)

var passkeyDoors = []door{}

// passkeysWork: browsers have none for a host that is an address.
func (v *visit) passkeysWork() bool {
	u, err := url.Parse(v.Booking.BaseURL)
	if err != nil {
		return false
	}
	_, err = netip.ParseAddr(u.Hostname())
	return err != nil
}
