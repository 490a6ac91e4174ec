package caldav

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// Found is a calendar that can be connected by its address.
type Found struct {
	URL      string
	Name     string
	Writable bool
}

// maxDiscovery limits the responses of all servers on the way to the calendars, together.
const maxDiscovery = 16 << 20

// Discover lists the account's event calendars, starting from any address of the account. The owner sees the
// addresses before one of them is connected. So, unlike reading, it follows a server to other hosts of the same
// domain, as iCloud's servers require.
func Discover(ctx context.Context, client *safehttp.Client, a Account) ([]Found, error) {
	ctx = safehttp.WithBodyLimit(ctx, maxDiscovery)
	d, err := open(client, a)
	if err != nil {
		return nil, err
	}
	all, err := d.find(ctx, sameDomain)
	if err != nil && d.base.Path != "/" && isRequestRejected(err) {
		// An address that is not a DAV resource, such as a web page, still identifies the host.
		root := &dav{d.client, d.account, d.base.ResolveReference(&url.URL{Path: "/"})}
		if found, rootErr := root.find(ctx, sameDomain); rootErr == nil {
			all, err = found, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return toFound(all.calendars), nil
}

func toFound(calendars []collection) (found []Found) {
	for _, c := range calendars {
		found = append(found, Found{URL: c.url.String(),
			Name:     cmp.Or(c.name, fileName(strings.TrimSuffix(c.id(), "/"))),
			Writable: c.writable})
	}
	slices.SortFunc(found, func(a, b Found) int { return cmp.Compare(a.URL, b.URL) })
	return found
}

// sameDomain follows https references to hosts of the same registrable domain.
func sameDomain(from *dav, to *url.URL) (*dav, error) {
	if safehttp.Origin(from.base) == safehttp.Origin(to) {
		return from, nil
	}
	if to.Scheme != "https" || to.User != nil || !isSameDomain(from.base.Hostname(), to.Hostname()) {
		return nil, calendar.Errorf(calendar.Unusable,
			"The account's calendars aren't on %s but on %s://%s. The password is only sent to https addresses of the same "+
				"domain.", from.host(), clip(to.Scheme), safehttp.Host(to)).Advise(calendar.CheckAddress)
	}
	return &dav{from.client, from.account, to}, nil
}

// isSameDomain is false for IP addresses, which have no domain.
func isSameDomain(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if a == b {
		return true
	}
	ofA, errA := publicsuffix.EffectiveTLDPlusOne(a)
	ofB, errB := publicsuffix.EffectiveTLDPlusOne(b)
	return errA == nil && errB == nil && ofA == ofB
}
