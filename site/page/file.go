package page

import "example.org/arena/i18n"

// Paths of data files in the tree of the site.
const (
	LeaderboardJSON = "data/leaderboard.json"
	LeaderboardCSV  = "data/leaderboard.csv"
)

// BundleFile is the path of a bundle, as it was published or received.
func (s Summary) BundleFile() string {
	if s.Path != "" {
		return "data/bundles/" + s.Path
	}
	return "data/bundles/unpublished/" + s.ID + ".json"
}

// RunFile is the path of a configuration's figures and findings, in the format that
// the ending names: ".json" or ".csv".
func (c *Configuration) RunFile(ext string) string {
	return "data/runs/" + c.Key.Platform + "/" + c.Slug + ext
}

// ContractFile is the path of the contract of the given version.
func ContractFile(version string) string { return "data/contracts/" + version + ".toml" }

// SchemaFile is the path of a JSON Schema.
func SchemaFile(name string) string { return "data/schema/" + name }

// FeedFile is the path of a language's Atom feed.
func FeedFile(l i18n.Lang) string { return string(l) + "/feed.xml" }
