package bookings

import (
	"encoding/json"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

const peoplePath = "/settings/people"

// The person's address is posted, although a search changes nothing: URLs end up in browser histories and in the logs
// of proxies.
var personRoutes = []page.Route[visit]{
	page.At(peoplePath, page.Member, (*visit).peoplePage, (*visit).findPerson),
	page.At(peoplePath+"/export", page.Member, nil, (*visit).exportPerson),
	page.At(peoplePath+"/erase", page.Member, nil, (*visit).erasePerson),
}

type personContent struct {
	page.Form
	Email  string
	Asked  bool // a search was made, so that Found is set
	Found  int  // how many bookings there are
	Erased int  // how many bookings were just erased
}

func (v *visit) peoplePage() error {
	c := &personContent{Form: v.NewForm("")}
	if n, err := strconv.Atoi(v.Value("erased")); err == nil && n > 0 {
		c.Erased = n
	}
	return v.showPerson(http.StatusOK, c)
}

func (v *visit) showPerson(status int, c *personContent) error {
	return v.Show(status, "person", say.T("People's data"), c)
}

// askedPerson reads the address from the form. If it is invalid, ok is false and the content has a problem that says
// so.
func (v *visit) askedPerson() (c *personContent, ok bool) {
	c = &personContent{Form: v.NewForm(""), Email: v.Value("email")}
	c.AddProblem("email", page.Sentence(say.T("The address"), workspace.CheckEmail(c.Email)))
	return c, len(c.Problems) == 0
}

func (v *visit) findPerson() error {
	c, ok := v.askedPerson()
	if !ok {
		return v.showPerson(http.StatusUnprocessableEntity, c)
	}
	return v.showFound(http.StatusOK, c)
}

func (v *visit) showFound(status int, c *personContent) (err error) {
	c.Asked = true
	if c.Found, err = v.Records.CountPerson(v.R.Context(), v.Snapshot.WorkspaceID, c.Email); err != nil {
		return err
	}
	return v.showPerson(status, c)
}

// exportPerson sends a file whose name does not reveal who it is about.
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

// erasePerson erases a person's data after the owner has confirmed it with a checkbox.
func (v *visit) erasePerson() error {
	c, ok := v.askedPerson()
	if !ok {
		return v.showPerson(http.StatusUnprocessableEntity, c)
	}
	if v.Value("sure") == "" {
		c.AddProblem("sure", say.T("Please select the checkbox to confirm: this can't be undone."))
		return v.showFound(http.StatusUnprocessableEntity, c)
	}
	n, err := v.Records.Erase(v.R.Context(), v.Snapshot.WorkspaceID, c.Email, v.Actor())
	if slotd.Is(err, slotd.InvalidArgument) {
		c.Trouble = page.ErrorText(err)
		return v.showPerson(http.StatusUnprocessableEntity, c)
	} else if err != nil {
		return err
	}
	if n == 0 { // somebody else was faster
		return v.showFound(http.StatusOK, c)
	}
	return v.Redirect(peoplePath + "?erased=" + strconv.Itoa(n))
}
