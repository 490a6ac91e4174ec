//go:build ignore

// pack writes zoneinfo.zip from a compiled tz database, such as the one in Debian's tzdata package:
//
//	apt-get download tzdata && dpkg-deb -x tzdata_*.deb x
//	go run pack.go x/usr/share/zoneinfo
package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	dir := os.Args[1]
	out, err := os.Create("zoneinfo.zip")
	check(err)
	z := zip.NewWriter(out)
	add(z, "+VERSION", version(dir))
	check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		check(err)
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() && (name == "posix" || name == "right") {
			return filepath.SkipDir
		}
		if d.IsDir() || name == "posixrules" || name == "localtime" || name == "Factory" {
			return nil
		}
		data, err := os.ReadFile(path)
		check(err)
		if bytes.HasPrefix(data, []byte("TZif")) {
			add(z, filepath.ToSlash(name), data)
		}
		return nil
	}))
	check(z.Close())
	check(out.Close())
}

func version(dir string) []byte {
	zi, err := os.ReadFile(filepath.Join(dir, "tzdata.zi"))
	check(err)
	line, _, _ := strings.Cut(string(zi), "\n")
	return []byte(strings.TrimPrefix(line, "# version "))
}

// add writes a file with a fixed date, so that the same data results in the same archive.
func add(z *zip.Writer, name string, data []byte) {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate,
		Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
	check(err)
	_, err = w.Write(data)
	check(err)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
