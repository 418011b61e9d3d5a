package site

import "example.org/arena/i18n"

// Addresses. Every page has the same path behind the language in all three
// languages; it ends in a slash and is served from index.html.

// A route is the path of a page behind its language, "" for the first page.
type route string

const (
	routeBoard       route = ""
	routeModels      route = "models/"
	routeMethod      route = "method/"
	routeReports     route = "reports/"
	routeSuggestions route = "suggestions/"
	routeData        route = "data/"
)

func routePreset(id string) route { return route("for/" + id + "/") }

func routeVersion(version string) route { return routeMethod + route(version+"/") }

func routeReport(slug string) route { return routeReports + route(slug+"/") }

// url is the address of the page in a language, from the root of the site.
func (r route) url(l i18n.Lang) string { return "/" + string(l) + "/" + string(r) }

// file is the path of the page's file in the tree.
func (r route) file(l i18n.Lang) string { return string(l) + "/" + string(r) + "index.html" }

// feedFile is the path of a language's Atom feed in the tree.
func feedFile(l i18n.Lang) string { return string(l) + "/feed.xml" }
