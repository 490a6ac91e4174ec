package caldav

import (
	"encoding/xml"
	"strings"
)

const namespaces = ` xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"`

const (
	askWhat = `<propfind` + namespaces +
		`><prop><resourcetype/><displayname/><current-user-principal/><C:calendar-home-set/>` +
		`<C:supported-calendar-component-set/><current-user-privilege-set/><sync-token/><CS:getctag/></prop></propfind>`

	itemProps = `<prop><getetag/><resourcetype/><getcontenttype/></prop>`
	askItems  = `<propfind` + namespaces + `>` + itemProps + `</propfind>`
	askTag    = `<propfind` + namespaces + `><prop><getetag/></prop></propfind>`
)

// askSync is RFC 6578, 3.2.
func askSync(token string) string {
	return `<sync-collection` + namespaces + `><sync-token>` + escape(token) +
		`</sync-token><sync-level>1</sync-level>` + itemProps + `</sync-collection>`
}

// askTexts is RFC 4791, 7.9.
func askTexts(ids []string) string {
	var b strings.Builder
	b.WriteString(`<C:calendar-multiget` + namespaces + `><prop><getetag/><C:calendar-data/></prop>`)
	for _, id := range ids {
		b.WriteString(`<href>` + escape(id) + `</href>`)
	}
	b.WriteString(`</C:calendar-multiget>`)
	return b.String()
}

// askUID is RFC 4791, 7.8.6. It matches parts of UIDs too, and some servers match everything: look at what they send.
func askUID(uid string) string {
	return `<C:calendar-query` + namespaces +
		`><prop><getetag/><C:calendar-data/></prop><C:filter><C:comp-filter name="VCALENDAR">` +
		`<C:comp-filter name="VEVENT"><C:prop-filter name="UID"><C:text-match>` + escape(uid) +
		`</C:text-match></C:prop-filter>` +
		`</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
}

func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}
