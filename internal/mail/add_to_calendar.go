package mail

import (
	"net/url"
	"strings"
	"time"

	"slotd/internal/lib/say"
)

// These links go to other services, so they contain what, when and where, but no secret link and no notes. Browsers
// and mail clients cut links after about 2,000 characters, so each value has a limit.
const (
	maxSubject  = 600
	maxLocation = 800
	maxDetails  = 300
)

// GoogleURL returns a link that opens Google Calendar with the event filled in.
func (n *Notice) GoogleURL() string {
	const stamp = "20060102T150405Z"
	return "https://calendar.google.com/calendar/render?action=TEMPLATE" +
		"&text=" + escapeUpTo(n.summary(), maxSubject) +
		"&dates=" + n.Booking.StartsAt.UTC().Format(stamp) + "/" + n.Booking.EndsAt.UTC().Format(stamp) +
		"&location=" + n.placeForLink() +
		"&details=" + n.detailsForLink()
}

// OutlookURL returns a link that opens Outlook.com with the event filled in.
func (n *Notice) OutlookURL() string {
	return "https://outlook.live.com/calendar/0/action/compose?rru=addevent" +
		"&subject=" + escapeUpTo(n.summary(), maxSubject) +
		"&startdt=" + escapeInstant(n.Booking.StartsAt) +
		"&enddt=" + escapeInstant(n.Booking.EndsAt) +
		"&location=" + n.placeForLink() +
		"&body=" + n.detailsForLink()
}

// placeForLink never cuts the join link: half a link leads nowhere.
func (n *Notice) placeForLink() string {
	if join := escape(webLink(n.Booking.JoinURL)); join != "" && len(join) <= maxLocation {
		return join
	}
	return escapeUpTo(cleanLine(n.Booking.Location), maxLocation)
}

func (n *Notice) detailsForLink() string {
	return escapeUpTo(say.T("Booked with %s", n.workspace()), maxDetails)
}

func escapeInstant(t time.Time) string { return escape(t.UTC().Format(time.RFC3339)) }

// escapeUpTo escapes s for a link and cuts it to at most limit bytes.
func escapeUpTo(s string, limit int) string {
	if whole := escape(s); len(whole) <= limit {
		return whole
	}
	var out strings.Builder
	ellipsis := escape("…")
	for _, r := range s {
		next := escape(string(r))
		if out.Len()+len(next)+len(ellipsis) > limit {
			break
		}
		out.WriteString(next)
	}
	return out.String() + ellipsis
}

// escape encodes a space as %20: Outlook shows a plus as a plus.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
