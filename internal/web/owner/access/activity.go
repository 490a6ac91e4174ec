package access

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"slotd"

	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

const activityPath = "/settings/activity"

var activityRoutes = []page.Route[visit]{
	page.At(activityPath, page.Member, (*visit).activityPage, nil),
}

// activityPerPage is how many entries a page shows.
const activityPerPage = 50

type activityContent struct {
	Zone  string
	Days  []activityDay
	Older string // the address of the next page; empty: this is the last one
	First bool
}

type activityDay struct {
	Day   string
	Lines []activityLine
}

type activityLine struct {
	Who, What, From, When string
	Details               []string
	Booking               string // the id, which links to the booking's page
}

// Short returns enough of a booking's id to tell it from others. The first half of an id is the time.
func (l activityLine) Short() string { return "…" + l.Booking[max(0, len(l.Booking)-12):] }

// add puts a line under its day.
func (c *activityContent) add(day string, l activityLine) {
	if len(c.Days) == 0 || c.Days[len(c.Days)-1].Day != day {
		c.Days = append(c.Days, activityDay{Day: day})
	}
	last := &c.Days[len(c.Days)-1]
	last.Lines = append(last.Lines, l)
}

// activityPage lists what was done, newest first. The address says where a page begins, so that new entries do not
// shift it.
func (v *visit) activityPage() error {
	at, id, given := readCursor(v.Value("before"))
	rows, err := v.Owners.Activity(v.R.Context(), v.Snapshot.WorkspaceID, at, id, activityPerPage+1)
	if err != nil {
		return err
	}
	c := &activityContent{First: !given, Zone: v.Snapshot.TimeZone}
	if len(rows) > activityPerPage {
		rows = rows[:activityPerPage]
		last := rows[len(rows)-1]
		c.Older = fmt.Sprintf("%s?before=%d.%d", activityPath, last.At, last.ID)
	}
	n := &namer{v: v, known: map[string]string{}}
	for _, row := range rows {
		line, err := n.line(row)
		if err != nil {
			return err
		}
		c.add(v.Local().Day(time.UnixMilli(row.At)), line)
	}
	return v.Show(http.StatusOK, "activity", say.T("Activity"), c)
}

// readCursor parses a position in the list. Without a valid one the list starts at the newest entry.
func readCursor(text string) (at, id int64, given bool) {
	first, second, _ := strings.Cut(text, ".")
	at, wrongAt := strconv.ParseInt(first, 10, 64)
	id, wrongID := strconv.ParseInt(second, 10, 64)
	if wrongAt != nil || wrongID != nil {
		return math.MaxInt64, math.MaxInt64, false
	}
	return at, id, true
}

// namer resolves actors to names, with one query for each.
type namer struct {
	v     *visit
	known map[string]string
}

func (n *namer) line(row identity.ActivityEntry) (l activityLine, err error) {
	l = activityLine{What: whatWasDone(row), From: row.Address, When: n.v.Local().Time(time.UnixMilli(row.At))}
	if row.Address == slotd.Operator.Address {
		l.From = say.T("the command line")
	}
	if l.Who, err = n.name(row.Actor); err != nil || row.Detail == "" {
		return l, err
	}
	switch {
	case strings.HasPrefix(row.Kind, "booking."):
		l.Booking = row.Detail
	// there is nothing to add
	case row.Kind == "workspace.created" || row.Kind == "member.removed" && row.Detail == row.Actor:
	case slotd.ParseActor(row.Detail).Kind == slotd.UserActor:
		name, err := n.name(row.Detail)
		l.Details = []string{name}
		return l, err
	default:
		l.Details = strings.Split(row.Detail, "\n")
	}
	return l, nil
}

// name returns an owner's address, even if they have left, or a token's name, even if it was revoked.
func (n *namer) name(actor string) (name string, err error) {
	if name, ok := n.known[actor]; ok {
		return name, nil
	}
	by := slotd.ParseActor(actor)
	switch by.Kind {
	case slotd.OperatorActor:
		return say.T("The operator"), nil
	case slotd.ConsentActor:
		return say.T("Someone with the calendar's link"), nil
	case slotd.RetentionActor:
		return say.T("The server"), nil
	}
	if name, err = n.v.Owners.ActorName(n.v.R.Context(), n.v.Snapshot.WorkspaceID, by); err != nil {
		return "", err
	}
	if name == "" {
		name = actor
	}
	n.known[actor] = name
	return name, nil
}

// whatWasDone returns the phrase that follows the actor's name. It returns an unknown kind as it is.
func whatWasDone(row identity.ActivityEntry) string {
	if row.Kind == "member.removed" && row.Detail == row.Actor {
		return say.T("left the workspace")
	}
	if words, ok := ActivityWords[row.Kind]; ok {
		return words.String()
	}
	return row.Kind
}

// ActivityWords are the phrases for each kind of activity.
var ActivityWords = map[string]say.Sentence{
	"account.renamed":            "changed their name",
	"booking.canceled":           "canceled a booking",
	"booking.created":            "created a booking",
	"booking.rescheduled":        "rescheduled a booking",
	"bookings.forgotten":         "erased personal data from old bookings",
	"calendar.agreed":            "gave access to a calendar",
	"mail.retried":               "resent failed emails",
	"mail.tested":                "sent a test email",
	"member.invitation.canceled": "revoked an invitation",
	"member.invited":             "invited another owner",
	"member.joined":              "became an owner",
	"member.link":                "created a sign-in link for an owner",
	"member.removed":             "removed an owner",
	"passkey.added":              "added a passkey",
	"passkey.removed":            "removed a passkey",
	"password.changed":           "changed their password",
	"payments.connected":         "connected a payment account",
	"payments.disconnected":      "disconnected the payment account",
	"person.erased":              "erased a person's data",
	"person.exported":            "exported a person's data",
	"session.ended":              "ended a session",
	"signed.in":                  "signed in",
	"signed.in.refused":          "failed to sign in",
	"token.created":              "created a token",
	"token.revoked":              "revoked a token",
	"workspace.changed":          "changed the settings",
	"workspace.created":          "created the workspace",
}
