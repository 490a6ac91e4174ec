package public

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
)

// The month's days and the day's times are written without templates, which took most of the time of rendering a page.
// The only foreign text in them is the URL, which is escaped.

// escaped returns the two parts of the URL, escaped for an HTML attribute.
func (u pageURL) escaped() (path, params string) {
	return template.HTMLEscapeString(u.path), template.HTMLEscapeString(u.params)
}

// weekdayHeads holds the column heads of a month, indexed by the first day of the week.
var weekdayHeads = func() (all [7]string) {
	for first := range all {
		for i := range 7 {
			day := time.Weekday((first + i) % 7).String()
			all[first] += `<th scope="col"><span class="unseen">` + day + `</span><span aria-hidden="true">` + day[:3] +
				`</span></th>`
		}
	}
	return all
}()

// emptyDay is the label of a day without open times. It is split once, because a month has many such days.
const emptyDay say.Sentence = "%s, no available times"

var beforeEmptyDay, afterEmptyDay, _ = strings.Cut(emptyDay.String(), "%s")

// grid returns the rows of the month's table, one per week. Dates without open times are not links.
func grid(o openings, firstWeekday time.Weekday, chosen, today zone.Date, to pageURL) template.HTML {
	path, params := to.escaped()
	first, end := o.month.first(), (o.month + 1).first()
	column := (int(first.Weekday()) - int(firstWeekday) + 7) % 7
	var out strings.Builder
	out.Grow(4096 + (150+len(path)+len(params))*len(o.dates))
	write := func(parts ...string) {
		for _, s := range parts {
			out.WriteString(s)
		}
	}
	write("<thead><tr>", weekdayHeads[firstWeekday], "</tr></thead>\n<tbody>\n<tr>",
		strings.Repeat("<td></td>", column))
	for d := first; d < end; d++ {
		if column == 7 {
			write("</tr>\n<tr>")
			column = 0
		}
		column++
		number, class := strconv.Itoa(int(d-first)+1), `class="day`+textIf(d == today, " today")+`"`
		if len(o.days[d]) == 0 {
			write(`<td aria-label="`, beforeEmptyDay, dayName(d), afterEmptyDay, `"><span `, class, ">", number,
				"</span></td>")
			continue
		}
		write(`<td><a id="d`, strconv.Itoa(int(d)), `" `, class, ` href="`, path, "?date=", d.String(), params,
			`" data-swap rel="nofollow" aria-label="`, dayName(d), `"`, textIf(d == chosen, ` aria-current="true"`),
			">", number, "</a></td>")
	}
	write(strings.Repeat("<td></td>", 7-column), "</tr>\n</tbody>")
	return template.HTML(out.String())
}

func textIf(cond bool, text string) string {
	if cond {
		return text
	}
	return ""
}

// timeList returns the links to a day's times. For screen readers each label has the full date: Tuesday 17 November,
// 14:30.
func timeList(times []time.Time, day string, local when.Local, to pageURL) template.HTML {
	path, params := to.escaped()
	var out strings.Builder
	out.Grow((180 + len(path) + len(params)) * len(times))
	for _, t := range times {
		text := local.Time(t)
		for _, s := range []string{
			"<li", textIf(local.Zone().Repeats(t), ` class="twice"`), `><a id="t`, strconv.FormatInt(t.Unix(), 36),
			`" href="`, path, "?slot=", slotd.Instant(t), params,
			`" data-swap rel="nofollow" aria-label="`, day, ", ", text, `">`, text, "</a></li>\n",
		} {
			out.WriteString(s)
		}
	}
	return template.HTML(out.String())
}
