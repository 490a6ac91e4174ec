package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"slotd/internal/availability/zone"
)

// Set by the Makefile through the linker. A plain `go build` takes the commit from the checkout.
var (
	version = "0.1.0"
	commit  = ""
)

func printVersion(_ context.Context, p *program, args []string) error {
	if _, err := p.flags("").ParseArgs(args, 0); err != nil {
		return err
	}
	zones, from := zone.Source()
	fmt.Fprintf(p.out, "slotd %s\ncommit %s\n%s\ntzdata %s (%s)\n", version, commitID(), runtime.Version(), zones, from)
	return nil
}

func commitID() string {
	if commit != "" {
		return commit
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "unknown"
}
