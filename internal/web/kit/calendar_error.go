package kit

import (
	"slotd/internal/calendar"
	"slotd/internal/lib/say"
)

// CalendarError tells somebody who is connecting a calendar what is wrong and what to do. Nobody reads a calendar again
// that is not connected, so it promises no retry.
func CalendarError(e *calendar.Error) string { return calendar.ErrorText(e, calendarAdvice) }

var calendarAdvice = map[calendar.Advice]say.Sentence{
	calendar.NoAdvice:       "",
	calendar.Wait:           "Please try again later.",
	calendar.CheckAddress:   "Check the address.",
	calendar.UseFeedAddress: "Use the address that your calendar's settings show as ICS or iCal.",
	calendar.UseOwnAddress:  "Connect the calendar by its own address.",
	calendar.CheckPassword: "Check the user name and password. If the account uses two-factor sign-in, create an app " +
		"password there.",
	calendar.GiveConsent:    "Open the link again and allow access.",
	calendar.CheckAccess:    "Check in its account that you have access to it.",
	calendar.CreateCalendar: "Create one there, or check the user name.",
	calendar.ChooseWritable: "Choose another calendar for bookings.",
	calendar.ReduceEvents:   "Choose a calendar with fewer events, for example without old ones.",
	calendar.CorrectEvent:   "Correct or delete this event in the calendar, then try again.",
	calendar.AskProvider:    "Ask whoever runs the calendar's server.",
	calendar.ChangeSettings: "Ask whoever runs this server to change its settings.",
	calendar.RestoreKey:     "Ask whoever runs this server to restore that key file.",
	calendar.SeeLog:         "Ask whoever runs this server: its log has more.",
}
