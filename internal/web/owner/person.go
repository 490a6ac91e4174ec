package owner

import (
	"encoding/json"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/web/kit"
	"slotd/internal/workspace"
)

const peoplePath = "/settings/people"

// An address that is asked for is posted, although asking changes nothing: addresses of pages stand in browsers'
// histories and in the logs of what lies between.
var personRoutes = []route{
	{peoplePath, member, (*visit).peoplePage, (*visit).findPerson},
	{peoplePath + "/export", member, nil, (*visit).exportPerson},
	{peoplePath + "/erase", member, nil, (*visit).erasePerson},
}

type personContent struct {
	form
	Email  string
	Asked  bool // and so Kept is right
	Kept   int  // bookings
	Erased int  // a moment ago
}

func (v *visit) peoplePage() error {
	c := &personContent{form: v.newForm("")}
	if n, err := strconv.Atoi(v.value("erased")); err == nil && n > 0 {
		c.Erased = n
	}
	return v.showPerson(http.StatusOK, c)
}

func (v *visit) showPerson(status int, c *personContent) error {
	return v.show(status, "person", "People's data", c)
}

// askedPerson reads the address that a form is about. Where it is none, ok is false and the page says so.
func (v *visit) askedPerson() (c *personContent, ok bool) {
	c = &personContent{form: v.newForm(""), Email: v.value("email")}
	c.wrong("email", sentence("The address", workspace.CheckEmail(c.Email)))
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
	if c.Kept, err = v.Records.CountPerson(v.r.Context(), v.snapshot.WorkspaceID, c.Email); err != nil {
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
	person, err := v.Records.Export(v.r.Context(), v.snapshot.WorkspaceID, c.Email, v.actor())
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(person, "", "  ")
	if err != nil {
		return err
	}
	v.protect(&kit.Page{Personal: true})
	h := v.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="person.json"`)
	_, err = v.w.Write(append(text, '\n'))
	return err
}

// erasePerson does it for who has ticked that they mean it.
func (v *visit) erasePerson() error {
	c, ok := v.askedPerson()
	if !ok {
		return v.showPerson(http.StatusUnprocessableEntity, c)
	}
	if v.value("sure") == "" {
		c.wrong("sure", "Please tick that you want this: it cannot be undone.")
		return v.showKept(http.StatusUnprocessableEntity, c)
	}
	n, err := v.Records.Erase(v.r.Context(), v.snapshot.WorkspaceID, c.Email, v.actor())
	if slotd.Is(err, slotd.InvalidArgument) {
		c.Trouble = message(err)
		return v.showPerson(http.StatusUnprocessableEntity, c)
	} else if err != nil {
		return err
	}
	if n == 0 { // somebody else was quicker
		return v.showKept(http.StatusOK, c)
	}
	return v.leave(peoplePath + "?erased=" + strconv.Itoa(n))
}
