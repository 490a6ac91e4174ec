package cli

import (
	"slotd/internal/calendar"
	"slotd/internal/lib/say"
)

// calendarAdvice says what to do from the command line about a calendar that cannot be read.
var calendarAdvice = map[calendar.Advice]say.Sentence{
	calendar.NoAdvice:       "",
	calendar.Wait:           "Try again later.",
	calendar.CheckAddress:   "Check the address.",
	calendar.UseFeedAddress: "Use the address or file that the calendar's settings offer as ICS or iCal.",
	calendar.UseOwnAddress:  "Connect the calendar by its own address. See slotd calendar find.",
	calendar.CheckPassword: "Check the user name and password. If the account uses two-factor sign-in, create an app " +
		"password there.",
	calendar.GiveConsent:    "Run slotd calendar connect and open the link that it prints.",
	calendar.CheckAccess:    "Check in the account that it has access to the calendar.",
	calendar.CreateCalendar: "Create one there, or check the user name.",
	calendar.ChooseWritable: "Set write_back for another calendar.",
	calendar.ReduceEvents:   "Connect a calendar with fewer events, for example without old ones.",
	calendar.CorrectEvent:   "Correct or delete this event in the calendar.",
	calendar.AskProvider:    "Ask whoever runs the calendar's server.",
	calendar.ChangeSettings: "Correct the settings. See slotd serve --help.",
	calendar.RestoreKey:     "Use that file as --secret-key-file, or apply the workspace file with the password.",
	calendar.SeeLog:         "The log has more.",
}
