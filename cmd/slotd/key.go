package main

import (
	"context"
	"fmt"

	"slotd/internal/seal"
	"slotd/internal/workspace"
)

// keyRotate seals every stored credential with a new key.
func keyRotate(ctx context.Context, p *program, args []string) error {
	var d databaseFlags
	fs := p.flags("key rotate", "")
	d.define(fs)
	if _, err := fs.parse(args, 0); err != nil {
		return err
	}
	db, err := d.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := d.keys(); err != nil {
		return err
	}
	resealed := 0
	err = seal.Rotate(d.keyPath(), func(keys *seal.Keys) (err error) {
		resealed, err = workspace.Reseal(ctx, db, keys)
		return err
	})
	if err != nil {
		return fmt.Errorf("%w; the key file opens all that it opened before, so run this again", err)
	}
	fmt.Fprintf(p.out, "%d credentials are sealed with a new key; copy %s to all servers\n", resealed, d.keyPath())
	return nil
}
