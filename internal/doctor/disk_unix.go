//go:build linux || darwin || freebsd

package doctor

import "syscall"

// freeSpace returns the free space that is available to users other than root.
func freeSpace(dir string) (bytes uint64, ok bool) {
	var s syscall.Statfs_t
	if dir == "" || syscall.Statfs(dir, &s) != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}
