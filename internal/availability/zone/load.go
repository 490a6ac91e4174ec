package zone

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:generate go run pack.go /usr/share/zoneinfo
//go:embed zoneinfo.zip
var embedded []byte

// files is the tz database: the embedded one, or the directory or zip that ZONEINFO names, so
// that an operator can bring newer rules without a new binary.
type files struct {
	fsys    fs.FS
	version string
	from    string
}

var database = sync.OnceValues(func() (files, error) {
	return openDatabase(os.Getenv("ZONEINFO"))
})

func openDatabase(path string) (files, error) {
	if path == "" {
		z, err := zip.NewReader(bytes.NewReader(embedded), int64(len(embedded)))
		if err != nil {
			return files{}, fmt.Errorf("open the embedded time zones: %w", err)
		}
		return files{z, readVersion(z), "embedded"}, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		dir := os.DirFS(path)
		return files{dir, readVersion(dir), path}, nil
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return files{}, fmt.Errorf("open the time zones that ZONEINFO names: %w", err)
	}
	return files{z, readVersion(z), path}, nil
}

// readVersion knows our own zip, Debian's tzdata.zi and the +VERSION file of other systems.
func readVersion(fsys fs.FS) string {
	for _, name := range []string{"+VERSION", "tzdata.zi"} {
		if text, err := fs.ReadFile(fsys, name); err == nil {
			line, _, _ := strings.Cut(string(text), "\n")
			return strings.TrimSpace(strings.TrimPrefix(line, "# version "))
		}
	}
	return "unknown"
}

// Source says which version of the tz database is in use and where it comes from.
func Source() (version, from string) {
	db, err := database()
	if err != nil {
		return "unreadable", err.Error()
	}
	return db.version, db.from
}

var loaded sync.Map // name → *Zone; only names that exist get in, so it is bounded

// Load finds a zone by its exact IANA name, such as "America/New_York".
func Load(name string) (*Zone, error) {
	if z, ok := loaded.Load(name); ok {
		return z.(*Zone), nil
	}
	db, err := database()
	if err != nil {
		return nil, err
	}
	if !isName(name) {
		return nil, unknown(name)
	}
	data, err := fs.ReadFile(db.fsys, name)
	if err != nil || !bytes.HasPrefix(data, []byte("TZif")) {
		return nil, unknown(name)
	}
	loc, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil, fmt.Errorf("read time zone %s: %w", name, err)
	}
	z, _ := loaded.LoadOrStore(strings.Clone(name), &Zone{name: name, loc: loc})
	return z.(*Zone), nil
}

// Location is Load for those who only want to know what clocks show.
func Location(name string) (*time.Location, error) {
	z, err := Load(name)
	if err != nil {
		return nil, err
	}
	return z.Location(), nil
}

// MustLoad is for names that are written in the program itself.
func MustLoad(name string) *Zone {
	z, err := Load(name)
	if err != nil {
		panic(err)
	}
	return z
}

func unknown(name string) error {
	return fmt.Errorf("%.64q is no IANA time zone name; a right one is \"America/New_York\"", name)
}

// isName keeps out what a directory of zone files holds besides IANA names.
func isName(name string) bool {
	if len(name) > 64 || !fs.ValidPath(name) || name == "." {
		return false
	}
	first, _, _ := strings.Cut(name, "/")
	switch first {
	case "posix", "right", "posixrules", "localtime", "Factory", "+VERSION":
		return false
	}
	return true
}

// Names lists every zone, sorted.
func Names() ([]string, error) {
	db, err := database()
	if err != nil {
		return nil, err
	}
	var names []string
	err = fs.WalkDir(db.fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isName(filepath.ToSlash(path)) {
			return err
		}
		if isZoneFile(db.fsys, path) {
			names = append(names, path)
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}

func isZoneFile(fsys fs.FS, path string) bool {
	f, err := fsys.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := make([]byte, 4)
	_, err = io.ReadFull(f, magic)
	return err == nil && string(magic) == "TZif"
}
