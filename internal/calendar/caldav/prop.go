package caldav

import (
	"encoding/xml"
	"slices"
	"strings"
	"unicode"

	"slotd/internal/lib/safehttp"
)

// prop holds the requested properties. Missing properties are empty.
type prop struct {
	Type struct {
		Collection *struct{} `xml:"DAV: collection"`
		Calendar   *struct{} `xml:"urn:ietf:params:xml:ns:caldav calendar"`
	} `xml:"DAV: resourcetype"`
	Name        string `xml:"DAV: displayname"`
	ETag        string `xml:"DAV: getetag"`
	ContentType string `xml:"DAV: getcontenttype"`

	Principal []string `xml:"DAV: current-user-principal>href"`
	Homes     []string `xml:"calendar-home-set>href"` // no namespace: the two have different ones

	Components []struct {
		Name string `xml:"name,attr"`
	} `xml:"urn:ietf:params:xml:ns:caldav supported-calendar-component-set>comp"`
	Privileges *struct {
		List []struct {
			Any []struct{ XMLName xml.Name } `xml:",any"`
		} `xml:"DAV: privilege"`
	} `xml:"DAV: current-user-privilege-set"`

	SyncToken string  `xml:"DAV: sync-token"`
	CTag      string  `xml:"http://calendarserver.org/ns/ getctag"`
	Data      *string `xml:"urn:ietf:params:xml:ns:caldav calendar-data"`
}

func (p *prop) isCalendar() bool { return p.Type.Calendar != nil }

// holdsEvents also returns true for a calendar that does not list its components (RFC 4791, 5.2.3).
func (p *prop) holdsEvents() bool {
	for _, c := range p.Components {
		if strings.EqualFold(c.Name, "VEVENT") {
			return true
		}
	}
	return len(p.Components) == 0
}

// isWritable also returns true for a server that does not list privileges: the first write will show it.
func (p *prop) isWritable() bool {
	if p.Privileges == nil {
		return true
	}
	for _, privilege := range p.Privileges.List {
		for _, kind := range privilege.Any {
			if slices.Contains([]string{"all", "write", "write-content", "bind"}, kind.XMLName.Local) {
				return true
			}
		}
	}
	return false
}

// isForeign reports whether a file is certainly not calendar data. A file that might be is read, and causes an error
// if it is not.
func (p *prop) isForeign(id string) bool {
	kind := strings.ToLower(strings.TrimSpace(p.ContentType))
	return kind != "" && !strings.HasPrefix(kind, "text/calendar") && !strings.HasSuffix(strings.ToLower(id), ".ics")
}

func (p *prop) tag() string { return usableTag(p.ETag) }

// usableTag returns "" for a tag that could not be stored or sent back: headers may be Latin-1.
func usableTag(etag string) string {
	etag = strings.TrimSpace(etag)
	if !safehttp.IsStorable(etag, maxName) || strings.ContainsFunc(etag, unicode.IsControl) {
		return ""
	}
	return etag
}
