// Package templates holds what pages are made of: HTML templates, style sheets,
// browser modules and the built chart library. It contains no Go code beyond
// the file system that carries them.
package templates

import "embed"

// FS holds html/*.tmpl, css/*.css, js/*.js, img/* and dist/*. The chart library
// in dist is built by make and not committed: without it dist holds a
// placeholder only.
//
//go:embed all:html all:css all:js all:img all:dist
var FS embed.FS
