package public

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
)

// The month's days and the day's times are written by hand: as templates they took most of the time
// that a page takes to make. Nothing foreign stands in them but the address, and that is escaped.

// html is the address as it stands in an attribute, before and after what is chosen.
func (a address) html() (path, tail string) {
	return template.HTMLEscapeString(a.path), template.HTMLEscapeString(a.tail)
}

// heads are a month's column heads, by the first day of the week.
var heads = func() (all [7]string) {
	for first := range all {
		for i := range 7 {
			day := time.Weekday((first + i) % 7).String()
			all[first] += `<th scope="col"><span class="unseen">` + day + `</span><span aria-hidden="true">` + day[:3] +
				`</span></th>`
		}
	}
	return all
}()

// grid lays the dates out in weeks. Those without open times cannot be chosen.
func grid(o openings, firstWeekday time.Weekday, chosen, today zone.Date, to address) template.HTML {
	path, tail := to.html()
	first, end := o.month.first(), (o.month + 1).first()
	column := (int(first.Weekday()) - int(firstWeekday) + 7) % 7
	var out strings.Builder
	out.Grow(4096 + (150+len(path)+len(tail))*len(o.dates))
	write := func(parts ...string) {
		for _, s := range parts {
			out.WriteString(s)
		}
	}
	write("<thead><tr>", heads[firstWeekday], "</tr></thead>\n<tbody>\n<tr>", strings.Repeat("<td></td>", column))
	for d := first; d < end; d++ {
		if column == 7 {
			write("</tr>\n<tr>")
			column = 0
		}
		column++
		number, class := strconv.Itoa(int(d-first)+1), `class="day`+only(d == today, " today")+`"`
		if len(o.days[d]) == 0 {
			write(`<td aria-label="`, nameOf(d), `, no open times"><span `, class, ">", number, "</span></td>")
			continue
		}
		write(`<td><a id="d`, strconv.Itoa(int(d)), `" `, class, ` href="`, path, "?date=", d.String(), tail,
			`" data-swap rel="nofollow" aria-label="`, nameOf(d), `"`, only(d == chosen, ` aria-current="true"`), ">",
			number, "</a></td>")
	}
	write(strings.Repeat("<td></td>", 7-column), "</tr>\n</tbody>")
	return template.HTML(out.String())
}

func only(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// timeList names each time in full for those who hear it: Tuesday 17 November, 14:30.
func timeList(times []time.Time, day string, local when.Local, to address) template.HTML {
	path, tail := to.html()
	var out strings.Builder
	out.Grow((180 + len(path) + len(tail)) * len(times))
	for _, t := range times {
		text := local.Time(t)
		for _, s := range []string{
			"<li", only(local.Zone().Repeats(t), ` class="twice"`), `><a id="t`, strconv.FormatInt(t.Unix(), 36),
			`" href="`, path, "?slot=", slotd.Instant(t), tail,
			`" data-swap rel="nofollow" aria-label="`, day, ", ", text, `">`, text, "</a></li>\n",
		} {
			out.WriteString(s)
		}
	}
	return template.HTML(out.String())
}
