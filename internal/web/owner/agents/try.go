package agents

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

// tryChoice lists the event types whose open times can be queried. They are those that agents see.
type tryChoice struct {
	Chosen     string // a slug; empty: there is none
	EventTypes []slotd.EventType
}

func (v *visit) tryChoice() (c tryChoice) {
	for _, e := range v.Snapshot.EventTypes {
		if e.Public() {
			c.EventTypes = append(c.EventTypes, e)
		}
	}
	if len(c.EventTypes) > 0 {
		c.Chosen = c.EventTypes[0].Slug
	}
	return c
}

type tryContent struct {
	page.Form
	URL       string
	Try       tryChoice
	Exchanges []exchange
}

// exchange is one request and its answer.
type exchange struct {
	ID, Title, Request, Answer string
	Status                     int
	Right                      bool
	Verdict                    string
}

func (v *visit) tryPage() error {
	return v.showTry(http.StatusOK, &tryContent{Form: v.NewForm(""), Try: v.tryChoice()})
}

func (v *visit) showTry(status int, c *tryContent) error {
	c.URL = v.endpointURL()
	return v.Show(status, "try", say.T("Try the endpoint"), c)
}

// try sends requests to the endpoint as a stranger would: reading needs no token, and none is sent.
func (v *visit) try() error {
	c := &tryContent{Form: v.NewForm(""), Try: v.tryChoice()}
	if slug := v.Value("event_type"); slug != "" || len(c.Try.EventTypes) > 0 {
		if v.Snapshot.EventTypeBySlug(slug) == nil || !v.Snapshot.EventTypeBySlug(slug).Public() {
			c.AddProblem("event_type", say.T("Choose one of the event types in the list."))
			return v.showTry(http.StatusUnprocessableEntity, c)
		}
		c.Try.Chosen = slug
	}
	list := v.send(toolsList())
	list.ID, list.Title = "tools-list", say.T("Tools")
	list.Right, list.Verdict = checkTools(list.Answer)
	c.Exchanges = append(c.Exchanges, list.prettyPrinted())
	if c.Try.Chosen != "" {
		open := v.send(getAvailability(v.Snapshot.Slug, c.Try.Chosen))
		open.ID, open.Title = "get-availability", say.T("Open times")
		open.Right, open.Verdict = checkAvailability(open.Answer, c.Try.Chosen)
		c.Exchanges = append(c.Exchanges, open.prettyPrinted())
	}
	return v.showTry(http.StatusOK, c)
}

// send sends a request to the endpoint inside this server. It counts against the owner's own address, so that the page
// cannot be used to get around the rate limits.
func (v *visit) send(body jsonObject) exchange {
	text := compactJSON(body)
	r, err := http.NewRequestWithContext(v.R.Context(), http.MethodPost, v.endpointURL(), strings.NewReader(text))
	if err != nil {
		return exchange{Request: prettyJSON(body), Answer: err.Error()}
	}
	r.RemoteAddr = v.R.RemoteAddr
	r.Header.Set("Content-Type", "application/json")
	if via := v.R.Header.Values("X-Forwarded-For"); len(via) > 0 {
		r.Header["X-Forwarded-For"] = via
	}
	a := &recorder{header: http.Header{}, status: http.StatusOK}
	v.Endpoint.ServeHTTP(a, r)
	return exchange{Request: prettyJSON(body), Answer: a.body.String(), Status: a.status}
}

// recorder is a response writer that keeps the answer, to show it on a page.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *recorder) Header() http.Header         { return c.header }
func (c *recorder) WriteHeader(status int)      { c.status = status }
func (c *recorder) Write(p []byte) (int, error) { return c.body.Write(p) }

// maxShown limits the size of an answer on the page.
const maxShown = 20 << 10

// prettyPrinted returns the exchange with its answer indented for people.
func (e exchange) prettyPrinted() exchange {
	var pretty bytes.Buffer
	if json.Indent(&pretty, []byte(e.Answer), "", "  ") == nil {
		e.Answer = pretty.String()
	}
	if len(e.Answer) > maxShown {
		e.Answer = strings.ToValidUTF8(e.Answer[:maxShown], "") + "\n" + say.T("… and more")
	}
	return e
}

// toolAnswer holds the fields of both answers.
type toolAnswer struct {
	Error  *struct{ Message string }
	Result *struct {
		Tools   []struct{ Name string }
		IsError bool
		Content []struct{ Text string }

		StructuredContent struct {
			EventType struct{ Slug string } `json:"event_type"`
			SlotCount int                   `json:"slot_count"`
		}
	}
}

func readAnswer(text string) (a toolAnswer, trouble string) {
	switch err := json.Unmarshal([]byte(text), &a); {
	case err != nil:
		return a, say.T("Failed: the answer isn't valid JSON.")
	case a.Error != nil:
		return a, say.T("Failed: %s", a.Error.Message)
	case a.Result == nil:
		return a, say.T("Failed: the answer has no result.")
	}
	return a, ""
}

func checkTools(text string) (right bool, verdict string) {
	a, trouble := readAnswer(text)
	if trouble != "" {
		return false, trouble
	}
	var names []string
	for _, t := range a.Result.Tools {
		names = append(names, t.Name)
	}
	if len(names) == 0 {
		return false, say.T("Failed: the answer lists no tools.")
	}
	return true, say.N(len(names), "It works: %d tool, %s.", "It works: %d tools, %s.", strings.Join(names, ", "))
}

func checkAvailability(text, eventType string) (right bool, verdict string) {
	a, trouble := readAnswer(text)
	switch {
	case trouble != "":
		return false, trouble
	case a.Result.IsError:
		return false, say.T("Failed: %s", errorOf(a))
	case a.Result.StructuredContent.EventType.Slug != eventType:
		return false, say.T("Failed: the answer is about another event type.")
	}
	return true, say.N(a.Result.StructuredContent.SlotCount, "It works: %d open time in the next seven days.",
		"It works: %d open times in the next seven days.")
}

// errorOf returns the message of a failed tool.
func errorOf(a toolAnswer) string {
	var failure struct {
		Error struct{ Code, Message string }
	}
	if len(a.Result.Content) == 0 || json.Unmarshal([]byte(a.Result.Content[0].Text), &failure) != nil {
		return say.T("the tool returned an error.")
	}
	return failure.Error.Code + ". " + failure.Error.Message
}
