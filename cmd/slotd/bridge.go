package main

import (
	"context"

	"slotd/internal/cli"
	"slotd/internal/mcp/bridge"
)

func runBridge(ctx context.Context, p *program, args []string) error {
	fs := p.flags("")
	url := fs.String("url", "", "endpoint to forward to, such as https://book.example/api/mcp")
	var headers cli.StringList
	fs.Var(&headers, "header", "header to send, 'Name: value'; repeatable")
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	if err := cli.Required("--url", *url); err != nil {
		return err
	}
	token, _, err := cli.LookupSetting(p.getenv, "SLOTD_TOKEN")
	if err != nil {
		return err
	}
	return bridge.Run(ctx, bridge.Options{URL: *url, Headers: headers, Token: token, In: p.in, Out: p.out, Log: p.err})
}
