package content

import (
	"regexp"
	"slices"
	"strings"

	"example.org/arena/results/tomlfile"
)

// A ReportText is the text of a report in one language.
type ReportText struct {
	File  string // path in the tree
	Parts []ReportPart
}

// A ReportPart is a piece of a report's text: prose, or the place of a block.
type ReportPart struct {
	Line  int    // in the file
	Prose string // Markdown in which figures stand as {{name argument …}}
	Block string // name of a block; empty for prose
}

// blockLine is a line that stands for a block.
var blockLine = regexp.MustCompile(`^\[\[(.*)\]\]$`)

// splitReport splits a text at the lines that stand for blocks.
func splitReport(file string, source []byte) ReportText {
	text := ReportText{File: file}
	var prose []string
	begin := 1
	flush := func(next int) {
		if len(prose) > 0 {
			text.Parts = append(text.Parts, ReportPart{Line: begin, Prose: strings.Join(prose, "\n")})
		}
		prose, begin = nil, next
	}
	for i, line := range strings.Split(string(source), "\n") {
		if m := blockLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			flush(i + 2)
			text.Parts = append(text.Parts, ReportPart{Line: i + 1, Block: m[1]})
			continue
		}
		prose = append(prose, line)
	}
	flush(0)
	return text
}

// reportTexts splits the texts of a report. Each has every block of the report
// once, in the order of the report's file, so that the languages do not drift
// apart.
func (l *loader) reportTexts(r Report, sources map[string][]byte) map[string]ReportText {
	texts := map[string]ReportText{}
	for lang, source := range sources {
		text := splitReport(textFile(r.Slug, lang), source)
		texts[lang] = text
		l.checkBlocks(r, text)
	}
	return texts
}

func (l *loader) checkBlocks(r Report, text ReportText) {
	fault := func(line int, message string) {
		l.faults = append(l.faults, tomlfile.Fault{File: text.File, Line: line, Message: message})
	}
	var want []string // what is still to come
	for _, b := range r.Blocks {
		want = append(want, b.Name)
	}
	last := 1
	for _, p := range text.Parts {
		if p.Block == "" {
			continue
		}
		last = p.Line
		switch at := slices.Index(want, p.Block); {
		case at == 0:
			want = want[1:]
		case at > 0:
			fault(p.Line, "block [["+p.Block+"]] comes before [["+want[0]+"]], unlike in "+r.File)
			want = slices.Delete(want, at, at+1)
		case slices.ContainsFunc(r.Blocks, func(b ReportBlock) bool { return b.Name == p.Block }):
			fault(p.Line, "block [["+p.Block+"]] stands here a second time")
		default:
			fault(p.Line, "block [["+p.Block+"]] is not in "+r.File)
		}
	}
	for _, name := range want {
		fault(last, "block [["+name+"]] of "+r.File+" is nowhere in the text")
	}
}
