package mail

import (
	"net/url"
	"strings"
	"time"
)

// These links leave our hands: they carry what, when and where, no secret link and no notes.
// Browsers and mail clients cut links after about 2,000 characters, so each value has a limit.
const (
	maxSubject  = 600
	maxLocation = 800
	maxDetails  = 300
)

// GoogleURL opens Google Calendar with the event filled in.
func (n *Notice) GoogleURL() string {
	const stamp = "20060102T150405Z"
	return "https://calendar.google.com/calendar/render?action=TEMPLATE" +
		"&text=" + escaped(n.summary(), maxSubject) +
		"&dates=" + n.Booking.StartsAt.UTC().Format(stamp) + "/" + n.Booking.EndsAt.UTC().Format(stamp) +
		"&location=" + n.placeForLink() +
		"&details=" + n.detailsForLink()
}

// OutlookURL does the same on Outlook.com.
func (n *Notice) OutlookURL() string {
	return "https://outlook.live.com/calendar/0/action/compose?rru=addevent" +
		"&subject=" + escaped(n.summary(), maxSubject) +
		"&startdt=" + escapedInstant(n.Booking.StartsAt) +
		"&enddt=" + escapedInstant(n.Booking.EndsAt) +
		"&location=" + n.placeForLink() +
		"&body=" + n.detailsForLink()
}

// placeForLink never cuts the join link: half a link leads nowhere.
func (n *Notice) placeForLink() string {
	if join := escape(webLink(n.Booking.JoinURL)); join != "" && len(join) <= maxLocation {
		return join
	}
	return escaped(line(n.Booking.Location), maxLocation)
}

func (n *Notice) detailsForLink() string {
	return escaped("Booked with "+n.workspace(), maxDetails)
}

func escapedInstant(t time.Time) string { return escape(t.UTC().Format(time.RFC3339)) }

// escaped is s in a link, in at most limit bytes.
func escaped(s string, limit int) string {
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

// escape writes a space as %20: Outlook shows a plus as a plus.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
