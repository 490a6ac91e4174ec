package browser

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	linkInHTML = regexp.MustCompile(`(?:href|src|action)="([^"#]+)`)
	linkInText = regexp.MustCompile(`https?://[^\s<>"\\]+`)
)

// A mail scanner opens every link before the guest does.
func TestScanner_OpeningEveryLinkChangesNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t, office{}, grace)
	for _, to := range []string{grace.email, "ada@acme.example"} {
		s.awaitMail(t, to, "anceled")
	}
	links := s.linksInMails(t)
	for _, path := range []string{s.fresh.page, s.fresh.cancel, s.fresh.reschedule, "/acme", "/acme/intro",
		"/acme/intro?slot=" + freeSlot} {
		links = append(links, s.URL+path)
		for _, found := range linkInHTML.FindAllStringSubmatch(s.text(t, path), -1) {
			links = append(links, html.UnescapeString(found[1]))
		}
	}
	links = s.ownLinks(links)
	for _, part := range []string{"/b/cancel/", "/b/reschedule/", "/b/ics/", "/b/host-ics/", "?slot=", "?date=",
		"?month="} {
		if !slices.ContainsFunc(links, func(l string) bool { return strings.Contains(l, part) }) {
			t.Errorf("no link has %s: %v", part, links)
		}
	}
	before := s.visibleState(t)
	for _, link := range links {
		for _, method := range []string{"HEAD", "GET"} {
			request, err := http.NewRequest(method, link, nil)
			must(t, err)
			r, err := http.DefaultClient.Do(request)
			must(t, err)
			r.Body.Close()
			if r.StatusCode != http.StatusOK {
				t.Errorf("%s %s: %s", method, link, r.Status)
			}
		}
	}
	if after := s.visibleState(t); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	s.wantUnchanged(t)
}

// wantUnchanged checks that the guest's pages still show the same.
func (s *scene) wantUnchanged(t *testing.T) {
	t.Helper()
	p := open(t, options{})
	for path, h1 := range map[string]string{
		s.fresh.page: "Your booking is confirmed", s.moved.page: "Your booking was rescheduled",
		s.canceled.page: "This booking was canceled", s.fresh.cancel: "Cancel this booking?",
	} {
		visit(t, p, s.URL+path)
		wantText(t, p, "h1", h1)
	}
}

func (s *scene) linksInMails(t *testing.T) (links []string) {
	t.Helper()
	for _, mail := range s.mails(t) {
		for kind, content := range mail.parts {
			for _, link := range linkInText.FindAllString(strings.ReplaceAll(content, "\r\n ", ""), -1) {
				if kind == "text/html" {
					link = html.UnescapeString(link)
				}
				links = append(links, strings.TrimRight(link, ".)"))
			}
		}
	}
	return links
}

// ownLinks returns the links to this server, without duplicates.
func (s *scene) ownLinks(links []string) (all []string) {
	base, err := url.Parse(s.URL)
	for _, link := range links {
		u, parseErr := base.Parse(link)
		if err == nil && parseErr == nil && u.Host == base.Host && !slices.Contains(all, u.String()) {
			all = append(all, u.String())
		}
	}
	return all
}

var formTokenField = regexp.MustCompile(`name="form" value="[^"]+"`)

// visibleState returns what the endpoint and the pages show, and the number of mails.
func (s *scene) visibleState(t *testing.T) (all string) {
	t.Helper()
	for _, date := range []string{"2030-11-04", "2030-11-11"} {
		all += fmt.Sprintln(s.openSlots(t, "intro", date))
	}
	all += fmt.Sprintln(len(s.mails(t)), "mails")
	for _, b := range []bookingPaths{s.fresh, s.moved, s.canceled} {
		all += s.text(t, b.page) + s.text(t, b.cancel) + s.text(t, b.reschedule)
	}
	for _, path := range []string{"/acme", "/acme/intro", "/acme/intro?month=2030-12", "/acme/intro?slot=" + freeSlot} {
		all += s.text(t, path)
	}
	return formTokenField.ReplaceAllString(all, "")
}
