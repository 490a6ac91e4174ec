package workspace

import (
	"slices"
	"strings"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
)

// Field is one field of a part of the workspace file. Reading, writing, comparing and checking files, the owner's forms,
// the JSON schema and the documentation range over the lists of fields: what is said here is said nowhere else.
type Field[T any] struct {
	Name     string // in the workspace file
	Required bool   // in the workspace file
	Shown    bool   // exported even if it has its default, because a reader would look for it
	Fixed    bool   // it can't be changed on the owner's pages: only forms that create the thing have its input
	Kind     Kind[T]
	Input    string            // the name of its input in the owner's form
	NoInput  bool              // the owner's forms have no input for it
	Label    say.Sentence      // in the owner's form
	Hint     say.Sentence      // beside the label, in the owner's form
	Help     say.Sentence      // what it is for
	Example  string            // in the workspace file, for errors
	Describe func(v *T) string // the value in words, where they say more than the value itself; may be nil

	rule func(c *checker, path string, v *T) // what else is checked; may be nil
}

// Kind is what a field holds: Text, Number, Flag, Numbers, Texts, Week, Dates, Object or FileOnly.
type Kind[T any] interface{ isKind(*T) }

// Text is a field with text.
type Text[T any] struct {
	At      func(*T) *string
	Default string
	Format  Format
}

// Number is a field with a whole number.
type Number[T any] struct {
	Get      func(*T) int
	Set      func(*T, int)
	Min, Max int
	Default  int
	Unit     Unit
	None     say.Sentence // what 0 means, which a file says by leaving the field out; "" if 0 is like other numbers
}

// Unit says what a number counts, and so how people may type it.
type Unit uint8

const (
	Count   Unit = iota
	Minutes      // people may also type 2 hours or 1 day
	Spans        // like Minutes, and shown in words
)

// Flag is a field that is true or false, and false if it is left out.
type Flag[T any] struct{ At func(*T) *bool }

// Numbers is a field with a list of whole numbers.
type Numbers[T any] struct {
	At       func(*T) *[]int
	Min, Max int
	Unit     Unit
	MaxItems int
	Items    string // what they are called
	Default  []int
}

// Texts is a field with a list of texts.
type Texts[T any] struct {
	At       func(*T) *[]string
	MaxItems int
	Items    string // what they are called
	Format   Format
}

// Week is a field with the hours of each weekday. A day without hours is closed.
type Week[T any] struct {
	At func(*T) *map[time.Weekday][]slots.Window
}

// Dates is a field with the hours of single dates. A date without an entry has the hours of its weekday.
type Dates[T any] struct {
	At       func(*T) *map[zone.Date][]slots.Window
	MaxItems int
}

// Object is a field with fields of its own.
type Object[T any] struct {
	Fields []Field[T]
	Has    func(*T) bool // whether there is one; nil: there always is
	Make   func(*T)      // makes an empty one; nil: there always is one
}

// FileOnly is a field that only whoever applies the file needs. It is not part of the workspace.
type FileOnly[T any] struct{}

func (Text[T]) isKind(*T)    {}
func (Number[T]) isKind(*T)  {}
func (Flag[T]) isKind(*T)    {}
func (Numbers[T]) isKind(*T) {}
func (Texts[T]) isKind(*T)   {}
func (Week[T]) isKind(*T)    {}
func (Dates[T]) isKind(*T)   {}
func (Object[T]) isKind(*T)  {}

func (FileOnly[T]) isKind(*T) {}

func text[T any](at func(*T) *string, format Format) Text[T] { return Text[T]{At: at, Format: format} }

func (t Text[T]) orElse(value string) Text[T] { t.Default = value; return t }

func number[T any, N int | int64](at func(*T) *N, low, high int) Number[T] {
	return Number[T]{Get: func(v *T) int { return int(*at(v)) }, Set: func(v *T, n int) { *at(v) = N(n) }, Min: low,
		Max: high}
}

func (n Number[T]) in(unit Unit) Number[T] { n.Unit = unit; return n }

func (n Number[T]) orElse(value int) Number[T] { n.Default = value; return n }

func (n Number[T]) orNone(meaning say.Sentence) Number[T] { n.None = meaning; return n }

