package webtest

import "net/url"

// Form is a form of a page.
type Form struct {
	Action, Method string
	Names          map[string]bool
	Optional       map[string]bool // buttons, checkboxes and radio buttons, which are not sent when they are off
	Values         url.Values      // what a browser sends if nobody touches the form
}

// Forms returns the forms of a page, in document order.
func (n *Node) Forms() (forms []*Form) {
	for _, f := range n.Find("form") {
		forms = append(forms, f.Form())
	}
	return forms
}

// Form returns the element as a form.
func (n *Node) Form() *Form {
	f := &Form{Action: n.Attr("action"), Method: n.Attr("method"), Names: map[string]bool{},
		Optional: map[string]bool{}, Values: url.Values{}}
	for d := range n.Descendants() {
		f.take(d)
	}
	return f
}

// Fields returns what a browser sends if nobody touches the form.
func (n *Node) Fields() url.Values { return n.Form().Values }

// HasAll reports whether the form has all these fields. Names and values alternate.
func (f *Form) HasAll(fields []string) bool {
	for i := 0; i < len(fields); i += 2 {
		if !f.Names[fields[i]] {
			return false
		}
	}
	return true
}

func (f *Form) take(n *Node) {
	name := n.Attr("name")
	if name == "" {
		return
	}
	switch n.Tag {
	case "button":
		f.Optional[name] = true
	case "input":
		if kind := n.Attr("type"); kind != "checkbox" && kind != "radio" {
			f.Values.Add(name, n.Attr("value"))
			break
		}
		if f.Optional[name] = true; n.HasAttr("checked") {
			f.Values.Add(name, n.checkedValue())
		}
	case "textarea":
		f.Values.Add(name, n.Content())
	case "select":
		f.Values.Add(name, n.chosen())
	default:
		return
	}
	f.Names[name] = true
}

// checkedValue returns what a browser sends for a checkbox that is on.
func (n *Node) checkedValue() string {
	if value := n.Attr("value"); value != "" {
		return value
	}
	return "on"
}

// chosen returns the value of a list: of the option that is selected, or else of the first.
func (n *Node) chosen() (value string) {
	for i, o := range n.Find("option") {
		if i == 0 || o.HasAttr("selected") {
			value = o.Attr("value")
		}
	}
	return value
}
