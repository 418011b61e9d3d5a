package serve

import "path"

// types says what files are, by the ending of their names. It is complete for the
// site and does not depend on the machine, as the tables of operating systems do.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".csv":  "text/csv; charset=utf-8",
	".toml": "application/toml",
	".txt":  "text/plain; charset=utf-8",
	".md":   "text/markdown; charset=utf-8",
	".xml":  "application/xml",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".ico":  "image/x-icon",
}

// contentType returns the media type of a file.
func contentType(name string) string {
	if path.Base(name) == "feed.xml" {
		return "application/atom+xml"
	}
	if t, ok := types[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}
