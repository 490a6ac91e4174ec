package mail

import (
	"bytes"
	"embed"
	"fmt"
	htmltemplate "html/template"
	texttemplate "text/template"

	"slotd/internal/lib/say"
)

//go:embed templates
var templates embed.FS

// The templates are parsed once: a burst of bookings is a burst of mails.
var (
	htmlPage = htmltemplate.Must(
		htmltemplate.New("notice.html").Funcs(say.Funcs).ParseFS(templates, "templates/notice.html"))
	plainPage = texttemplate.Must(
		texttemplate.New("notice.txt").Funcs(say.TextFuncs).Funcs(labels).ParseFS(templates, "templates/notice.txt"))
)

const labelWidth = 13 // width of the labels in the text form, with the colon and a space

// labels writes the labels of the text form.
var labels = texttemplate.FuncMap{"label": func(name any) string {
	return fmt.Sprintf("%-*s", labelWidth, fmt.Sprint(name, ":"))
}}

func (v *view) html() ([]byte, error) {
	var out bytes.Buffer
	out.Grow(8 << 10)
	err := htmlPage.Execute(&out, v)
	return out.Bytes(), err
}

func (v *view) text() ([]byte, error) {
	var out bytes.Buffer
	err := plainPage.Execute(&out, v)
	return out.Bytes(), err
}
