package content

import "embed"

// FS holds everything that people write. Directories are embedded with "all:",
// since plain patterns leave out names that start with a dot or an underscore.
//
//go:embed site.toml presets.toml publishers.toml
//go:embed all:contracts all:errata all:models all:platforms
//go:embed all:benchmarks all:pages all:reports
//go:embed all:suggestions all:retractions all:imports
var FS embed.FS
