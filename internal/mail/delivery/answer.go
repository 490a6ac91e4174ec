package delivery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/emersion/go-smtp"

	"slotd/internal/mail"
)

// failure is an ordinary error: the server's trouble, or ours, but not this mail's.
type failure struct {
	text  string
	told  string // the same without the names of machines
	code  int    // what the server answered; 0: nothing
	cause error  // nil unless the caller ended the attempt
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// tooSlow is the cause of a step that ran out of time.
type tooSlow time.Duration

func (t tooSlow) Error() string { return "no answer within " + time.Duration(t).String() }

// explain turns the error of a step into one that can be shown. It keeps nothing of the original,
// whose text the server may have written.
func (s *session) explain(ctx context.Context, step string, err error) *failure {
	f := &failure{}
	said := ""
	var answer *smtp.SMTPError
	var slow tooSlow
	switch ended := context.Cause(ctx); {
	case errors.As(err, &answer):
		f.code = answer.Code
		said = fmt.Sprintf("%03d %s%s", answer.Code, enhanced(answer.EnhancedCode), s.clean(answer.Message))
	case errors.As(ended, &slow):
		said = slow.Error()
	case ended != nil:
		f.cause = ctx.Err()
		said = f.cause.Error()
	default:
		said = s.clean(err.Error())
	}
	s.broken = f.code < 400 || f.code == 421 // 421: the server hangs up
	f.text = fmt.Sprintf("mail server %s, %s: %s", s.server.hostPort(), step, said)
	f.told = fmt.Sprintf("the mail server, at %s: %s", step, said)
	if ended := context.Cause(ctx); f.code == 0 && (ended != nil || isNetwork(err)) {
		f.told = "the mail server " + Trouble(cmp.Or(ended, err))
	}
	return f
}

// lacks is for a server that cannot be used as the operator wants.
func (s *session) lacks(what string) error {
	return &failure{text: "mail server " + s.server.hostPort() + " " + what, told: "the mail server " + what}
}

func enhanced(code smtp.EnhancedCode) string {
	if code == (smtp.EnhancedCode{}) {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d ", code[0], code[1], code[2])
}

// aboutUs are permanent answers that an operator can mend, wherever in the conversation they come:
// the server wants a login, a better one or TLS first (RFC 4954, section 6; 502 and 503 are what
// some answer to a command that needs a login).
var aboutUs = map[int]bool{502: true, 503: true, 530: true, 534: true, 535: true, 538: true}

// refusal makes a *Refused of a failure that is a permanent answer to this mail.
func refusal(err error) error {
	var f *failure
	if errors.As(err, &f) && f.code/100 == 5 && !aboutUs[f.code] {
		return &Refused{f.text, f.told}
	}
	return err
}

const maxText = 300 // characters of a server's text

var (
	anAddress = regexp.MustCompile(`\S+@\S+`)
	spaces    = regexp.MustCompile(`\s+`)
)

// clean makes a server's text fit for a log and a terminal: one short line without control
// characters, personal data or secrets.
func (s *session) clean(text string) string {
	text = strings.Map(printable, spaces.ReplaceAllString(text, " "))
	for _, secret := range s.hidden {
		text = regexp.MustCompile("(?i)"+regexp.QuoteMeta(secret)).ReplaceAllString(text, "***")
	}
	text = anAddress.ReplaceAllString(text, "***")
	if runes := []rune(text); len(runes) > maxText {
		text = string(runes[:maxText]) + "…"
	}
	return strings.TrimSpace(text)
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return -1
}

// addressForms are the ways in which a server names the people of a mail. A name of one or two
// letters says nothing without its domain, and stands in many words.
func addressForms(m mail.Message) []string {
	var forms []string
	for _, address := range []string{m.To, m.From} {
		name, _, _ := strings.Cut(address, "@")
		if forms = append(forms, address); len(name) > 2 {
			forms = append(forms, name)
		}
	}
	return forms
}
