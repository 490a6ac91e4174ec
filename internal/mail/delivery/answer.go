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

	"slotd/internal/lib/say"
	"slotd/internal/mail"
)

// failure is an ordinary error: a problem of the server or of ours, but not of this mail.
type failure struct {
	text       error  // names the server; for logs and the operator
	publicText string // the same without the names of machines
	code       int    // SMTP code of the server's answer; 0 if there was none
	cause      error  // nil unless the caller ended the attempt
}

func (f *failure) Error() string { return f.text.Error() }
func (f *failure) Unwrap() error { return f.cause }

// tooSlow is the cause of a step that timed out.
type tooSlow time.Duration

func (t tooSlow) Error() string { return "no answer within " + time.Duration(t).String() }

// explain turns the error of a step into one that can be shown. It does not wrap the original, because the server may
// have written its text.
func (s *session) explain(ctx context.Context, step string, err error) *failure {
	f := &failure{}
	detail := ""
	var answer *smtp.SMTPError
	var slow tooSlow
	switch cause := context.Cause(ctx); {
	case errors.As(err, &answer):
		f.code = answer.Code
		detail = fmt.Sprintf("%03d %s%s", answer.Code, enhanced(answer.EnhancedCode), s.clean(answer.Message))
	case errors.As(cause, &slow):
		detail = slow.Error()
	case cause != nil:
		f.cause = ctx.Err()
		detail = f.cause.Error()
	default:
		detail = s.clean(err.Error())
	}
	s.broken = f.code < 400 || f.code == 421 // 421: the server closes the connection
	f.text = fmt.Errorf("mail server %s, %s: %s", s.server.hostPort(), step, detail)
	f.publicText = say.T("the mail server failed at %s: %s", step, detail)
	if cause := context.Cause(ctx); f.code == 0 && (cause != nil || isNetwork(err)) {
		f.publicText = NetworkProblem(cmp.Or(cause, err)).With(say.T("the mail server"))
	}
	return f
}

// unusable returns the error for a server that cannot be used as the operator wants. The problem has a placeholder for
// the server.
func (s *session) unusable(problem say.Sentence) error {
	return &failure{text: s.withName(problem), publicText: problem.With(say.T("the mail server"))}
}

func (s *session) withName(problem say.Sentence) error {
	return errors.New(problem.With("mail server " + s.server.hostPort()))
}

func enhanced(code smtp.EnhancedCode) string {
	if code == (smtp.EnhancedCode{}) {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d ", code[0], code[1], code[2])
}

// fixableCodes are permanent answers that an operator can fix, wherever in the conversation they come: the server
// wants a login, a better one, or TLS first (RFC 4954, section 6; some servers answer 502 and 503 to a command that
// needs a login).
var fixableCodes = map[int]bool{502: true, 503: true, 530: true, 534: true, 535: true, 538: true}

// refusal turns a failure into a *Refused if it is a permanent answer to this mail.
func refusal(err error) error {
	var f *failure
	if errors.As(err, &f) && f.code/100 == 5 && !fixableCodes[f.code] {
		return &Refused{f.Error(), f.publicText}
	}
	return err
}

const maxText = 300 // characters of a server's text

var (
	addressPattern = regexp.MustCompile(`\S+@\S+`)
	spaces         = regexp.MustCompile(`\s+`)
)

// clean makes a server's text safe for a log and a terminal: one short line without control characters, personal data
// or secrets.
func (s *session) clean(text string) string {
	text = strings.Map(printable, spaces.ReplaceAllString(text, " "))
	for _, secret := range s.secrets {
		text = regexp.MustCompile("(?i)"+regexp.QuoteMeta(secret)).ReplaceAllString(text, "***")
	}
	text = addressPattern.ReplaceAllString(text, "***")
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

// addressForms returns the ways in which a server may name the people of a mail. A local part of one or two letters
// says nothing without its domain, and occurs in many words.
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
