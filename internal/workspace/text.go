package workspace

import (
	"fmt"
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

// CheckName checks a name or a title, which must be one line of 1 to 200 characters. It returns "" if s is valid.
func CheckName(s string) (reason string) {
	switch {
	case !utf8.ValidString(s):
		return "must be valid UTF-8"
	case strings.TrimSpace(s) == "":
		return "must not be empty; 1 to 200 characters are right"
	case utf8.RuneCountInString(s) > MaxName:
		return "must be at most 200 characters long"
	case strings.ContainsFunc(s, unicode.IsControl):
		return "must be one line of text without control characters"
	}
	return ""
}

// CheckAttendeeName checks a guest's name. It rejects links, because our mails would forward them under our name.
func CheckAttendeeName(s string) (reason string) {
	if strings.Contains(s, "://") {
		return "must be a person's name, without ://"
	}
	return CheckName(s)
}

// CheckText checks a longer text, which may be empty and may contain tabs and newlines. It rejects carriage returns
// instead of removing them: code that takes text from a form, where each newline is "\r\n", converts it there.
func CheckText(s string, maxChars int) (reason string) {
	switch {
	case !utf8.ValidString(s):
		return "must be valid UTF-8"
	case utf8.RuneCountInString(s) > maxChars:
		return fmt.Sprintf("must be at most %d characters long", maxChars)
	case strings.ContainsFunc(s, isForbiddenInText):
		return `must hold no control characters but tabs and newlines ("\n" alone, without "\r")`
	}
	return ""
}

func isForbiddenInText(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }

func checkRequiredText(s string) (reason string) {
	if strings.TrimSpace(s) == "" {
		return "must not be empty; it tells the guest where to be or what to do"
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

func checkSlug(s string) (reason string) {
	if ValidSlug(s) {
		return ""
	}
	return "must be 1 to 64 of a-z, 0-9 and -, with no dash at either end, such as intro-call"
}

// reserved lists the first path segments that the server uses or may use later.
const reserved = "api b embed static assets setup login logout signup settings admin auth oauth mcp docs help " +
	"healthz readyz metrics " +
	"webhooks calendar invite about schemas"

func checkReserved(s string) (reason string) {
	if slices.Contains(strings.Fields(reserved), s) {
		return s + " is a path of the server itself; any other slug is right"
	}
	return ""
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

// CheckEmail is ValidEmail with a reason.
func CheckEmail(s string) (reason string) {
	if !ValidEmail(s) {
		return "must be an e-mail address of at most 254 characters"
	}
	return ""
}

func isNotVisibleASCII(r rune) bool { return r <= ' ' || r > '~' }

var domainShape = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$`)

func isDomain(s string) bool { return domainShape.MatchString(s) }

// checkURL rejects characters that must be escaped in a URL, and URLs that disguise their host. These URLs appear in
// pages, mails and invites.
func checkURL(s string, schemes ...string) (reason string) {
	u, err := url.Parse(s)
	switch {
	case len(s) > maxURL:
		return fmt.Sprintf("must be at most %d characters long", maxURL)
	case strings.ContainsFunc(s, isNotVisibleASCII) || strings.ContainsAny(s, "\"<>\\^`"):
		return "must hold no spaces and no other characters that a URL escapes; %20 stands for a space"
	case err != nil || !slices.Contains(schemes, u.Scheme) || !isHost(u):
		return "must be a full URL such as https://acme.example/room"
	case u.User != nil:
		return "must hold no user name and no password"
	}
	return ""
}

// checkOrigin accepts only the exact form of an origin, because it goes into a Content-Security-Policy header.
func checkOrigin(s string) (reason string) {
	u, err := url.Parse(s)
	if err == nil && (u.Scheme == "https" || u.Scheme == "http") && isHost(u) && s == u.Scheme+"://"+u.Host {
		return ""
	}
	return "must be a site's origin such as https://acme.example, without a path and without a slash at the end"
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
