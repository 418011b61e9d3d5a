package models_test

import (
	"testing"

	"example.org/arena/i18n"
	"example.org/arena/results/bundle"
	"example.org/arena/site/page/models"
	"example.org/arena/site/page/pagetest"
	"example.org/arena/site/render"
)

// Configurations stand under their platforms, the default one first, by the model's
// name.
func TestPage(t *testing.T) {
	t.Parallel()
	c := pagetest.Content(t, nil)
	rack := pagetest.Bundle(c, "rack", 90)
	rack.Platform = "rack"
	named := pagetest.Bundle(c, "a", 40)
	named.Model.ID, named.Model.Quantisation = "Someone/another", ""
	simulated := pagetest.Bundle(c, "simulated", 90)
	simulated.Kind, simulated.Source = bundle.Simulated, nil
	simulated.Draft = &bundle.Draft{Method: "ngram"}
	s := pagetest.Site(t, c, rack, pagetest.Bundle(c, "fast", 40), named, simulated)
	list := models.Page(s, pagetest.Printer(t, i18n.EN)).Body.(render.List)
	if len(list.Groups) != 2 || list.Groups[0].ID != "platform-desk" || list.Groups[1].ID != "platform-rack" {
		t.Fatalf("groups %+v", list.Groups)
	}
	pagetest.Want(t, list.Groups[0].Text, "Chip A", "128 GB", "273 GB/s")
	rows := list.Groups[0].Table.Rows
	if len(rows) != 3 || rows[0][0].Text != "Someone/another a" || rows[1][0].Text != "Tiny 8B fast" || rows[2][0].Text != "Tiny 8B simulated" {
		t.Fatalf("rows %+v", rows)
	}
	if rows[0][1].Class != "none" || rows[1][1].Text != "BF16" {
		t.Errorf("precisions %+v and %+v", rows[0][1], rows[1][1])
	}
	if rows[2][0].Mark == "" || rows[1][0].Mark != "" || rows[1][3].Text != "2" {
		t.Errorf("rows %+v", rows)
	}
}
