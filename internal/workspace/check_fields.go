package workspace

import "fmt"

// checkFields checks each field of v on its own, and then by its rule.
func checkFields[T any](c *checker, path string, v *T, fields []Field[T]) {
	for _, f := range fields {
		at := JoinPath(path, f.Name)
		switch k := f.Kind.(type) {
		case Text[T]:
			if s := *k.At(v); s != "" || f.Required {
				c.add(at, k.Format.Check(s))
			}
		case Number[T]:
			if n := k.Get(v); n != 0 || k.None == "" {
				c.inRange(at, n, k.Min, k.Max, k.Unit)
			}
		case Numbers[T]:
			for i, n := range atMost(c, at, *k.At(v), k.MaxItems, k.Items) {
				c.inRange(fmt.Sprintf("%s[%d]", at, i), n, k.Min, k.Max, k.Unit)
			}
		case Texts[T]:
			for i, s := range atMost(c, at, *k.At(v), k.MaxItems, k.Items) {
				c.add(fmt.Sprintf("%s[%d]", at, i), k.Format.Check(s))
			}
		case Week[T]:
			c.week(at, *k.At(v))
		case Dates[T]:
			c.dates(at, *k.At(v), k.MaxItems)
		case Object[T]:
			if k.Has == nil || k.Has(v) {
				checkFields(c, at, v, k.Fields)
			}
		}
		if f.rule != nil {
			f.rule(c, at, v)
		}
	}
}
