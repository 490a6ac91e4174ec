package main

import (
	"context"

	"slotd/internal/workspace/file"
)

func printSchema(_ context.Context, p *program, args []string) error {
	if _, err := p.flags("").ParseArgs(args, 0); err != nil {
		return err
	}
	_, err := p.out.Write(file.Schema())
	return err
}
