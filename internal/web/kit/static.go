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
	gzipped     []byte // nil where that is no gain
	hash        string
}

// folders are where static files lie: beside the pages that they belong to. They are added while the program starts.
var folders = []embed.FS{ownFiles}

func addAssets(folder embed.FS) { folders = append(folders, folder) }

// files are made at first use, and only then: a command that serves nothing needs none.
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

// places are what a guest can type to choose a time zone.
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
	f := &file{contentType: contentTypes[path.Ext(name)], body: body, hash: hex.EncodeToString(sum[:8])}
	if zipped := compressWell(body); len(zipped) < len(body) {
		f.gzipped = zipped
	}
	return f
}

// contentTypes are our own: what the machine's tables say may be anything.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".json": "application/json",
	".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
}

func compressWell(body []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w.Write(body)
	w.Close()
	return out.Bytes()
}

// Asset is the path of a static file. The hash in it changes with the content, so that browsers may
// keep it for ever.
func Asset(name string) (string, error) {
	f, ok := files()[name]
	if !ok {
		return "", fmt.Errorf("there is no static file %s", name)
	}
	return "/static/" + f.hash + "/" + name, nil
}

// Static serves /static/{hash}/{name}. A hash of another version gives this one's file, but nobody may
// keep it: while servers are upgraded one by one, it would stand for the other version's.
func Static(w http.ResponseWriter, r *http.Request) bool {
	name := r.PathValue("name")
	if accent, ok := strings.CutPrefix(name, "accent-"); ok {
		return sendAccent(w, r, strings.TrimSuffix(accent, ".css"))
	}
	f, ok := files()[name]
	if !ok {
		return false
	}
	f.send(w, r, cacheFor(r.PathValue("hash") == f.hash))
	return true
}

// SendFile serves a static file under a name that never changes, such as /embed.js.
func SendFile(w http.ResponseWriter, r *http.Request, name string) {
	files()[name].send(w, r, "public, max-age=3600")
}

func cacheFor(right bool) string {
	if right {
		return "public, max-age=31536000, immutable"
	}
	return "no-store"
}

func (f *file) send(w http.ResponseWriter, r *http.Request, caching string) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // /embed.js and its like are for other sites
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", caching)
	body := f.body
	if f.gzipped != nil && acceptsGzip(r) {
		body = f.gzipped
		h.Set("Content-Encoding", "gzip")
	}
	SendTagged(w, r, f.hash, body)
}

// has knows the tag in a list, also where a proxy has made it a strong one.
func has(list, tag string) bool {
	for given := range strings.SplitSeq(list, ",") {
		if given = strings.TrimSpace(given); given == "*" ||
			strings.TrimPrefix(given, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// SendTagged answers a reader who has the same already with 304 and nothing else.
func SendTagged(w http.ResponseWriter, r *http.Request, tag string, body []byte) {
	h := w.Header()
	tag = `W/"` + tag + `"` // weak, because it is the same for the compressed body and the plain one
	h.Set("ETag", tag)
	if has(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", fmt.Sprint(len(body)))
	w.Write(body)
}
