package zone

import (
	"archive/zip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLoad_RefusesWhatIsNoIANAName(t *testing.T) {
	for _, name := range []string{
		"", " ", ".", "..", "/", "Local", "local", "localtime", "posixrules", "Factory", "+VERSION", "zone.tab",
		"tzdata.zi", "leapseconds",
		"right/UTC", "right/America/New_York", "posix/UTC", "posix/America/New_York",
		"../x", "../zoneinfo/UTC", "America/../UTC", "America/./New_York", "./UTC", "/UTC", "/usr/share/zoneinfo/UTC",
		"UTC/", "America//New_York",
		"America", "America/", "America/new_york", "america/New_York", "AMERICA/NEW_YORK", "utc", "America\\New_York",
		"America/New York",
		"UTC\x00", "\x00", "America/New_York\x00.txt", "America/\x00New_York", "UTC\n", " UTC", "UTC ",
		"UTC+1", "+01:00", "EST5EDT4", "<+03>-3", "Europe/Atlantis", "\xff\xfe", "Ａmerica/New_York",
		"America/New_York%00", "C:\\UTC",
		strings.Repeat("a", 65), strings.Repeat("America/", 1<<16), strings.Repeat("../", 1000) + "etc/passwd",
	} {
		z, err := Load(name)
		if err == nil {
			t.Errorf("Load(%.40q) = %s", name, z.Name())
		} else if !strings.Contains(err.Error(), "America/New_York") || len(err.Error()) > 500 {
			t.Errorf("the answer to %.40q does not show a right value, or repeats all of it: %.100s", name, err)
		}
	}
}

func TestLoad_AcceptsEveryName(t *testing.T) {
	names := mustNames(t)
	if len(names) < 550 || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Fatalf("%d names, or not sorted, or some twice", len(names))
	}
	for _, name := range names {
		z, err := Load(name)
		if err != nil {
			t.Errorf("Load(%q): %v", name, err)
			continue
		}
		if again, _ := Load(name); z.Name() != name || z.Location().String() != name || again != z {
			t.Errorf("%s became %s in %s, or is read anew each time", name, z.Name(), z.Location())
		}
	}
	for _, name := range []string{"UTC", "America/New_York", "America/Argentina/Buenos_Aires", "Asia/Kathmandu",
		"Asia/Calcutta", "Etc/GMT-14", "US/Eastern"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestMustLoad_PanicsOnAnUnknownName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	MustLoad("Local")
}

func TestSource_NamesTheEmbeddedVersion(t *testing.T) {
	version, from := Source()
	if from != "embedded" || len(version) != 5 || version < "2026a" {
		t.Errorf("version %q from %q", version, from)
	}
}

func TestOpenDatabase_ZONEINFO(t *testing.T) {
	dir := t.TempDir()
	writeDatabase(t, dir)
	archive := filepath.Join(t.TempDir(), "zones.zip")
	zipDirectory(t, dir, archive)
	for _, path := range []string{dir, archive} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			useDatabase(t, path)
			if version, from := Source(); version != "2099z" || from != path {
				t.Errorf("version %q from %q", version, from)
			}
			if got := mustNames(t); !slices.Equal(got, []string{"Asia/Tokyo", "Mars/Olympus"}) {
				t.Errorf("names: %q", got)
			}
			if z, err := Load("Mars/Olympus"); err != nil || z.Offset(Date(20000).UTC()) != "+09:00" {
				t.Errorf("Mars/Olympus is %v, %v; it should be Tokyo's copy", z, err)
			}
			for _, name := range []string{"Europe/London", "right/UTC", "posix/UTC", "localtime", "posixrules",
				"Factory", "tzdata.zi", "readme.txt", "Asia", "../x", "Asia/Tokyo\x00"} {
				if _, err := Load(name); err == nil {
					t.Errorf("%q was accepted", name)
				}
			}
		})
	}
}

func TestOpenDatabase_UnreadableZONEINFO(t *testing.T) {
	notZip := filepath.Join(t.TempDir(), "zones.zip")
	must(t, os.WriteFile(notZip, []byte("TZif?"), 0o600))
	for _, path := range []string{notZip, filepath.Join(t.TempDir(), "missing")} {
		if _, err := openDatabase(path); err == nil || !strings.Contains(err.Error(), "ZONEINFO") {
			t.Errorf("opening %s: %v", path, err)
		}
		useDatabase(t, path)
		if _, err := Load("UTC"); err == nil {
			t.Error("UTC came from somewhere else")
		}
		if _, err := Names(); err == nil {
			t.Error("names came from somewhere else")
		}
		if version, _ := Source(); version != "unreadable" {
			t.Errorf("version %q", version)
		}
	}
}

func TestOpenDatabase_WithoutAVersion(t *testing.T) {
	db, err := openDatabase(t.TempDir())
	if err != nil || db.version != "unknown" {
		t.Errorf("version %q, %v", db.version, err)
	}
}

// The program reads ZONEINFO only once, so this test needs another process.
func TestSource_FollowsTheEnvironment(t *testing.T) {
	if os.Getenv("SLOTD_TEST_SOURCE") != "" {
		version, from := Source()
		os.Stdout.WriteString("source " + version + " " + from + "\n")
		return
	}
	dir := t.TempDir()
	writeDatabase(t, dir)
	cmd := exec.Command(os.Args[0], "-test.run=^TestSource_FollowsTheEnvironment$")
	cmd.Env = append(os.Environ(), "SLOTD_TEST_SOURCE=1", "ZONEINFO="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "source 2099z "+dir+"\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// writeDatabase creates a directory like a system's: zones, and the other files that are found there.
func writeDatabase(t *testing.T, dir string) {
	t.Helper()
	db, err := openDatabase("")
	must(t, err)
	tokyo, err := fs.ReadFile(db.fsys, "Asia/Tokyo")
	must(t, err)
	for name, data := range map[string][]byte{
		"Asia/Tokyo": tokyo, "Mars/Olympus": tokyo, "right/UTC": tokyo, "posix/UTC": tokyo, "localtime": tokyo,
		"posixrules": tokyo, "Factory": tokyo,
		"tzdata.zi": []byte("# version 2099z\nR x\n"), "readme.txt": []byte("no zone"), "short": []byte("TZ"),
		"empty": nil,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, data, 0o600))
	}
}

func zipDirectory(t *testing.T, dir, archive string) {
	t.Helper()
	out, err := os.Create(archive)
	must(t, err)
	w := zip.NewWriter(out)
	must(t, w.AddFS(os.DirFS(dir)))
	must(t, w.Close())
	must(t, out.Close())
}

// useDatabase makes the package read another database until the test ends.
func useDatabase(t *testing.T, path string) {
	t.Helper()
	before := database
	database = func() (tzDatabase, error) { return openDatabase(path) }
	zoneCache.Clear()
	t.Cleanup(func() {
		database = before
		zoneCache.Clear()
	})
}

func mustNames(t *testing.T) []string {
	t.Helper()
	names, err := Names()
	must(t, err)
	return names
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
