// Package serve answers HTTP requests for the files of a finished site as a
// production server is meant to: the same headers, compressed copies where the
// reader takes them, the nearest error page for an address that leads nowhere. It
// reads files and changes none.
package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"example.org/arena/site"
)

// Handler serves the files of a site. It lists no folder, shows no file whose name
// begins with a dot, and knows no method but GET and HEAD.
func Handler(files fs.FS) http.Handler { return handler{files} }

type handler struct{ files fs.FS }

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, header := range site.SecurityHeaders {
		w.Header().Set(header.Name, header.Value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "this site can only be read", http.StatusMethodNotAllowed)
		return
	}
	name, ok := fileOf(r.URL.Path)
	if !ok {
		h.notFound(w, r)
		return
	}
	if h.isFile(name) {
		h.serve(w, r, name)
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/") && h.isFile(path.Join(name, index)) {
		to := url.URL{Path: "/" + name + "/", RawQuery: r.URL.RawQuery}
		w.Header().Set("Cache-Control", site.CacheControl(""))
		http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
		return
	}
	h.notFound(w, r)
}

// index is the file that answers for its folder.
const index = "index.html"

// fileOf returns the name of the file that answers for an address, unless no
// address may lead there.
func fileOf(address string) (string, bool) {
	name, ok := strings.CutPrefix(address, "/")
	if !ok {
		return "", false
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += index
	}
	return name, fs.ValidPath(name) && !hidden(name)
}

// hidden reports whether a file is there for the server and not for readers:
// settings of hosts, markers, compressed copies.
func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return name == "_headers" || strings.ContainsAny(name, "\\\x00") || isCopy(name)
}

func (h handler) isFile(name string) bool {
	info, err := fs.Stat(h.files, name)
	return err == nil && info.Mode().IsRegular()
}

// serve answers with a file that is there.
func (h handler) serve(w http.ResponseWriter, r *http.Request, name string) {
	data, ok := h.body(w, r, name)
	if !ok {
		h.notFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", site.CacheControl(name))
	sum := sha256.Sum256(data)
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// body returns the bytes to send for a file, and sets the headers that say what
// they are.
func (h handler) body(w http.ResponseWriter, r *http.Request, name string) ([]byte, bool) {
	data, coding, varies := h.variant(name, r.Header.Values("Accept-Encoding"))
	if data == nil {
		return nil, false
	}
	w.Header().Set("Content-Type", contentType(name))
	if varies {
		w.Header().Add("Vary", "Accept-Encoding")
	}
	if coding != "" {
		w.Header().Set("Content-Encoding", coding)
	}
	return data, true
}

// variant returns the copy of a file that the reader likes best, and whether
// another reader may get another one. The data are nil when there is no file.
func (h handler) variant(name string, accept []string) (data []byte, coding string, varies bool) {
	for _, c := range codings {
		varies = varies || h.isFile(name+c.ext)
	}
	if varies {
		for _, c := range accepted(accept) {
			if data, err := fs.ReadFile(h.files, name+c.ext); err == nil {
				return data, c.name, true
			}
		}
	}
	data, err := fs.ReadFile(h.files, name)
	if err != nil {
		return nil, "", false
	}
	if data == nil {
		data = []byte{}
	}
	return data, "", varies
}

// notFound answers with the error page that lies nearest to the address. It is
// never kept: the file may be there tomorrow.
func (h handler) notFound(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", site.CacheControl(""))
	for dir := path.Clean("/" + r.URL.Path)[1:]; ; dir = path.Dir(dir) {
		name := path.Join(dir, "404.html")
		if fs.ValidPath(name) && !hidden(name) {
			if data, ok := h.body(w, r, name); ok {
				w.Header().Set("Content-Length", strconv.Itoa(len(data)))
				w.WriteHeader(http.StatusNotFound)
				if r.Method != http.MethodHead {
					_, _ = w.Write(data) // the reader may be gone
				}
				return
			}
		}
		if dir == "." || dir == "" {
			http.Error(w, "there is nothing at this address", http.StatusNotFound)
			return
		}
	}
}
