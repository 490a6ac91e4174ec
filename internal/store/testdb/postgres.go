package testdb

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"slotd/test/await"
	"slotd/test/process"
)

// Cluster is a PostgreSQL server that the tests run on a free port.
type Cluster struct {
	Binaries string // directory of initdb, pg_ctl and pgbench
	Log      string // path of the server's log file

	dir         string
	port        int
	release     func()               // releases the port
	stop        func()               // stops the server and removes its data
	sysProcAttr *syscall.SysProcAttr // PostgreSQL refuses to run as root
}

// StartPostgres returns the cluster of this process and starts it on the first call.
var StartPostgres = sync.OnceValues(start)

// Durable makes the cluster wait for the disk at every commit, as real servers do. Set it before the first start.
// Tests need not wait: they kill programs, never the machine.
var Durable = false

var started *Cluster

func start() (*Cluster, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	c := &Cluster{Binaries: bin}
	if c.dir, err = os.MkdirTemp("", "slotd-postgres-"); err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 {
		if err := c.runAs("postgres"); err != nil {
			return nil, err
		}
	}
	if c.port, c.release, err = reserve(); err != nil {
		return nil, err
	}
	c.Log = filepath.Join(c.dir, "log")
	data := filepath.Join(c.dir, "data")
	stop := []string{filepath.Join(bin, "pg_ctl"), "-D", data, "-m", "immediate", "stop"}
	forget, err := process.AtDeath(c.sysProcAttr, append([]string{"sh", "-c", `"$@"; rm -rf "$0"`, c.dir}, stop...)...)
	if err != nil {
		return nil, err
	}
	c.stop = func() {
		c.run(stop[0], stop[1:]...)
		os.RemoveAll(c.dir)
		forget()
	}
	started = c
	if err := c.run(filepath.Join(bin, "initdb"), "-D", data, "-A", "trust", "-U", "postgres", "--locale=C.UTF-8", "-E",
		"UTF8", "-N"); err != nil {
		return nil, err
	}
	options := fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c max_connections=300", c.port, c.dir)
	if !Durable {
		options += " -c fsync=off -c full_page_writes=off"
	}
	return c, c.run(filepath.Join(bin, "pg_ctl"), "-D", data, "-w", "-t", fmt.Sprint(await.Patience.Seconds()), "-l",
		c.Log, "-o", options, "start")
}

// binaries finds the directory of initdb, on the PATH or where Debian installs it.
func binaries() (dir string, err error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		path, err = filepath.EvalSymlinks(path)
		return filepath.Dir(path), err
	}
	paths, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(paths) == 0 {
		return "", fmt.Errorf("initdb is not installed")
	}
	return filepath.Dir(paths[len(paths)-1]), nil
}

func (c *Cluster) runAs(name string) error {
	u, err := user.Lookup(name)
	if err != nil {
		return err
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	c.sysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return os.Chown(c.dir, uid, gid)
}

func (c *Cluster) run(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.SysProcAttr = c.dir, c.sysProcAttr
	// A file instead of a pipe: the server would inherit the pipe and Wait would never return.
	log, err := os.CreateTemp(c.dir, "out-")
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		output, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%s: %w: %s", filepath.Base(name), err, output)
	}
	return nil
}

// URL returns the address of one of the cluster's databases.
func (c *Cluster) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", c.port, database)
}

// Create creates an empty database.
func (c *Cluster) Create(database string) error {
	db, err := sql.Open("pgx", c.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec("CREATE DATABASE " + database)
	return err
}

// Stop stops the cluster if it was started, and removes its data.
func Stop() {
	if started == nil {
		return
	}
	started.stop()
	started.release()
}
