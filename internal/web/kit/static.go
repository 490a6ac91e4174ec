package kit

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"

	"slotd/internal/availability/zone"
)

// file is a static file, ready to be sent.
type file struct {
	contentType string
	body        []byte
	gzipped     []byte // nil if that is not smaller
	hash        string
}

// folders hold the static files, next to the pages that use them. Packages add theirs during initialization.
var folders = []embed.FS{ownFiles}

func addAssets(folder embed.FS) { folders = append(folders, folder) }

// files reads the static files at first use: commands that serve nothing do not need them.
var files = sync.OnceValue(func() map[string]*file {
	all := map[string]*file{}
	for _, folder := range folders {
		names, err := fs.Glob(folder, "*")
		if err != nil {
			panic(err)
		}
		for _, name := range names {
			if path.Ext(name) == ".html" {
				continue
			}
			if all[name] != nil {
				panic("there are two static files " + name)
			}
			body, err := folder.ReadFile(name)
			if err != nil {
				panic(err)
			}
			all[name] = newFile(name, body)
		}
	}
	all["places.json"] = newFile("places.json", places())
	return all
})

// places returns, as JSON, the places that a guest can type to choose a time zone.
func places() []byte {
	names := []string{}
	for _, p := range zone.Places() {
		names = append(names, p.String())
	}
	body, err := json.Marshal(names)
	if err != nil {
		panic(err) // strings always encode
	}
	return body
}

func newFile(name string, body []byte) *file {
	sum := sha256.Sum256(body)
	f := &file{contentType: contentType(name), body: body, hash: hex.EncodeToString(sum[:8])}
	if zipped := compressBest(body); len(zipped) < len(body) {
		f.gzipped = zipped
	}
	return f
}

// contentTypes replaces package mime, whose types depend on the machine's tables.
var contentTypes = map[string]string{
	".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".png": "image/png",
	".svg": "image/svg+xml", ".txt": "text/plain",
}

func contentType(name string) string {
	kind := contentTypes[path.Ext(name)]
	if strings.HasPrefix(kind, "text/") {
		kind += "; charset=utf-8"
	}
	return kind
}

func compressBest(body []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w.Write(body)
	w.Close()
	return out.Bytes()
}

// Asset returns the path of a static file. It contains a hash of the content, so that browsers may cache the file
// forever.
func Asset(name string) (string, error) {
	f, ok := files()[name]
	if !ok {
		return "", fmt.Errorf("there is no static file %s", name)
	}
	return "/static/" + f.hash + "/" + name, nil
}

// Static serves /static/{hash}/{name} and reports whether there is such a file. If the hash is from another version,
// Static sends this version's file, but forbids caching it: while servers are upgraded one by one, caches would store
// it under the other version's path.
func Static(w http.ResponseWriter, r *http.Request) bool {
	name := r.PathValue("name")
	if accent, ok := strings.CutPrefix(name, "accent-"); ok {
		return sendAccent(w, r, strings.TrimSuffix(accent, ".css"))
	}
	f, ok := files()[name]
	if !ok {
		return false
	}
	setCaching(w.Header(), r.PathValue("hash") == f.hash)
	f.send(w, r)
	return true
}

// SendFile serves a static file under a name that never changes, such as /embed.js.
func SendFile(w http.ResponseWriter, r *http.Request, name string) {
	w.Header().Set("Cache-Control", "public, max-age=3600")
	files()[name].send(w, r)
}

func setCaching(h http.Header, hashMatches bool) {
	if hashMatches {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-store")
	}
}

// send sends the file. The caller sets how long it may be cached.
func (f *file) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // other sites load /embed.js
	h.Set("Vary", "Accept-Encoding")
	body := f.body
	if f.gzipped != nil && acceptsGzip(r) {
		body = f.gzipped
		h.Set("Content-Encoding", "gzip")
	}
	SendTagged(w, r, f.hash, body)
}

// containsTag reports whether an If-None-Match list contains the tag. It ignores W/, which proxies may remove.
func containsTag(list, tag string) bool {
	for given := range strings.SplitSeq(list, ",") {
		if given = strings.TrimSpace(given); given == "*" ||
			strings.TrimPrefix(given, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// SendTagged sends the body with an ETag, or 304 without a body if the client already has it.
func SendTagged(w http.ResponseWriter, r *http.Request, tag string, body []byte) {
	h := w.Header()
	tag = `W/"` + tag + `"` // weak, because compressed and plain body share it
	h.Set("ETag", tag)
	if containsTag(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", fmt.Sprint(len(body)))
	w.Write(body)
}
