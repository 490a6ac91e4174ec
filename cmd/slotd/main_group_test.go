package main

import (
	"strings"
	"testing"
)

// The first word of a command alone prints the commands that start with it.
func TestGroup_FirstWordAlonePrintsItsCommands(t *testing.T) {
	for _, c := range commands {
		first := c.name
		if c.verb == "" {
			continue
		}
		for _, asked := range []string{"--help", "-h", "help"} {
			if o := run(t, nil, "", first, asked).exits(t, 0); !strings.Contains(o.out, c.words()) ||
				!strings.Contains(o.out, c.summary.String()) || o.err != "" {
				t.Errorf("%s %s prints %q, %q", first, asked, o.out, o.err)
			}
		}
		run(t, nil, "", first).exits(t, 2).says(t, c.words(), "choose one of the "+first+" commands")
		run(t, nil, "", first, "--workspace", "acme").exits(t, 2).says(t, c.words())
		run(t, nil, "", first, "no-such").exits(t, 2).says(t, c.words(), `unknown command "`+first+` no-such"`)
	}
	run(t, nil, "", "no-such").exits(t, 2).says(t, `unknown command "no-such"`)
}
