package site

import (
	"fmt"
	"strings"
)

// A Header is an HTTP header that every answer of the site carries.
type Header struct{ Name, Value string }

// SecurityHeaders are sent with every answer. They allow what the site is made
// of and nothing else: its own scripts, styles, images and data.
var SecurityHeaders = []Header{
	{"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "strict-origin-when-cross-origin"},
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
}

// Values of Cache-Control.
const (
	immutable  = "public, max-age=31536000, immutable"
	revalidate = "public, max-age=0, must-revalidate"
)

// immutablePrefixes are the folders whose files never change: their names hold
// a hash of their content.
var immutablePrefixes = []string{"assets/", "data/bundles/", "data/charts/"}

// CacheControl returns how long the file at path may be kept.
func CacheControl(path string) string {
	for _, prefix := range immutablePrefixes {
		if strings.HasPrefix(path, prefix) {
			return immutable
		}
	}
	return revalidate
}

// headersFile is the _headers file that Cloudflare Pages and Netlify read.
func headersFile() []byte {
	var b strings.Builder
	b.WriteString("/*\n")
	for _, h := range SecurityHeaders {
		fmt.Fprintf(&b, "  %s: %s\n", h.Name, h.Value)
	}
	for _, prefix := range immutablePrefixes {
		fmt.Fprintf(&b, "/%s*\n  Cache-Control: %s\n", prefix, immutable)
	}
	for _, pattern := range []string{"/*/feed.xml", "/data/schema/*", "/data/runs/*"} {
		fmt.Fprintf(&b, "%s\n  Cache-Control: %s\n", pattern, revalidate)
	}
	return []byte(b.String())
}
