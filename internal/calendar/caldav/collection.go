package caldav

import (
	"net/url"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// collection is one calendar on the server.
type collection struct {
	url      *url.URL // ends with a slash
	name     string
	writable bool
	state    state
}

// id returns the path as the server writes it.
func (c collection) id() string { return c.url.EscapedPath() }

// davResource is a resource on the server with its properties.
type davResource struct {
	url  *url.URL
	prop prop
}

func (r davResource) collection() collection {
	return collection{
		url:      withSlash(r.url),
		name:     safehttp.Printable(strings.TrimSpace(r.prop.Name), 200),
		writable: r.prop.isWritable(),
		state:    state{Sync: strings.TrimSpace(r.prop.SyncToken), CTag: strings.TrimSpace(r.prop.CTag)},
	}
}

// withSlash is necessary so that references are relative to the collection, not to its parent.
func withSlash(u *url.URL) *url.URL {
	if strings.HasSuffix(u.Path, "/") {
		return u
	}
	return u.JoinPath("/")
}

// memberID returns the id of an item that the server lists in the collection, or "" for the collection itself. It
// compares unescaped paths: a server may write @ for the %40 of the address.
func (d *dav) memberID(c collection, href string) (id string, err error) {
	u, err := d.resolve(c.url, href)
	if err != nil {
		return "", err
	}
	if withSlash(u).Path == c.url.Path {
		return "", nil
	}
	name, inside := strings.CutPrefix(u.Path, c.url.Path)
	if !inside || hasDotSegment(name) || u.RawQuery != "" {
		return "", calendar.Errorf(calendar.Unusable,
			"%s lists an item outside of its calendar, perhaps because of a proxy.", d.host()).
			Advise(calendar.CheckAddress)
	}
	return u.EscapedPath(), nil
}

// hasDotSegment finds dot segments that were hidden from the URL parser as %2e.
func hasDotSegment(name string) bool {
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// contains reports whether the id belongs to the collection.
func (c collection) contains(id string) bool { return strings.HasPrefix(unescaped(id), c.url.Path) }

// unescaped returns the same spelling for all escapings of a path.
func unescaped(id string) string {
	if path, err := url.PathUnescape(id); err == nil {
		return path
	}
	return id
}

// fileName returns the part of an id that may be shown in a sentence.
func fileName(id string) string {
	path := unescaped(id)
	return clip(path[strings.LastIndex(path, "/")+1:])
}

// clip shortens text from outside, so that it cannot fill a sentence.
func clip(text string) string { return safehttp.Printable(text, 60) }
