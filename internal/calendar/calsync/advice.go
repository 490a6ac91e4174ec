package calsync

import (
	"slotd/internal/calendar"
	"slotd/internal/lib/say"
)

// ErrorText tells the owner of a connected calendar what is wrong and what to do. It is stored, and shown later on
// pages, in emails and by the command line, so it names none of them.
func ErrorText(e *calendar.Error) string { return calendar.ErrorText(e, advice) }

var advice = map[calendar.Advice]say.Sentence{
	calendar.NoAdvice:       "",
	calendar.Wait:           "We'll try again automatically.",
	calendar.CheckAddress:   "Check its address.",
	calendar.UseFeedAddress: "Use the address that your calendar's settings show as ICS or iCal.",
	calendar.UseOwnAddress:  "Connect the calendar by its own address.",
	calendar.CheckPassword: "Check its user name and password. If the account uses two-factor sign-in, create an app " +
		"password there.",
	calendar.GiveConsent:    "Connect it again to allow access.",
	calendar.CheckAccess:    "Check in its account that you still have access to it.",
	calendar.CreateCalendar: "Create one there, or check the user name.",
	calendar.ChooseWritable: "Choose another calendar for bookings.",
	calendar.ReduceEvents:   "Connect one with fewer events, for example without old ones.",
	calendar.CorrectEvent:   "Correct or delete this event in the calendar.",
	calendar.AskProvider:    "If this doesn't change, ask whoever runs the calendar's server.",
	calendar.ChangeSettings: "Ask whoever runs this server to change its settings.",
	calendar.RestoreKey:     "Start this server with that key file, or enter the password again.",
	calendar.SeeLog:         "The server's log has more.",
}
