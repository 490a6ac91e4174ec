package main

import (
	"context"
	"fmt"

	"slotd/internal/cli"
	"slotd/internal/lib/say"
	"slotd/internal/lib/seal"
	"slotd/internal/money/accounts"
	"slotd/internal/workspace"
)

// keyRotate seals every stored credential with a new key.
func keyRotate(ctx context.Context, p *program, args []string) error {
	var d cli.Database
	fs := p.flags("")
	d.Define(fs)
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return err
	}
	db, err := d.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := seal.Load(d.KeyPath()); err != nil { // a mistyped path must not make a new file
		return err
	}
	resealed, locked := 0, []string(nil)
	err = seal.Rotate(d.KeyPath(), func(keys *seal.Keys) (err error) {
		resealed, locked, err = workspace.Reseal(ctx, db, keys, accounts.Reseal)
		return err
	})
	if err != nil {
		return fmt.Errorf("%w; the key file still opens everything it opened before, so run this again", err)
	}
	for _, name := range locked {
		fmt.Fprintln(p.err, say.T("warning: the credential of %s can't be decrypted with this key file; it wasn't changed",
			name))
	}
	fmt.Fprintln(p.out, say.N(resealed, "%d credential is encrypted with a new key; copy %s to all servers",
		"%d credentials are encrypted with a new key; copy %s to all servers", d.KeyPath()))
	return nil
}
