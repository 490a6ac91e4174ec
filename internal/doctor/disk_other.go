//go:build !(linux || darwin || freebsd)

package doctor

func freeSpace(string) (bytes uint64, ok bool) { return 0, false }
