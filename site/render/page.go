// Package render turns finished page values into HTML. Every value arrives
// formatted and in the reader's language; templates only place it. Words that
// belong to the frame of a page are catalog keys in the templates.
//
// Nothing from a bundle or a contributor is of type template.HTML: that type is
// reserved for what this program wrote itself, which is drawn charts and the
// site's own Markdown.
package render

import (
	"html/template"
	"strconv"
	"unicode/utf8"

	"example.org/arena/site/chart"
)

// A Page is everything that a page shows: its frame and its body.
type Page struct {
	Template    string // name of the body's template: "board", "model", …
	Lang        string
	Title       string
	Description string
	Canonical   string // absolute URL; empty on pages that have none
	Alternates  []Alternate
	Feed        *Link
	NoIndex     bool
	HasCharts   bool
	Assets      Assets
	Home        string // URL of the language's first page
	Nav         []NavLink
	Languages   []Language
	Crumbs      []Link // the last one has no URL
	Footer      Footer
	Body        any
}

// Figures lists the charts of the page's body, to be drawn in place.
func (p *Page) Figures() []*Figure {
	var out []*Figure
	add := func(list []Figure) {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	switch body := p.Body.(type) {
	case Model:
		for _, t := range body.Tests {
			add(t.Charts)
		}
	case Report:
		for _, b := range body.Blocks {
			add(b.Figures)
		}
	}
	return out
}

// An Alternate is the same page in another language.
type Alternate struct {
	Lang string // "nl", "en", "fr" or "x-default"
	URL  string // absolute
}

// A Link is a place to go.
type Link struct {
	Label string
	URL   string
	Rel   string
}

// A NavLink is a link that may be the current page ("page") or lead to a page
// above it ("true").
type NavLink struct {
	Link
	Current string
}

// A Language is an entry of the language switch or of the language choice.
type Language struct {
	Lang    string
	Label   string // the language's own name
	URL     string
	Current string
	Text    string // what the site offers, in that language; language choice only
}

// Assets are the addresses of the files that pages share.
type Assets struct {
	CSS     string
	JS      string
	ChartJS string
	ECharts string
	Icon    string
}

// A Footer closes every page.
type Footer struct {
	Summary string // of the whole site; empty on pages that depend on a part of it
	Links   []Link
}

// A Table is a table with one row header per row.
type Table struct {
	Caption string
	Label   string // the name for those who cannot see what stands above; the caption if empty
	Mark    string // a remark about all values
	Class   string
	Head    []Head
	Rows    [][]Cell
}

// Name is the name of the table among all of its page.
func (t *Table) Name() string {
	if t.Label != "" {
		return t.Label
	}
	return t.Caption
}

// Slot is the class that gives the spreads of a column the same width, so that
// the values before them stand under each other; empty without spreads.
func (t *Table) Slot(column int) string {
	longest := 0
	for _, row := range t.Rows {
		if column < len(row) && row[column].Class == "n" {
			longest = max(longest, utf8.RuneCountInString(row[column].Spread))
		}
	}
	return SlotClass(longest)
}

// GatherMarks says once what stands behind every value of the table, or of a
// column. Fields without a value do not matter.
func (t *Table) GatherMarks() {
	columns := make([][]*Cell, len(t.Head))
	var all []*Cell
	for _, row := range t.Rows {
		for i := range row {
			if c := &row[i]; i > 0 && c.Class == "n" {
				columns[i] = append(columns[i], c)
				all = append(all, c)
			}
		}
	}
	if t.Mark = gather(all); t.Mark != "" {
		return
	}
	for i, column := range columns {
		t.Head[i].Mark = gather(column)
	}
}

// gather takes the mark that two or more cells share off them; empty when they
// share none.
func gather(cells []*Cell) string {
	if len(cells) < 2 {
		return ""
	}
	mark := cells[0].Mark
	for _, c := range cells {
		if c.Mark != mark {
			return ""
		}
	}
	for _, c := range cells {
		c.Mark = ""
	}
	return mark
}

// shortestSlot and longestSlot are the fewest and the most characters of a spread for
// which the style sheet has a class.
const shortestSlot, longestSlot = 4, 12

// SlotClass is the class for spreads of up to n characters, empty for none.
func SlotClass(n int) string {
	if n == 0 {
		return ""
	}
	return "s" + strconv.Itoa(min(max(n, shortestSlot), longestSlot))
}

// A Head is a column's header.
type Head struct {
	Label   string
	Unit    string
	Mark    string // a remark about all values below
	Numeric bool
	Explain string
}

// A Cell is one field of a table.
type Cell struct {
	Text   string
	URL    string
	Class  string // "n" for numbers, "none" for what was not measured
	Spread string // "± 0,4", in muted ink
	Mark   string // a short tag behind the value
}

// A Finding is a remark of the audit beside the number it concerns.
type Finding struct {
	Class string // severity: "info", "warning" or "error"
	Name  string
	Text  string
}

// A Figure is a chart. A page says what to draw, in Spec; the rest is filled in
// when it is drawn, before the page is rendered.
type Figure struct {
	ID      string
	Caption string
	Spec    chart.Spec
	Wide    template.HTML
	Narrow  template.HTML
	Option  string // address of the interactive version's data
	Table   *Table // behind the chart
}

// A Command is a command line that can be copied.
type Command struct {
	ID      string
	Kind    string // recorded, reconstructed, or a template to fill in
	Note    string
	Text    string
	Summary string // of the fold around it, where there is one
}

// A Term is a line of a list of facts.
type Term struct {
	Term   string
	Values []Value
}

// A Value is one value of a fact.
type Value struct {
	Text string
	URL  string
	Code bool
	Lang string // the language of Text where it is not the page's
	Note string
}

// A Block is a part of a page with text: a heading, prose, a table, charts, a
// command, in that order, each optional.
type Block struct {
	ID       string
	Title    string
	Note     string // a plain paragraph
	Prose    template.HTML
	Table    *Table
	Figures  []Figure
	Command  *Command
	Findings []Finding
}

// A Board is the body of a leaderboard.
type Board struct {
	Heading    string
	Lead       string
	Answers    []Number // the page's question, answered
	Presets    []NavLink
	Precisions []Choice
	Columns    []Column
	Caption    string
	ShownOne   string // "{shown} of {all} row shown", filled in by the page's script
	ShownOther string
	Rows       []Row
	Wide       bool // more columns than fit beside the names on most screens
	Excluded   *Table
	How        []string // paragraphs that explain order, groups and exclusions
	Links      []Link
}

// A Choice is an option of a filter.
type Choice struct {
	Value string
	Label string
}

// A Column is a column of the leaderboard.
type Column struct {
	Key      string
	Label    string
	Unit     string
	Explain  string
	Class    string
	Sortable string // "asc" or "desc": the direction that the first press gives
	Optional bool   // the reader may leave it out
}

// A Row is a configuration on the leaderboard.
type Row struct {
	ID            string
	Order         string // position in the default order, for sorting
	Rank          string
	RankWhy       string
	NewGroup      bool // the first row of a rank group
	URL           string
	Name          string
	Configuration string
	Precision     string
	Marks         []string
	Search        string
	More          []Pair
	Cells         []BoardCell
}

// A Pair is a name and a value.
type Pair struct {
	Term string
	Text string
}

// A BoardCell is a value on the leaderboard.
type BoardCell struct {
	Label   string // shown in front of the value on narrow screens
	Unit    string // shown behind it there
	Text    string
	Missing bool // there is no value, and Text says so
	Spread  string
	Mark    string // a remark under the value
	Slot    string // class that reserves room for the column's spreads
	Sort    string // the number to sort by, empty when not measured
	Class   string
	Why     string
	HasBar  bool
	Bar     string // length of the bar, in percent of the column's best
}

// A Model is the body of a configuration's page.
type Model struct {
	Heading       string
	Configuration string
	Byline        []string // where, when and by whom it was measured
	Marks         []string
	Verdict       string
	Figures       []Number
	Findings      []Finding
	TOC           []Link // the tests
	Sections      []Link // the other parts of the page
	Titles        ModelTitles
	Siblings      *Table
	Quality       *Table
	TestsTitle    string
	TestsLead     string
	Tests         []Test
	Setup         []Term
	ServerCommand *Command
	Facts         []Term
	Telemetry     *Table
	Client        *Client
	Provenance    []Term
	History       *Table
	Downloads     []Link
}

// ModelTitles are the headings of a configuration's page. The contents at its head
// name the same.
type ModelTitles struct {
	Siblings, Quality, Configuration, Facts, Telemetry, Client, Provenance, Downloads string
}

// A Client is how well the load generator kept up.
type Client struct {
	Lead   []string
	Tables []*Table
}

// A Number is one of the few numbers at the head of a page.
type Number struct {
	Label string
	Text  string
	Unit  string
	Names []Name // whose number it is, where the page is about several
	Note  string
}

// A Name is a model with its configuration.
type Name struct {
	Link
	Configuration string
}

// A Test is a test on a configuration's page.
type Test struct {
	ID          string
	Number      string
	Name        string
	About       string
	Status      string
	StatusClass string
	Reasons     []string
	Findings    []Finding // what weighs on the numbers
	Remarks     []Finding // for information, folded
	RemarksFold string
	Tables      []*Table
	Charts      []Figure
	Commands    []Command
}

// A Method is the body of a method page.
type Method struct {
	Heading    string
	Lead       string
	Versions   []NavLink
	Facts      []Term
	Intro      template.HTML
	TestsTitle string
	Overview   *Table
	Tests      []MethodTest

	ChangesText template.HTML // why the version differs; empty for one that does not say
	Changes     *Table
	Errata      []string
	Counts      template.HTML
	Metrics     *Table
	Reproduce   template.HTML
}

// A MethodTest is a test on a method page.
type MethodTest struct {
	ID           string
	Number       string
	Name         string
	Loop         string
	Tool         string
	Text         template.HTML
	Errata       []string
	Parameters   []Term
	CommandLabel string
	Commands     []Command
}

// A Report is the body of a report.
type Report struct {
	Heading string
	Lead    string
	Marks   []string // what a reader must know of the data before any number
	Facts   []Term
	TOC     []Link
	Blocks  []Block
	Sources *Table
}

// A List is the body of an overview page.
type List struct {
	Heading string
	Lead    string
	Groups  []Group
}

// A Group is a part of an overview page.
type Group struct {
	ID    string
	Title string
	Text  string
	Table *Table
}

// A Prose is the body of a page of text.
type Prose struct {
	Heading string
	Lead    string
	TOC     []Link
	Blocks  []Block
}

// A NotFound is the body of the page for an address that leads nowhere.
type NotFound struct {
	Heading string
	Text    string
	Links   []Link
}
