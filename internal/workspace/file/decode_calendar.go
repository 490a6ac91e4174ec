package file

import (
	"fmt"

	"slotd"
)

// calendars reads the calendars and the environment variables of their passwords.
func (f fields) calendars(file *File) {
	items, _ := f.list("calendars", "- name: office")
	for i, n := range items {
		cal, env := f.r.calendar(n, fmt.Sprintf("calendars[%d]", i))
		file.Workspace.Calendars = append(file.Workspace.Calendars, cal)
		if file.CalendarLines == nil {
			file.CalendarLines, file.Passwords = map[string]int{}, map[string]PasswordEnv{}
		}
		file.CalendarLines[cal.Name] = n.line
		if env.Name != "" {
			file.Passwords[cal.Name] = env
		}
	}
}

func (r *reader) calendar(n *node, path string) (slotd.Calendar, PasswordEnv) {
	f := r.object(n, path, "name", "type", "url", "username", "password_env", "calendar", "write_back",
		"stale_after_minutes").require("name", "type")
	cal := slotd.Calendar{
		Name: f.text("name"), Type: slotd.CalendarType(f.text("type")), URL: f.text("url"),
		Username: f.text("username"),
		Calendar: f.text("calendar"), WriteBack: f.flag("write_back"),
		StaleAfterMinutes: slotd.DefaultStaleAfterMinutes,
	}
	f.number("stale_after_minutes", &cal.StaleAfterMinutes)
	env := PasswordEnv{Name: f.text("password_env")}
	if part := f.parts["password_env"]; part != nil {
		env.Line = part.line
		if cal.Username == "" {
			f.addProblem("password_env", "must come with a username")
		}
	}
	return cal, env
}
