package cloudtest

import "strings"

// masked is a partial answer: what the fields parameter names, such as a,b(c,d). An empty one names all.
func masked(e Event, fields string) Event {
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
			out[name] = maskedAll(value, inner)
		case []any:
			out[name] = maskedAny(value, inner)
		default:
			if deeper := e.under(name); deeper != nil {
				value = masked(deeper, inner)
			}
			out[name] = value
		}
	}
	return out
}

func maskedAll(events []Event, fields string) []Event {
	out := make([]Event, len(events))
	for i, e := range events {
		out[i] = masked(e, fields)
	}
	return out
}

func maskedAny(values []any, fields string) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
		if e, ok := v.(map[string]any); ok {
			out[i] = masked(e, fields)
		}
	}
	return out
}

// cutField takes the first field, what it holds in parentheses, and what follows.
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
