package bridge

import (
	"strings"
	"testing"
)

func TestLines_GarbageIsAnsweredAndTheNextLineWorks(t *testing.T) {
	for name, tc := range map[string]struct {
		line string
		code int
	}{
		"words":         {`hello`, codeParse},
		"half":          {`{"id":1,`, codeParse},
		"two values":    {`{"id":1}{"id":2}`, codeParse},
		"invalid UTF-8": {"{\"id\":\"\xff\",\"method\":\"ping\"}", codeParse},
		"null byte":     {"\x00", codeParse},
		"batch":         {`[{"id":1,"method":"ping"}]`, codeInvalidRequest},
		"number":        {`7`, codeInvalidRequest},
		"null":          {`null`, codeInvalidRequest},
		"too long":      {strings.Repeat("x", maxLine+1), codeInvalidRequest},
		"far too long":  {`{"id":1,"method":"` + strings.Repeat("x", 3*maxLine) + `"}`, codeInvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, echo)
			h := start(t, Options{URL: s.URL})
			h.send(tc.line)
			h.wantError("null", tc.code)
			h.send(`{"id":2,"method":"ping"}`)
			h.want(`{"jsonrpc":"2.0","id":2,"result":{}}`)
			h.end()
			if n := len(s.requests()); n != 1 {
				t.Errorf("%d requests, want the good one only", n)
			}
		})
	}
}

func TestLines_OneOfExactlyTheBoundPasses(t *testing.T) {
	for name, ending := range map[string]string{"newline": "", "carriage return": "\r"} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, echo)
			h := start(t, Options{URL: s.URL})
			start, end := `{"id":1,"method":"ping","x":"`, `"}`
			h.send(start + strings.Repeat("x", maxLine-len(start)-len(end)) + end + ending)
			h.want(`{"jsonrpc":"2.0","id":1,"result":{}}`)
			h.end()
			if n := len(s.requests()[0].body); n != maxLine {
				t.Errorf("the server got %d bytes, want %d", n, maxLine)
			}
		})
	}
}

func TestLines_AnEndlessOneAtTheEndIsAnswered(t *testing.T) {
	h := start(t, Options{URL: "http://127.0.0.1:1"})
	go func() {
		h.in.Write([]byte(strings.Repeat(" ", maxLine+1)))
		h.in.Close()
	}()
	h.wantError("null", codeInvalidRequest)
	h.end()
}