// Format says which texts a field takes.
type Format struct {
	Check   func(string) error
	Lines   bool         // the text may have several lines
	Word    bool         // the text is a name or one of a few words: it needs no quotes in a sentence
	Max     int          // characters; 0: no limit of its own
	Pattern string       // a regular expression that all valid texts match; "": none
	Choices []string     // the valid texts; nil: any that Check accepts
	Docs    say.Sentence // which texts are valid, for the documentation

	Picked bool                // people pick the text from a list, so blanks at its ends belong to it
	Tidy   func(string) string // makes what people also type a valid text; nil: there is nothing else
}

var (
	anyFormat  = Format{Check: func(string) error { return nil }}         // a rule says what is valid
	nameFormat = Format{Check: anyFormat.Check, Word: true, Picked: true} // of something else in the workspace
	slugFormat = Format{Check: checkSlug, Max: 64, Pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$",
		Docs: "1–64 of `a-z 0-9 -`, no hyphen at either end"}
	lineFormat = Format{Check: CheckName, Max: MaxName, Pattern: `^[^\x00-\x1f]*[^\x00-\x20][^\x00-\x1f]*$`,
		Docs: "1–200 characters on one line"}
	longFormat = Format{Check: func(s string) error { return CheckText(s, maxText) }, Lines: true, Max: maxText,
		Pattern: `^[^\x00-\x08\x0b-\x1f]*$`,
		Docs:    "up to 5,000 characters"}
	currencyFormat = Format{Check: checkCurrency, Max: 3, Choices: currencies,
		Docs: "a lowercase ISO 4217 code"}
	emailFormat = Format{Check: CheckEmail, Max: MaxEmail, Pattern: "@",
		Docs: "a plain address, at most 254 characters"}
	zoneFormat  = Format{Check: checkZone, Tidy: tidyZone, Docs: "an IANA name, such as `America/New_York`"}
	colorFormat = Format{Check: checkColor, Tidy: tidyColor, Pattern: "^(#[0-9A-Fa-f]{6})?$",
		Docs: "a color such as `\"#0b7285\"`; the quotes are needed because YAML reads a bare `#` as a comment"}
	logoFormat = Format{Check: func(s string) error { return checkURL(s, "https://acme.example/logo.svg", "https") }, Max: maxURL,
		Pattern: "^([Hh][Tt][Tt][Pp][Ss]://|$)", Docs: "an `https` URL, at most 2,000 characters"}
	siteFormat = Format{Check: checkOrigin, Tidy: tidyOrigin, Pattern: "^https?://",
		Docs: "origins such as `https://acme.example`, without a path"}
	usernameFormat = Format{Check: checkUsername, Max: MaxEmail, Pattern: "^[^:]*$",
		Docs: "at most 254 characters, no colon"}
)

// documented returns the format with other words in the documentation.
func (f Format) documented(docs say.Sentence) Format { f.Docs = docs; return f }

// oneOf is a format for one of a few words.
func oneOf[S ~string](choices ...S) Format {
	f := Format{Word: true}
	for _, c := range choices {
		f.Choices = append(f.Choices, string(c))
	}
	last := len(f.Choices) - 1
	words := say.T("%s or %s", strings.Join(f.Choices[:last], ", "), f.Choices[last])
	f.Docs = say.Sentence(say.T("`%s` or `%s`", strings.Join(f.Choices[:last], "`, `"), f.Choices[last]))
	f.Check = func(s string) error {
		if slices.Contains(f.Choices, s) {
			return nil
		}
		return faultAbout(NotAChoice, words)
	}
	return f
}

// FieldNames returns the names of fields, in their order.
func FieldNames[T any](fields []Field[T]) (names []string) {
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return names
}

// Parts returns the fields with these names.
func Parts[T any](fields []Field[T], names ...string) (parts []Field[T]) {
	for _, f := range fields {
		if slices.Contains(names, f.Name) {
			parts = append(parts, f)
		}
	}
	return parts
}

// SetDefaults sets the fields to the values that they have if a file leaves them out.
func SetDefaults[T any](v *T, fields []Field[T]) {
	for _, f := range fields {
		switch k := f.Kind.(type) {
		case Text[T]:
			*k.At(v) = k.Default
		case Number[T]:
			k.Set(v, k.Default)
		case Numbers[T]:
			*k.At(v) = slices.Clone(k.Default)
		case Week[T]:
			*k.At(v) = map[time.Weekday][]slots.Window{}
		case Dates[T]:
			*k.At(v) = map[zone.Date][]slots.Window{}
		case Object[T]:
			if k.Has == nil {
				SetDefaults(v, k.Fields)
			}
		}
	}
}
