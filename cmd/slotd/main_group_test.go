package main

import (
	"strings"
	"testing"
)

// The first word of a command alone prints the commands that start with it.
func TestGroup_FirstWordAlonePrintsItsCommands(t *testing.T) {
	for _, c := range commands {
		first, _, two := strings.Cut(c.name, " ")
		if !two {
			continue
		}
		for _, asked := range []string{"--help", "-h", "help"} {
			if o := run(t, nil, "", first, asked).exits(t, 0); !strings.Contains(o.out, c.name) ||
				!strings.Contains(o.out, c.summary) || o.err != "" {
				t.Errorf("%s %s prints %q, %q", first, asked, o.out, o.err)
			}
		}
		run(t, nil, "", first).exits(t, 2).says(t, c.name, "needs one of these words")
		run(t, nil, "", first, "--workspace", "acme").exits(t, 2).says(t, c.name)
		run(t, nil, "", first, "no-such").exits(t, 2).says(t, c.name, `no command "`+first+` no-such"`)
	}
	run(t, nil, "", "no-such").exits(t, 2).says(t, `no command "no-such"`)
}
