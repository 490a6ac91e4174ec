package file

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd/internal/lib/cputest"
)

func TestRead_BoundsAliases(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s]\n", i, i,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	wantProblems(t, bomb.String(), "line 1: aliases repeat so much")
	wantProblems(t, "a: &a [*a]\n", "line 1: mappings and lists are nested too deeply, or an alias stands inside")
	wantProblems(t, "a: &a\n  b: [*a, *a, *a]\n", "line 2: mappings and lists are nested too deeply")
	wantProblems(t, "a: &a\n  ? *a\n  : 1\n", "line 1: a name is expected", "line 1: a: is no known field",
		"line 1: workspace: is missing", "line 1: host: is missing")
}

func TestRead_BoundsDepthAndSize(t *testing.T) {
	wantProblems(t, "a: "+strings.Repeat("[", 40)+strings.Repeat("]", 40),
		"line 1: mappings and lists are nested too deeply")
	wantProblems(t, `{"a":`+strings.Repeat("[", 40)+strings.Repeat("]", 40)+"}",
		"line 1: arrays and objects are nested too deeply")
	comment := strings.Repeat("#", maxSize-len(small)-1)
	mustRead(t, small+comment+"\n")
	wantProblems(t, small+comment+"#\n", "line 1: the file is larger than 16777216 bytes")
}

// hostileFiles returns files of about the given size that are expensive to read.
func hostileFiles(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return map[string]string{
		"tags":      numbered("%%TAG !a%d! x\n") + "---\n",
		"late tags": "a: 1\n...\n" + numbered("%%TAG !a%d! x\n") + "---\n", "names": numbered("a%d: 1\n"),
		"one name":    fill("a: 1\n"),
		"event types": small + fill("  - 1\n"), "unknown fields": small + numbered("    a%d: 1\n"),
		"aliases":  "a: &a 1\nb: [" + fill("*a,") + "]",
		"comments": small + fill("#\n"), "flow": "a: [" + fill("b,") + "]",
		"open": "a: " + strings.Repeat("[", 9000) + fill("1,")[9000:], "keys": fill("?\n"),
		"syntax error at the end": numbered("a%d: 1\n") + "b: 'x' y\n",
		"small syntax error":      small + strings.Repeat("# x\n", 14_000) + "b: 'x' y\n",
		"json":                    "{" + numbered("\"a%d\":1,") + "\"b\":1}",
		"json lines":              "{\"event_types\":[" + fill("1,\n") + "1]}",
		"json names":              `{"schedules":{` + numbered("\"a%d\":{},") + "\"b\":1}}",
	}
}

// Four times the file takes about four times the work. Quadratic behavior would take sixteen times, and minutes.
func TestRead_EndsSoonOnHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("parses many mebibytes")
	}
	const size, maxRatio = 256 << 10, 10
	read := func(name, data string, runs int) time.Duration {
		least := cputest.Least(t, runs, func() {
			if _, err := Read([]byte(data)); err == nil && name != "comments" {
				t.Errorf("%s: accepted", name)
			}
		})
		return max(least, 20*time.Millisecond) // below that, it would measure how memory is allocated
	}
	large := hostileFiles(4 * size)
	for name, data := range hostileFiles(size) {
		a, b := read(name, data, 5), read(name, large[name], 2)
		if t.Logf("%s: %v, %v", name, a, b); b > maxRatio*a {
			t.Errorf("%s: four times the file takes %v after %v", name, b, a)
		}
	}
}
