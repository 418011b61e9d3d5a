package i18n

import "embed"

// FS holds the catalogs of all languages, as Load reads them.
//
//go:embed ??/*.toml
var FS embed.FS
