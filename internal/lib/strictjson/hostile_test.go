package strictjson

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd/internal/lib/cputest"
)

// hostile are texts that grow with n. From n to 4n, linear work grows fourfold and quadratic work sixteenfold. With
// pairwise comparison at any size, a hash that collides, or a table that is cleared completely each time, some shape
// takes 13 to 35 times as long.
var hostile = map[string]func(n int) string{
	"names":            func(n int) string { return "{" + numbered(n, `"k%d":1`) + "}" },
	"names, one late":  func(n int) string { return "{" + numbered(n, `"k%d":1`) + `,"k0":1}` },
	"escaped names":    func(n int) string { return "{" + numbered(n, `"\u006b%d":1`) + "}" },
	"escapes":          func(n int) string { return `"` + strings.Repeat(`\u00e9\n`, n) + `"` },
	"escaped strings":  func(n int) string { return "[" + numbered(n, `"\t%d"`) + "]" },
	"long equal heads": func(n int) string { return "[" + strings.Repeat(likeNames(pairwiseLimit)+",", n/64) + "0]" },
	"large then small": func(n int) string {
		return "[{" + numbered(n, `"k%d":1`) + "}" + strings.Repeat(",{"+numbered(pairwiseLimit+1, `"%d":1`)+"}", n/8) +
			"]"
	},
	"values with content": func(n int) string { return "{" + numbered(n, `"k%d":[[],{"a":[1,2,3]}]`) + "}" },
	"deep":                func(n int) string { return strings.Repeat("[", n) },
	"unclosed objects":    func(n int) string { return strings.Repeat(`{"a":`, n) },
	"nested": func(n int) string {
		return strings.Repeat(`{"a":1,"b":`, n) + "1" + strings.Repeat("}",
			n)
	},
	"digits":        func(n int) string { return strings.Repeat("9", n) },
	"zeros":         func(n int) string { return strings.Repeat("0", n) },
	"white space":   func(n int) string { return strings.Repeat(" ", n) + "1" },
	"invalid UTF-8": func(n int) string { return strings.Repeat("é", n) + "\xff" },
}

func likeNames(n int) string {
	return "{" + numbered(n, `"`+strings.Repeat("same", 64)+`%d":1`) + "}"
}

func TestParse_WorkGrowsWithTheTextNotItsSquare(t *testing.T) {
	const n, maxRatio = 2 << 10, 10
	for name, shape := range hostile {
		small, large := shape(n), shape(4*n)
		if ratio := work(t, large).Seconds() / work(t, small).Seconds(); ratio >= maxRatio {
			t.Errorf("%s: four times the text (%d bytes) takes %.1f times the work", name, len(large), ratio)
		}
	}
}

// work returns the processor time of a parse. It allows any depth, so that an early rejection does not hide the work.
func work(t *testing.T, text string) time.Duration {
	var d Doc
	data := []byte(text)
	least := cputest.Least(t, 20, func() { d.Parse(data, len(data)) })
	return max(least, 20*time.Microsecond) // below that, it would measure the measuring
}

const toolsCall = `{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"get_availability","arguments":` +
	`{"workspace":"acme","event_type":"intro","start_date":"2030-01-08","days":7,"time_zone":"Europe\/Berlin"}}}`

func TestParse_AWarmDocDoesNotAllocate(t *testing.T) {
	many := []byte("{" + numbered(500, `"k\t%d":[1,{"a":2}]`) + "}")
	for _, data := range [][]byte{[]byte(toolsCall), many} {
		var d Doc
		allocs := testing.AllocsPerRun(100, func() {
			if err := d.Parse(data, depth); err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 0 {
			t.Errorf("%.40s: %v allocations", data, allocs)
		}
	}
}

func TestValue_ReadingDoesNotAllocate(t *testing.T) {
	call := mustParse(t, toolsCall)
	allocs := testing.AllocsPerRun(100, func() {
		if err := readCall(call); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// readCall does what an endpoint does with a call, but keeps no text.
func readCall(call Value) error {
	arguments, found := call.Get("params").Get("arguments"), 0
	for name, value := range arguments.Members() {
		if name.Is("time_zone") && value.Is("Europe/Berlin") {
			found++
		}
	}
	days, ok := arguments.Get("days").Int64()
	if found != 1 || !ok || days != 7 || !call.Get("method").Is("tools/call") || string(call.Get("id").Raw()) != "17" {
		return fmt.Errorf("misread %s", call.Raw())
	}
	return nil
}
