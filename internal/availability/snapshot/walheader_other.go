//go:build !unix

package snapshot

import "errors"

func openWALHeader(string) (walHeader, error) { return nil, errors.New("not on this system") }
