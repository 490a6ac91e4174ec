package file

import (
	"fmt"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// calendars reads the calendars and the environment variables of their passwords.
func (f fields) calendars(file *File) {
	for i, n := range f.list("calendars", "- name: office") {
		var cal slotd.Calendar
		part := readObject(f.r, n, fmt.Sprintf("calendars[%d]", i), &cal, workspace.CalendarFields)
		file.Workspace.Calendars = append(file.Workspace.Calendars, cal)
		if file.CalendarLines == nil {
			file.CalendarLines, file.Passwords = map[string]int{}, map[string]PasswordEnv{}
		}
		file.CalendarLines[cal.Name] = n.line
		if env := part.passwordEnv(&cal); env.Name != "" {
			file.Passwords[cal.Name] = env
		}
	}
}

func (f fields) passwordEnv(cal *slotd.Calendar) PasswordEnv {
	const name = "password_env"
	n := f.parts[name]
	if n == nil {
		return PasswordEnv{}
	}
	if cal.Username == "" {
		f.addProblem(name, say.T("must come with a username"))
	}
	return PasswordEnv{Name: f.r.text(n, f.at(name)), Line: n.line}
}
