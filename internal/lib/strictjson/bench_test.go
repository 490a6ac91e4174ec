package strictjson

import (
	"encoding/json"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"tools_call", toolsCall},
		{"6_names", "{" + numbered(6, `"name_%d":1`) + "}"},
		{"7_names", "{" + numbered(7, `"name_%d":1`) + "}"},
		{"16_names", "{" + numbered(16, `"name_%d":1`) + "}"},
		{"6000_names", hostile["names"](6000)},
		{"escapes", hostile["escapes"](8 << 10)},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkParse(b, c.text) })
	}
}

func benchmarkParse(b *testing.B, text string) {
	var d Doc
	data := []byte(text)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Parse(data, depth); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseAndRead(b *testing.B) {
	var d Doc
	data := []byte(toolsCall)
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Parse(data, depth); err != nil {
			b.Fatal(err)
		}
		if err := readCall(d.Root()); err != nil {
			b.Fatal(err)
		}
	}
}

// For comparison: checking only the syntax with encoding/json.
func BenchmarkEncodingJSONValid(b *testing.B) {
	data := []byte(toolsCall)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if !json.Valid(data) {
			b.Fatal("invalid")
		}
	}
}
