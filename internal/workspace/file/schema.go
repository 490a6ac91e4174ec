package file

import (
	"bytes"
	"encoding/json"
	"fmt"

	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// schema is a JSON schema, or a part of one.
type schema struct {
	Schema        string      `json:"$schema,omitempty"`
	Title         string      `json:"title,omitempty"`
	Description   string      `json:"description,omitempty"`
	Type          any         `json:"type,omitempty"` // a word or a list of words
	Enum          []any       `json:"enum,omitempty"`
	MinLength     int         `json:"minLength,omitempty"`
	MaxLength     int         `json:"maxLength,omitempty"`
	Pattern       string      `json:"pattern,omitempty"`
	Minimum       *int        `json:"minimum,omitempty"`
	Maximum       *int        `json:"maximum,omitempty"`
	Default       any         `json:"default,omitempty"`
	Items         *schema     `json:"items,omitempty"`
	MaxItems      int         `json:"maxItems,omitempty"`
	UniqueItems   bool        `json:"uniqueItems,omitempty"`
	Required      []string    `json:"required,omitempty"`
	Properties    *properties `json:"properties,omitempty"`
	PropertyNames *schema     `json:"propertyNames,omitempty"`
	MaxProperties int         `json:"maxProperties,omitempty"`
	Additional    any         `json:"additionalProperties,omitempty"` // a schema, or false
}

// properties keep the order of the fields: editors offer them in this order.
type properties []property

type property struct {
	name  string
	value *schema
}

func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, one := range p {
		value, err := json.Marshal(one.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%c%q:%s", "{,"[min(i, 1)], one.name, value)
	}
	return append(b.Bytes(), '}'), nil
}

// Schema returns the JSON schema of the workspace file, with which editors complete and check it. It accepts every file
// that Read accepts. Read also knows what a schema cannot say, such as that two slugs differ.
func Schema() []byte {
	s := objectSchema(workspace.Fields)
	s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", say.T("slotd workspace file")
	*s.Properties = append(*s.Properties,
		property{"schedules", orNull(&schema{Type: "object", MaxProperties: workspace.MaxSchedules,
			PropertyNames: &schema{MinLength: 1, MaxLength: workspace.MaxName}, Additional: objectSchema(workspace.ScheduleFields)})},
		property{"event_types", orNull(listSchema(objectSchema(workspace.EventTypeFields), workspace.MaxEventTypes))},
		property{"calendars", orNull(listSchema(objectSchema(workspace.CalendarFields), workspace.MaxCalendars))})
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // it is made of words and numbers
	}
	return append(text, '\n')
}

func listSchema(items *schema, most int) *schema {
	return &schema{Type: "array", Items: items, MaxItems: most}
}

func objectSchema[T any](fields []workspace.Field[T]) *schema {
	s := &schema{Type: "object", Properties: &properties{}, Additional: false}
	for _, f := range fields {
		part := fieldSchema(f)
		part.Description = f.Help.String()
		if f.Required {
			s.Required = append(s.Required, f.Name)
		} else {
			part = orNull(part)
		}
		*s.Properties = append(*s.Properties, property{f.Name, part})
	}
	return s
}

func fieldSchema[T any](f workspace.Field[T]) *schema {
	switch k := f.Kind.(type) {
	case workspace.Text[T]:
		s := textSchema(k.Format)
		if k.Default != "" {
			s.Default = k.Default
		}
		return s
	case workspace.Number[T]:
		s := &schema{Type: "integer", Minimum: &k.Min, Maximum: &k.Max}
		if k.None == "" && !f.Required {
			s.Default = k.Default
		}
		return s
	case workspace.Flag[T]:
		return &schema{Type: "boolean", Default: false}
	case workspace.Numbers[T]:
		return &schema{Type: "array", MaxItems: k.MaxItems, UniqueItems: true, Default: k.Default,
			Items: &schema{Type: "integer", Minimum: &k.Min, Maximum: &k.Max}}
	case workspace.Texts[T]:
		return listSchema(textSchema(k.Format), k.MaxItems)
	case workspace.Week[T]:
		return weekSchema()
	case workspace.Dates[T]:
		return &schema{Type: "object", MaxProperties: k.MaxItems, Additional: windowsSchema(),
			PropertyNames: &schema{Pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}}
	case workspace.Object[T]:
		return objectSchema(k.Fields)
	}
	return textSchema(workspace.Format{})
}

// textSchema also accepts numbers and booleans, because Read takes an unquoted 123 or no for text.
func textSchema(format workspace.Format) *schema {
	s := &schema{Type: []string{"string", "number", "boolean"}, MaxLength: format.Max, Pattern: format.Pattern}
	for _, choice := range format.Choices {
		s.Enum = append(s.Enum, choice)
	}
	if len(s.Enum) > 0 {
		s.Type, s.MaxLength = "string", 0
	}
	return s
}

// orNull also accepts null, which counts as left out.
func orNull(s *schema) *schema {
	switch t := s.Type.(type) {
	case string:
		s.Type = []string{t, "null"}
	case []string:
		s.Type = append(t, "null")
	}
	if len(s.Enum) > 0 {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

func windowsSchema() *schema {
	return listSchema(&schema{Type: "string", Pattern: "^[0-9]{2}:[0-9]{2}-[0-9]{2}:[0-9]{2}$"},
		workspace.MaxWindowsADay)
}

func weekSchema() *schema {
	s := &schema{Type: "object", Properties: &properties{}, Additional: false}
	for _, day := range workspace.Weekdays {
		*s.Properties = append(*s.Properties, property{day, orNull(windowsSchema())})
	}
	return s
}
