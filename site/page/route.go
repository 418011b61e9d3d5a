package page

import "example.org/arena/i18n"

// A Route is the path of a page behind its language, "" for the first page. It is
// the same in all languages, ends in a slash and is served from index.html.
type Route string

// The routes of the navigation.
const (
	RouteLeaderboard Route = ""
	RouteModels      Route = "models/"
	RouteMethod      Route = "method/"
	RouteReports     Route = "reports/"
	RouteSuggestions Route = "suggestions/"
	RouteData        Route = "data/"
)

// PresetsRoute is the folder of the leaderboard's views.
const PresetsRoute Route = "for/"

// PresetRoute is the address of a view of the leaderboard.
func PresetRoute(id string) Route { return PresetsRoute + Route(id+"/") }

// VersionRoute is the address of a contract's page.
func VersionRoute(version string) Route { return RouteMethod + Route(version+"/") }

// ReportRoute is the address of a report.
func ReportRoute(slug string) Route { return RouteReports + Route(slug+"/") }

// URL is the address of the page in a language, from the root of the site.
func (r Route) URL(l i18n.Lang) string { return "/" + string(l) + "/" + string(r) }

// File is the path of the page's file in the tree of the site.
func (r Route) File(l i18n.Lang) string { return string(l) + "/" + string(r) + "index.html" }
