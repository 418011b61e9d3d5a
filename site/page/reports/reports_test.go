package reports_test

import (
	"testing"

	"example.org/arena/content"
	"example.org/arena/i18n"
	"example.org/arena/site/page/pagetest"
	"example.org/arena/site/page/reports"
	"example.org/arena/site/render"
)

func TestPage(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	c.Reports = []content.Report{{Slug: "two-machines", Title: map[string]string{"fr": "Deux machines"}, Lead: map[string]string{"fr": "Laquelle ?"}}}
	p := pagetest.Printer(t, i18n.FR)
	rows := reports.Page(pagetest.Site(t, c), p).Body.(render.List).Groups[0].Table.Rows
	if len(rows) != 1 || rows[0][0].Text != "Deux machines" || rows[0][0].URL != "/fr/reports/two-machines/" || rows[0][1].Text != "Laquelle ?" {
		t.Errorf("rows %+v", rows)
	}
	c.Reports = nil
	if rows := reports.Page(pagetest.Site(t, c), p).Body.(render.List).Groups[0].Table.Rows; rows != nil {
		t.Errorf("rows %+v without a report", rows)
	}
}
