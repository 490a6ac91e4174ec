package file

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"slotd/internal/workspace"
)

var update = flag.Bool("update", false, "write the tables of the documentation anew")

// The tables in the documentation are made from the lists of fields.
func TestDocs_TablesAreTheListsOfFields(t *testing.T) {
	const path = "../../../docs/using.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old := string(text)
	docs := old
	for name, table := range map[string]string{
		"workspace": docsTable("", workspace.Fields), "event_types": docsTable("", workspace.EventTypeFields),
		"schedules": docsTable("", workspace.ScheduleFields), "calendars": docsTable("", workspace.CalendarFields),
	} {
		place := regexp.MustCompile(`(?s)(<!-- the fields of ` + name + ` -->\n).*?\n\n`)
		if !place.MatchString(docs) {
			t.Fatalf("there is no place for the table of %s", name)
		}
		docs = place.ReplaceAllStringFunc(docs, func(all string) string {
			head, _, _ := strings.Cut(all, "\n")
			return head + "\n" + table + "\n"
		})
	}
	if docs == old {
		return
	}
	if !*update {
		t.Fatal("docs/using.md does not have the fields as the lists have them: run this test with -update")
	}
	if err := os.WriteFile(path, []byte(docs), 0o644); err != nil {
		t.Fatal(err)
	}
}

func docsTable[T any](prefix string, fields []workspace.Field[T]) string {
	return "| field | required | value | default | what it is |\n|---|---|---|---|---|\n" + docsRows(prefix, fields)
}

// docsRows lists the fields of an object one by one if it stands at the top of the file, such as workspace.slug.
func docsRows[T any](prefix string, fields []workspace.Field[T]) (rows string) {
	for _, f := range fields {
		if k, ok := f.Kind.(workspace.Object[T]); ok && k.Has == nil && f.Input == "" && prefix == "" {
			rows += docsRows(f.Name+".", k.Fields)
			continue
		}
		required := "no"
		if f.Required {
			required = "yes"
		}
		rows += fmt.Sprintf("| `%s%s` | %s | %s | %s | %s |\n", prefix, f.Name, required, docsValue(f),
			docsDefault(f), f.Help)
	}
	return rows
}

func docsValue[T any](f workspace.Field[T]) string {
	switch k := f.Kind.(type) {
	case workspace.Text[T]:
		return k.Format.Docs.String()
	case workspace.Number[T]:
		return thousands(k.Min) + "–" + thousands(k.Max)
	case workspace.Flag[T]:
		return "`true` or `false`"
	case workspace.Numbers[T]:
		return fmt.Sprintf("a list of at most %d different numbers of %s–%s; `[]` for none", k.MaxItems,
			thousands(k.Min), thousands(k.Max))
	case workspace.Texts[T]:
		return fmt.Sprintf("a list of at most %d %s", k.MaxItems, k.Format.Docs)
	case workspace.Week[T]:
		return fmt.Sprintf("`mon` to `sun`, each a list of at most %d windows such as `\"09:00-12:00\"`",
			workspace.MaxWindowsADay)
	case workspace.Dates[T]:
		return "at most " + thousands(k.MaxItems) + " dates `YYYY-MM-DD`, each a list of windows"
	case workspace.Object[T]:
		var inner []string
		for _, f := range k.Fields {
			if n, ok := f.Kind.(workspace.Number[T]); ok {
				f.Name += ": " + docsValue(workspace.Field[T]{Kind: n})
			}
			inner = append(inner, f.Name)
		}
		return "`{" + strings.Join(inner, ", ") + "}`"
	}
	return "a variable's name"
}

func docsDefault[T any](f workspace.Field[T]) string {
	switch {
	case f.Required:
		return ""
	case f.Describe != nil:
		return f.Describe(new(T))
	}
	switch k := f.Kind.(type) {
	case workspace.Text[T]:
		if k.Default != "" {
			return "`" + k.Default + "`"
		}
	case workspace.Number[T]:
		if k.None != "" {
			return k.None.String()
		}
		return strconv.Itoa(k.Default)
	case workspace.Flag[T]:
		return "`false`"
	case workspace.Numbers[T]:
		return "`[" + joined(k.Default, strconv.Itoa) + "]`"
	}
	return "none"
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
