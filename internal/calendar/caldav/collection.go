package caldav

import (
	"net/url"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// collection is one calendar on the server.
type collection struct {
	at       *url.URL // ends with a slash
	name     string
	writable bool
	now      state
}

// id is its path, as the server writes it.
func (c collection) id() string { return c.at.EscapedPath() }

// described is a resource with its properties.
type described struct {
	at   *url.URL
	prop prop
}

func (r described) collection() collection {
	return collection{
		at:       withSlash(r.at),
		name:     safehttp.Shown(strings.TrimSpace(r.prop.Name), 200),
		writable: r.prop.writable(),
		now:      state{Sync: strings.TrimSpace(r.prop.SyncToken), CTag: strings.TrimSpace(r.prop.CTag)},
	}
}

// withSlash is needed for references to be relative to the collection and not to its parent.
func withSlash(u *url.URL) *url.URL {
	if strings.HasSuffix(u.Path, "/") {
		return u
	}
	return u.JoinPath("/")
}

// member is the id of what the server lists in the collection; empty for the collection itself. Paths are compared
// unescaped: a server may write the address's %40 as @.
func (d *dav) member(c collection, href string) (id string, err error) {
	u, err := d.resolve(c.at, href)
	if err != nil {
		return "", err
	}
	if withSlash(u).Path == c.at.Path {
		return "", nil
	}
	name, inside := strings.CutPrefix(u.Path, c.at.Path)
	if !inside || climbs(name) || u.RawQuery != "" {
		return "", calendar.Errorf(calendar.Unusable,
			"%s lists an item that lies outside of its calendar: check the address, "+
				"and the proxy before the server if there is one.", d.host())
	}
	return u.EscapedPath(), nil
}

// climbs finds the dots that were hidden from the parser as %2e.
func climbs(name string) bool {
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// holds reports whether the id is one of the collection's.
func (c collection) holds(id string) bool { return strings.HasPrefix(unescaped(id), c.at.Path) }

// unescaped is one spelling for all those of a path.
func unescaped(id string) string {
	if path, err := url.PathUnescape(id); err == nil {
		return path
	}
	return id
}

// fileName is the part of an id that may stand in a sentence.
func fileName(id string) string {
	path := unescaped(id)
	return clip(path[strings.LastIndex(path, "/")+1:])
}

// clip keeps a stranger's text from filling a sentence.
func clip(text string) string { return safehttp.Shown(text, 60) }
