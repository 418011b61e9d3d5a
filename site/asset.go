package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/html"
	"github.com/tdewolff/minify/v2/js"
	"github.com/tdewolff/minify/v2/svg"
)

// newMinifier minifies what the site writes itself. JSON is left out on purpose:
// its bytes are hashed and quoted elsewhere.
func newMinifier() *minify.M {
	m := minify.New()
	m.AddFunc("text/css", css.Minify)
	m.AddFunc("image/svg+xml", svg.Minify)
	m.AddFuncRegexp(regexp.MustCompile(`^(application|text)/javascript$`), js.Minify)
	m.Add("text/html", &html.Minifier{
		KeepDocumentTags: true,
		KeepEndTags:      true,
		KeepQuotes:       true,
	})
	return m
}

// styles are joined into one sheet, in this order.
var styles = []string{"css/site.css", "css/chart.css"}

// makeAssets minifies the shared files, names them by their content and adds them.
// Modules import each other by file name, so the ones without imports come
// first and their importers learn the hashed names.
func (b *builder) makeAssets(_ context.Context, to *files) (err error) {
	var sheet bytes.Buffer
	for _, name := range styles {
		data, err := fs.ReadFile(b.in.Templates, name)
		if err != nil {
			return err
		}
		sheet.Write(data)
		sheet.WriteByte('\n')
	}
	a := &b.assets
	if a.CSS, err = to.addAsset("site.css", "text/css", sheet.Bytes()); err != nil {
		return err
	}
	icon, err := fs.ReadFile(b.in.Templates, "img/icon.svg")
	if err != nil {
		return err
	}
	if a.Icon, err = to.addAsset("icon.svg", "image/svg+xml", icon); err != nil {
		return err
	}
	if a.ECharts, err = to.addHashed("echarts.js", b.in.ECharts); err != nil {
		return err
	}
	// The licences of what is in the chart library travel with it.
	if licences, err := fs.ReadFile(b.in.Templates, "dist/echarts.LICENSE.txt"); err == nil {
		if err := to.add("assets/echarts.LICENSE.txt", licences); err != nil {
			return err
		}
	}
	urls := map[string]string{}
	for _, name := range []string{"board.js", "chart.js", "site.js"} {
		data, err := fs.ReadFile(b.in.Templates, "js/"+name)
		if err != nil {
			return err
		}
		for imported, url := range urls {
			data = bytes.ReplaceAll(data, []byte(`"./`+imported+`"`), []byte(`"`+url+`"`))
		}
		if urls[name], err = to.addAsset(name, "text/javascript", data); err != nil {
			return err
		}
	}
	a.JS, a.ChartJS = urls["site.js"], urls["chart.js"]
	return nil
}

// addAsset minifies data and adds it under a name that holds its hash.
func (to *files) addAsset(name, mediaType string, data []byte) (string, error) {
	small, err := to.site.minifier.Bytes(mediaType, data)
	if err != nil {
		return "", fmt.Errorf("minify %s: %w", name, err)
	}
	return to.addHashed(name, small)
}

// addHashed adds data under a name that holds its hash and returns the address.
func (to *files) addHashed(name string, data []byte) (string, error) {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	file := "assets/" + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	return "/" + file, to.add(file, data)
}
