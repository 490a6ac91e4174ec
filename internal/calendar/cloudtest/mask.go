package cloudtest

import "strings"

// applyMask returns a partial response with the fields that the fields parameter names, such as a,b(c,d). An empty
// parameter means all fields.
func applyMask(e Event, fields string) Event {
	if fields == "" {
		return e
	}
	out := Event{}
	for fields != "" {
		var name, inner string
		name, inner, fields = cutField(fields)
		switch value := e[name].(type) {
		case nil:
		case []Event:
			out[name] = applyMaskToEvents(value, inner)
		case []any:
			out[name] = applyMaskToValues(value, inner)
		default:
			if object := e.object(name); object != nil {
				value = applyMask(object, inner)
			}
			out[name] = value
		}
	}
	return out
}

func applyMaskToEvents(events []Event, fields string) []Event {
	out := make([]Event, len(events))
	for i, e := range events {
		out[i] = applyMask(e, fields)
	}
	return out
}

func applyMaskToValues(values []any, fields string) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
		if e, ok := v.(map[string]any); ok {
			out[i] = applyMask(e, fields)
		}
	}
	return out
}

// cutField returns the first field, the part in parentheses after it, and the rest.
func cutField(fields string) (name, inner, rest string) {
	depth, open := 0, -1
	end := len(fields)
	for i, c := range fields {
		switch {
		case c == '(':
			if depth == 0 {
				open = i
			}
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			end = i
		}
		if end < len(fields) {
			break
		}
	}
	name, rest = fields[:end], strings.TrimPrefix(fields[end:], ",")
	if open >= 0 {
		name, inner = fields[:open], fields[open+1:end-1]
	}
	return name, inner, rest
}
