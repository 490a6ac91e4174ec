package bookings

import (
	"encoding/json"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

const peoplePath = "/settings/people"

// An address that is asked for is posted, although asking changes nothing: addresses of pages stand in browsers'
// histories and in the logs of what lies between.
var personRoutes = []page.Route[visit]{
	page.At(peoplePath, page.Member, (*visit).peoplePage, (*visit).findPerson),
	page.At(peoplePath+"/export", page.Member, nil, (*visit).exportPerson),
	page.At(peoplePath+"/erase", page.Member, nil, (*visit).erasePerson),
}

type personContent struct {
	page.Form
	Email  string
	Asked  bool // and so Kept is right
	Kept   int  // bookings
	Erased int  // a moment ago
}

func (v *visit) peoplePage() error {
	c := &personContent{Form: v.NewForm("")}
	if n, err := strconv.Atoi(v.Value("erased")); err == nil && n > 0 {
		c.Erased = n
	}
	return v.showPerson(http.StatusOK, c)
}

func (v *visit) showPerson(status int, c *personContent) error {
	return v.Show(status, "person", "People's data", c)
}

// askedPerson reads the address that a form is about. Where it is none, ok is false and the page says so.
func (v *visit) askedPerson() (c *personContent, ok bool) {
	c = &personContent{Form: v.NewForm(""), Email: v.Value("email")}
	c.AddProblem("email", page.Sentence("The address", workspace.CheckEmail(c.Email)))
	return c, len(c.Problems) == 0
}

func (v *visit) findPerson() error {
	c, ok := v.askedPerson()
	if !ok {
		return v.showPerson(http.StatusUnprocessableEntity, c)
	}
	return v.showKept(http.StatusOK, c)
}

func (v *visit) showKept(status int, c *personContent) (err error) {
	c.Asked = true
	if c.Kept, err = v.Records.CountPerson(v.R.Context(), v.Snapshot.WorkspaceID, c.Email); err != nil {
		return err
	}
	return v.showPerson(status, c)
}

// exportPerson answers with a file, whose name says nothing of whom it is about.
func (v *visit) exportPerson() error {
	c, ok := v.askedPerson()
	if !ok {
		return v.showPerson(http.StatusUnprocessableEntity, c)
	}
	person, err := v.Records.Export(v.R.Context(), v.Snapshot.WorkspaceID, c.Email, v.Actor())
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(person, "", "  ")
	if err != nil {
		return err
	}
	v.Protect(&kit.Page{Personal: true})
	h := v.W.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="person.json"`)
	_, err = v.W.Write(append(text, '\n'))
	return err
}

// erasePerson does it for who has ticked that they mean it.
func (v *visit) erasePerson() error {
	c, ok := v.askedPerson()
	if !ok {
		return v.showPerson(http.StatusUnprocessableEntity, c)
	}
	if v.Value("sure") == "" {
		c.AddProblem("sure", "Please tick that you want this: it cannot be undone.")
		return v.showKept(http.StatusUnprocessableEntity, c)
	}
	n, err := v.Records.Erase(v.R.Context(), v.Snapshot.WorkspaceID, c.Email, v.Actor())
	if slotd.Is(err, slotd.InvalidArgument) {
		c.Trouble = page.ErrorText(err)
		return v.showPerson(http.StatusUnprocessableEntity, c)
	} else if err != nil {
		return err
	}
	if n == 0 { // somebody else was quicker
		return v.showKept(http.StatusOK, c)
	}
	return v.Leave(peoplePath + "?erased=" + strconv.Itoa(n))
}
