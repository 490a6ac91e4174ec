// Package npmfile reads files from npm packages, for the programs that generate our tables from other people's data.
package npmfile

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Read returns files of a package, such as "cldr-core@48.2.0", by their paths in it. It fails if one is missing.
func Read(name string, paths ...string) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "npmfile-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	pack := exec.Command("npm", "pack", "--silent", name)
	pack.Dir, pack.Stderr = dir, os.Stderr
	archive, err := pack.Output()
	if err != nil {
		return nil, fmt.Errorf("npm pack %s: %w", name, err)
	}
	file, err := os.Open(filepath.Join(dir, strings.TrimSpace(string(archive))))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	files, err := extract(file, paths)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return files, nil
}

func extract(archive io.Reader, paths []string) (map[string][]byte, error) {
	unzipped, err := gzip.NewReader(archive)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for t := tar.NewReader(unzipped); ; {
		header, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if all[strings.TrimPrefix(header.Name, "package/")], err = io.ReadAll(t); err != nil {
			return nil, err
		}
	}
	files := map[string][]byte{}
	for _, path := range paths {
		text, ok := all[path]
		if !ok {
			return nil, fmt.Errorf("there is no %s", path)
		}
		files[path] = text
	}
	return files, nil
}
