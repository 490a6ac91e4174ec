package davtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"slotd/internal/store/testdb"
)

const radicaleConfig = `[server]
hosts = %[1]s
[auth]
type = htpasswd
htpasswd_filename = %[2]s/users
htpasswd_encryption = plain
delay = 0
[rights]
type = owner_only
[storage]
filesystem_folder = %[2]s/data
[logging]
level = info
`

// Radicale starts a Radicale server. It handles wrong passwords and other users' collections itself.
func Radicale(t testing.TB) Server {
	t.Helper()
	addr, dir := testdb.FreeAddr(t), t.TempDir()
	config := filepath.Join(dir, "config")
	write(t, config, fmt.Sprintf(radicaleConfig, addr, dir))
	write(t, filepath.Join(dir, "users"), username+":"+password+"\n")
	start(t, "Radicale", "server ready", "/usr/bin/radicale", "-C", config)
	base := "http://" + addr + "/"
	s := Server{URL: base, Username: username, Password: password, Calendar: base + username + "/office/"}
	s.must(t, "MKCALENDAR", s.Calendar, "", "")
	return s
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
