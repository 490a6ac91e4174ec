package caldav

import (
	"encoding/xml"
	"fmt"
	"strings"
)

const namespaces = ` xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"`

const (
	resourceQuery = `<propfind` + namespaces +
		`><prop><resourcetype/><displayname/><current-user-principal/><C:calendar-home-set/>` +
		`<C:supported-calendar-component-set/><current-user-privilege-set/><sync-token/><CS:getctag/></prop></propfind>`

	itemProps  = `<prop><getetag/><resourcetype/><getcontenttype/></prop>`
	itemsQuery = `<propfind` + namespaces + `>` + itemProps + `</propfind>`
	tagQuery   = `<propfind` + namespaces + `><prop><getetag/></prop></propfind>`
)

// syncQuery is defined in RFC 6578, 3.2.
func syncQuery(token string) string {
	return fmt.Sprintf(`<sync-collection`+namespaces+`><sync-token>%s</sync-token><sync-level>1</sync-level>`+itemProps+
		`</sync-collection>`, escape(token))
}

// multigetQuery is defined in RFC 4791, 7.9.
func multigetQuery(ids []string) string {
	var b strings.Builder
	b.WriteString(`<C:calendar-multiget` + namespaces + `><prop><getetag/><C:calendar-data/></prop>`)
	for _, id := range ids {
		b.WriteString(`<href>` + escape(id) + `</href>`)
	}
	b.WriteString(`</C:calendar-multiget>`)
	return b.String()
}

// uidQuery is defined in RFC 4791, 7.8.6. It also matches parts of UIDs, and some servers return everything, so the
// caller must check the result.
func uidQuery(uid string) string {
	return `<C:calendar-query` + namespaces +
		`><prop><getetag/><C:calendar-data/></prop><C:filter><C:comp-filter name="VCALENDAR">` +
		`<C:comp-filter name="VEVENT"><C:prop-filter name="UID"><C:text-match>` + escape(uid) +
		`</C:text-match></C:prop-filter>` +
		`</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
}

func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // writing to a Builder never fails
	return b.String()
}
