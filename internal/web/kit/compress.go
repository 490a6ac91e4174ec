package kit

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Level 1 takes a third of the default's time and makes pages a tenth longer.
var gzips = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is a right one
	}
	return w
}}

// Compressed is body as gzip; it may be that already.
func Compressed(body []byte) []byte {
	if IsCompressed(body) {
		return body
	}
	var out bytes.Buffer
	out.Grow(len(body) / 3)
	w := gzips.Get().(*gzip.Writer)
	defer gzips.Put(w)
	w.Reset(&out)
	w.Write(body) // to memory, which takes everything
	w.Close()
	return out.Bytes()
}

// IsCompressed knows gzip by its first bytes, which no page starts with.
func IsCompressed(body []byte) bool { return bytes.HasPrefix(body, []byte{0x1f, 0x8b}) }

// SendKept answers with a page that may be kept compressed.
func SendKept(w http.ResponseWriter, r *http.Request, tag string, body []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch compressed := IsCompressed(body); {
	case compressed && acceptsGzip(r):
		w.Header().Set("Content-Encoding", "gzip")
	case compressed:
		body = decompress(body)
	}
	SendTagged(w, r, tag, body)
}

func decompress(gzipped []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(gzipped))
	if err != nil {
		panic(err) // we wrote it
	}
	body, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return body
}

// acceptsGzip takes "gzip" with any weight but zero. What else a header may say means no: a plain
// answer is right for everyone.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, weighted := strings.Cut(strings.ReplaceAll(part, " ", ""), ";")
		if strings.EqualFold(coding, "gzip") {
			return !weighted || strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != ""
		}
	}
	return false
}
