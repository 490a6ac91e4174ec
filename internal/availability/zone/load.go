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
var zoneinfoZip []byte

// tzDatabase is the embedded tz database, or the directory or zip file that ZONEINFO names. With ZONEINFO, an
// operator can use newer rules without a new binary.
type tzDatabase struct {
	fsys    fs.FS
	version string
	from    string
}

var database = sync.OnceValues(func() (tzDatabase, error) {
	return openDatabase(os.Getenv("ZONEINFO"))
})

func openDatabase(path string) (tzDatabase, error) {
	if path == "" {
		z, err := zip.NewReader(bytes.NewReader(zoneinfoZip), int64(len(zoneinfoZip)))
		if err != nil {
			return tzDatabase{}, fmt.Errorf("open the embedded time zones: %w", err)
		}
		return tzDatabase{z, readVersion(z), "embedded"}, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		dir := os.DirFS(path)
		return tzDatabase{dir, readVersion(dir), path}, nil
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return tzDatabase{}, fmt.Errorf("open the time zones that ZONEINFO names: %w", err)
	}
	return tzDatabase{z, readVersion(z), path}, nil
}

// readVersion returns the version of the tz database. Our own zip and some systems have a +VERSION file, Debian has
// tzdata.zi.
func readVersion(fsys fs.FS) string {
	for _, name := range []string{"+VERSION", "tzdata.zi"} {
		if text, err := fs.ReadFile(fsys, name); err == nil {
			line, _, _ := strings.Cut(string(text), "\n")
			return strings.TrimSpace(strings.TrimPrefix(line, "# version "))
		}
	}
	return "unknown"
}

// Source returns the version of the tz database in use and where it comes from.
func Source() (version, from string) {
	db, err := database()
	if err != nil {
		return "unreadable", err.Error()
	}
	return db.version, db.from
}

var zoneCache sync.Map // name → *Zone; limited, because it holds only names that exist

// Load returns the zone with the exact IANA name, such as "America/New_York".
func Load(name string) (*Zone, error) {
	if z, ok := zoneCache.Load(name); ok {
		return z.(*Zone), nil
	}
	db, err := database()
	if err != nil {
		return nil, err
	}
	if !isName(name) {
		return nil, unknownZone(name)
	}
	data, err := fs.ReadFile(db.fsys, name)
	if err != nil || !bytes.HasPrefix(data, []byte("TZif")) {
		return nil, unknownZone(name)
	}
	loc, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil, fmt.Errorf("read time zone %s: %w", name, err)
	}
	z, _ := zoneCache.LoadOrStore(strings.Clone(name), &Zone{name: name, loc: loc})
	return z.(*Zone), nil
}

// Location is like Load, for callers that only need a time.Location.
func Location(name string) (*time.Location, error) {
	z, err := Load(name)
	if err != nil {
		return nil, err
	}
	return z.Location(), nil
}

// MustLoad is like Load, but panics on an error. It is for names that are constants in the program.
func MustLoad(name string) *Zone {
	z, err := Load(name)
	if err != nil {
		panic(err)
	}
	return z
}

func unknownZone(name string) error {
	return fmt.Errorf("%.64q is no IANA time zone name; a right one is \"America/New_York\"", name)
}

// isName reports whether name can be an IANA name. It excludes the other files in a directory of zone files.
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

// Names returns the names of all zones, sorted.
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
