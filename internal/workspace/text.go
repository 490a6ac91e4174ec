package workspace

import (
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	MaxName  = 200
	MaxEmail = 254
	maxURL   = 2000

	MaxNotes = 5000 // of a booking, in characters
)

// CheckName checks a name or a title, which must be one line of 1 to 200 characters.
func CheckName(s string) error {
	switch {
	case !utf8.ValidString(s):
		return fault(NotUTF8)
	case strings.TrimSpace(s) == "":
		return &Fault{Code: Empty, Max: MaxName}
	case utf8.RuneCountInString(s) > MaxName:
		return &Fault{Code: TooLong, Max: MaxName}
	case strings.ContainsFunc(s, unicode.IsControl):
		return fault(NotOneLine)
	}
	return nil
}

// CheckAttendeeName checks a guest's name. It rejects links, because our mails would forward them under our name.
func CheckAttendeeName(s string) error {
	if strings.Contains(s, "://") {
		return fault(NotAPersonsName)
	}
	return CheckName(s)
}

// CheckText checks a longer text, which may be empty and may contain tabs and newlines. It rejects carriage returns
// instead of removing them: code that takes text from a form, where each newline is "\r\n", converts it there.
func CheckText(s string, maxChars int) error {
	switch {
	case !utf8.ValidString(s):
		return fault(NotUTF8)
	case utf8.RuneCountInString(s) > maxChars:
		return &Fault{Code: TooLong, Max: maxChars}
	case strings.ContainsFunc(s, isForbiddenInText):
		return fault(ControlCharacters)
	}
	return nil
}

func isForbiddenInText(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }

func checkRequiredText(s string) error {
	if strings.TrimSpace(s) == "" {
		return fault(NoPlace)
	}
	return CheckText(s, maxText)
}

// ValidSlug reports whether s is a valid slug. Every request calls it twice, so it uses no regexp.
func ValidSlug(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

func checkSlug(s string) error {
	if ValidSlug(s) {
		return nil
	}
	return fault(NotASlug)
}

// reserved lists the first path segments that the server uses or may use later.
var reserved = strings.Fields("api b embed static assets setup login logout signup settings admin auth oauth mcp docs " +
	"help healthz readyz metrics webhooks calendar invite about schemas")

func checkReserved(s string) error {
	if slices.Contains(reserved, s) {
		return faultAbout(ReservedSlug, s)
	}
	return nil
}

// ValidEmail reports whether s is an address of the plain form user@domain. It rejects everything that needs quotes,
// brackets or SMTPUTF8: such an address would be accepted here and bounce later, or two mail programs would read it
// differently.
func ValidEmail(s string) bool {
	if len(s) > MaxEmail || strings.ContainsFunc(s, isNotVisibleASCII) {
		return false
	}
	address, err := mail.ParseAddress(s)
	if err != nil || address.Address != s {
		return false
	}
	domain := s[strings.LastIndexByte(s, '@')+1:]
	return isDomain(domain) && (strings.Contains(domain, ".") || strings.EqualFold(domain, "localhost"))
}

// CheckEmail is ValidEmail with an error.
func CheckEmail(s string) error {
	if !ValidEmail(s) {
		return fault(NotAnEmail)
	}
	return nil
}

func isNotVisibleASCII(r rune) bool { return r <= ' ' || r > '~' }

var domainShape = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$`)

func isDomain(s string) bool { return domainShape.MatchString(s) }

// checkURL rejects characters that must be escaped in a URL, and URLs that disguise their host. These URLs appear in
// pages, mails and invites.
func checkURL(s, example string, schemes ...string) error {
	u, err := url.Parse(s)
	switch {
	case len(s) > maxURL:
		return &Fault{Code: TooLong, Max: maxURL}
	case strings.ContainsFunc(s, isNotVisibleASCII) || strings.ContainsAny(s, "\"<>\\^`"):
		return fault(URLNotEscaped)
	case err != nil || !slices.Contains(schemes, u.Scheme) || !isHost(u):
		return faultAbout(NotAURL, example)
	case u.User != nil:
		return fault(URLWithPassword)
	}
	return nil
}

// checkOrigin accepts only the exact form of an origin, because it goes into a Content-Security-Policy header.
func checkOrigin(s string) error {
	u, err := url.Parse(s)
	if err == nil && (u.Scheme == "https" || u.Scheme == "http") && isHost(u) && s == u.Scheme+"://"+u.Host {
		return nil
	}
	return fault(NotAnOrigin)
}

func isHost(u *url.URL) bool {
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	host := u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		ip, err := netip.ParseAddr(host)
		return err == nil && ip.Zone() == ""
	}
	return isDomain(host)
}
