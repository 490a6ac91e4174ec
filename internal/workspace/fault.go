package workspace

import (
	"strconv"
	"strings"

	"slotd/internal/lib/say"
)

// FaultCode is a kind of fault.
type FaultCode string

const (
	NotUTF8           FaultCode = "not_utf8"
	Empty             FaultCode = "empty"
	TooLong           FaultCode = "too_long"
	NotOneLine        FaultCode = "not_one_line"
	ControlCharacters FaultCode = "control_characters"
	NotASlug          FaultCode = "not_a_slug"
	ReservedSlug      FaultCode = "reserved_slug"
	NotAnEmail        FaultCode = "not_an_email"
	NotAPersonsName   FaultCode = "not_a_persons_name"
	NotAURL           FaultCode = "not_a_url"
	URLNotEscaped     FaultCode = "url_not_escaped"
	URLWithPassword   FaultCode = "url_with_password"
	URLWithFragment   FaultCode = "url_with_fragment"
	NotAnOrigin       FaultCode = "not_an_origin"
	NotAColor         FaultCode = "not_a_color"
	NotAZone          FaultCode = "not_a_zone"
	NotADate          FaultCode = "not_a_date"
	NotAWindow        FaultCode = "not_a_window"
	NotAUsername      FaultCode = "not_a_username"
	NotACalendarID    FaultCode = "not_a_calendar_id"
	NotAChoice        FaultCode = "not_a_choice"
	NotACurrency      FaultCode = "not_a_currency"
	OutOfRange        FaultCode = "out_of_range"
	NotPayable        FaultCode = "not_payable"
	TooMany           FaultCode = "too_many"
	Duplicate         FaultCode = "duplicate"
	NoSuchSchedule    FaultCode = "no_such_schedule"
	NoPlace           FaultCode = "no_place"
	PhoneWithoutText  FaultCode = "phone_without_text"
	PhoneWithBoth     FaultCode = "phone_with_both"
	NotHere           FaultCode = "not_here"
	SecondWriteBack   FaultCode = "second_write_back"
)

// Fault is what is wrong with a value. Each place that shows it has a sentence for its code, with these facts.
type Fault struct {
	Code     FaultCode
	Min, Max int    // what is allowed
	Count    int    // how many there are
	Unit     Unit   // of Min and Max
	Text     string // a word or a value that the sentence needs
}

// Error returns the sentence for those who write a workspace file or call a tool, without its subject.
func (f *Fault) Error() string { return f.Sentence(fileSentences[f.Code]) }

// Sentence fills the facts into a sentence with {min}, {max}, {count} and {text}.
func (f *Fault) Sentence(sentence say.Sentence) string {
	return strings.NewReplacer("{min}", strconv.Itoa(f.Min), "{max}", strconv.Itoa(f.Max), "{count}",
		strconv.Itoa(f.Count), "{text}", f.Text).Replace(sentence.String())
}

// fileSentences are for the workspace file, the command line and the tools.
var fileSentences = map[FaultCode]say.Sentence{
	NotUTF8:           "must be valid UTF-8",
	Empty:             "must not be empty; 1 to {max} characters are right",
	TooLong:           "must be at most {max} characters long",
	NotOneLine:        "must be one line of text without control characters",
	ControlCharacters: `must hold no control characters but tabs and newlines ("\n" alone, without "\r")`,
	NotASlug:          "must be 1 to 64 of a-z, 0-9 and -, with no dash at either end, such as intro-call",
	ReservedSlug:      "{text} is a path of the server itself; any other slug is right",
	NotAnEmail:        "must be an e-mail address of at most 254 characters",
	NotAPersonsName:   "must be a person's name, without ://",
	NotAURL:           "must be a full URL such as {text}",
	URLNotEscaped:     "must hold no spaces and no other characters that a URL escapes; %20 stands for a space",
	URLWithPassword:   "must hold no user name and no password",
	URLWithFragment:   "must have no part that begins with #",
	NotAnOrigin:       "must be a site's origin such as https://acme.example, without a path and without a slash at the end",
	NotAColor:         `must be a color such as "#0b7285", in quotes: a # and six hexadecimal digits`,
	NotAZone:          "{text}",
	NotADate:          "{text}",
	NotAWindow:        `must be a window such as "09:00-12:00", from 00:00 to 24:00, start before end`,
	NotAUsername:      "must be a user name of at most 254 characters, without a colon",
	NotACalendarID:    "must be the calendar's id at the service, such as ada@acme.example, or left out for the main one",
	NotAChoice:        "must be {text}",
	NotACurrency:      "must be an ISO 4217 code in lower case, such as usd or eur",
	OutOfRange:        "must be a whole number from {min} to {max}",
	NotPayable:        "must be a multiple of {min}, such as {max}: a smaller part of this currency cannot be paid",
	TooMany:           "must hold at most {max} {text}; it holds {count}",
	Duplicate:         "{text}",
	NoSuchSchedule:    "must name one of the schedules; there is none called {text}",
	NoPlace:           "must not be empty; it tells the guest where to be or what to do",
	PhoneWithoutText:  "must have a text, such as a number to call, or ask: true to ask the guest for one",
	PhoneWithBoth:     "must have either a text, such as a number to call, or ask: true, not both",
	NotHere:           "must be left out: {text}",
	SecondWriteBack:   "must be true for one calendar only: bookings are written into that one",
}

// FaultCodes are all codes, for tests of the places that have sentences for them.
func FaultCodes() (codes []FaultCode) {
	for code := range fileSentences {
		codes = append(codes, code)
	}
	return codes
}

func fault(code FaultCode) error { return &Fault{Code: code} }

func faultAbout(code FaultCode, text string) error { return &Fault{Code: code, Text: text} }
